import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  CONTROL_GROUNDS,
  contrast,
  GROUNDS,
  type PaletteName,
  palettes,
  RADII,
  SPACES,
  TEXT_TOKENS,
  TYPE_SIZES,
  tokensCss,
} from '../../../src/renderer/src/ui/tokens.ts'

const names = Object.keys(palettes) as PaletteName[]

describe.each(names)('%s', (name) => {
  const palette = palettes[name]

  test.each(GROUNDS)('[U-249] every text token meets 4.5:1 on %s', (ground) => {
    const weak = TEXT_TOKENS.filter((token) => contrast(palette[token], palette[ground]) < 4.5)
    expect(weak).toEqual([])
  })

  test('[U-249] text on a filled button meets 4.5:1', () => {
    expect(contrast(palette['on-accent'], palette.accent)).toBeGreaterThanOrEqual(4.5)
  })

  test.each(CONTROL_GROUNDS)('[U-249] control edges, marks and the focus ring meet 3:1 on %s', (ground) => {
    const signs = ['line-strong', 'accent', 'warning', 'danger', 'success', 'violet', 'teal'] as const
    expect(signs.filter((token) => contrast(palette[token], palette[ground]) < 3)).toEqual([])
  })
})

test('[U-249] the contrast formula gives the known ends', () => {
  expect(contrast('#000000', '#FFFFFF')).toBeCloseTo(21, 5)
  expect(contrast('#777777', '#FFFFFF')).toBeCloseTo(4.48, 2)
})

test('[U-242] the style sheet holds exactly the colours of the tokens', () => {
  expect(readFileSync('src/renderer/src/ui/tokens.css', 'utf8')).toBe(tokensCss())
})

test('[U-242] no view and no other style sheet holds a literal colour', async () => {
  const { globSync } = await import('tinyglobby')
  const files = globSync(['src/renderer/src/{app,ui,features}/**/*.{ts,tsx,css}'], { absolute: false }).filter(
    (file) => !file.endsWith('ui/tokens.ts') && !file.endsWith('ui/tokens.css'),
  )
  expect(files.length).toBeGreaterThan(20)
  // The shadow of an overlay and the veil below a dialog are shades of nothing, not colours of the palette.
  const literal = /#[0-9a-f]{6}\b|#[0-9a-f]{3}\b(?![0-9a-z-])|\b(?:hsl|oklch)\(|rgba?\((?!0 0 0)/i
  const offenders = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => literal.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(offenders).toEqual([])
})

describe('[U-238] [U-239] sizes', () => {
  const sheet = readFileSync('src/renderer/src/styles.css', 'utf8')
  const named = (kind: string): number[] =>
    [...sheet.matchAll(new RegExp(`--${kind}-(\\d+): (\\d+)px;`, 'g'))].map(([, name, px]) => {
      expect(name).toBe(px)
      return Number(px)
    })

  test('the class names offer the spaces, type sizes and radii of the contract and no others', () => {
    // 0, and the heights of controls and rows (24, 28, 32 and 28, 34)
    expect(named('spacing').sort((a, b) => a - b)).toEqual([0, ...SPACES, 28, 34].sort((a, b) => a - b))
    expect(named('text')).toEqual([...TYPE_SIZES])
    expect(named('radius')).toEqual([...RADII])
  })

  test('style sheets of the frame set no other type size or radius', async () => {
    const { globSync } = await import('tinyglobby')
    const odd = globSync('src/renderer/src/{app,ui,features/{chat,composer,onboarding,settings}}/**/*.css').flatMap(
      (file) => {
        const css = readFileSync(file, 'utf8')
        const sizes = [...css.matchAll(/(?:font-size: |font: \d+ )(\d+(?:\.\d+)?)px/g)].map(([, px]) => Number(px))
        const radii = [...css.matchAll(/border-radius: (\d+)px/g)].map(([, px]) => Number(px))
        return [
          ...sizes.filter((px) => px !== 12.5 && !(TYPE_SIZES as readonly number[]).includes(px)),
          // 2 px: the thin mark on the splitter, which is a line
          ...radii.filter((px) => px !== 2 && !(RADII as readonly number[]).includes(px)),
        ].map((px) => `${file}: ${px}px`)
      },
    )
    expect(odd).toEqual([])
  })
})
