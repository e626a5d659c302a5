/**
 * The colours of Herma as data (U-242). `tokens.css` is printed from here and a test keeps the two equal; another test
 * computes the contrasts of U-249 from it. No view holds a literal colour.
 */
export type ColourToken =
  | 'canvas'
  | 'surface'
  | 'raised'
  | 'sunken'
  | 'hover'
  | 'selected'
  | 'line'
  | 'line-strong'
  | 'text'
  | 'text-2'
  | 'text-3'
  | 'accent'
  | 'on-accent'
  | 'warning'
  | 'danger'
  | 'success'
  | 'violet'
  | 'teal'
  | 'add-ground'
  | 'del-ground'

export type Palette = Readonly<Record<ColourToken, string>>

const light: Palette = {
  canvas: '#F7F7F5',
  surface: '#FFFFFF',
  raised: '#FFFFFF',
  sunken: '#EFEFEC',
  hover: '#EBEBE7',
  selected: '#E1EAF7',
  line: '#E2E2DD',
  'line-strong': '#7C8087',
  text: '#1C1D1F',
  'text-2': '#4F5258',
  'text-3': '#62666D',
  accent: '#2A59AB',
  'on-accent': '#FFFFFF',
  warning: '#825200',
  danger: '#AE332B',
  success: '#2A6B3B',
  violet: '#6E4F9B',
  teal: '#2F6B7C',
  'add-ground': '#E4F3E8',
  'del-ground': '#FBE7E5',
}

const dark: Palette = {
  canvas: '#17181A',
  surface: '#1E1F22',
  raised: '#26282B',
  sunken: '#131416',
  hover: '#2A2C30',
  selected: '#25344B',
  line: '#303236',
  'line-strong': '#7B8088',
  text: '#E8E9EB',
  'text-2': '#B4B7BD',
  'text-3': '#9A9EA6',
  accent: '#8AB0EF',
  'on-accent': '#10151D',
  warning: '#E0AE57',
  danger: '#F2938A',
  success: '#7CC492',
  violet: '#BCA2E3',
  teal: '#86C2CF',
  'add-ground': '#1B3325',
  'del-ground': '#3D2323',
}

/** More contrast without a new colour: quiet text becomes strong text, hairlines become control edges (U-223). */
const strengthen = (palette: Palette): Palette => ({
  ...palette,
  line: palette['line-strong'],
  'line-strong': palette['text-2'],
  'text-2': palette.text,
  'text-3': palette['text-2'],
})

export const palettes = {
  light,
  dark,
  'light-contrast': strengthen(light),
  'dark-contrast': strengthen(dark),
} as const satisfies Record<string, Palette>

export type PaletteName = keyof typeof palettes

/** Where text may stand; every text token meets 4.5:1 on each of these (U-249). */
export const GROUNDS = [
  'canvas',
  'surface',
  'raised',
  'sunken',
  'hover',
  'selected',
  'add-ground',
  'del-ground',
] as const
export const TEXT_TOKENS = [
  'text',
  'text-2',
  'text-3',
  'accent',
  'warning',
  'danger',
  'success',
  'violet',
  'teal',
] as const
/** Grounds a control can stand on: its edge meets 3:1 there. */
export const CONTROL_GROUNDS = ['canvas', 'surface', 'raised', 'sunken', 'hover', 'selected'] as const

/** Pixels of U-238 and U-239. The Tailwind names are these numbers: `p-8` is 8 px, `text-13` is 13 px. */
export const SPACES = [2, 4, 6, 8, 12, 16, 20, 24, 32, 48] as const
export const TYPE_SIZES = [11, 12, 13, 14, 16, 20] as const
export const RADII = [4, 6, 8] as const

const block = (selector: string, palette: Palette, scheme: 'light' | 'dark', indent = ''): string =>
  [
    `${indent}${selector} {`,
    `${indent}  color-scheme: ${scheme};`,
    ...Object.entries(palette).map(([name, value]) => `${indent}  --${name}: ${value.toLowerCase()};`),
    `${indent}}`,
  ].join('\n')

const media = (query: string, inner: string): string => `@media ${query} {\n${inner}\n}`

/**
 * The style sheet of the palettes. `data-theme` on the root is `light`, `dark` or absent (follow the system);
 * `data-contrast="more"` asks for more contrast, and the system's own wish counts when nothing is set.
 */
export function tokensCss(): string {
  const system = ':root:not([data-theme])'
  const wish = ':not([data-contrast])'
  return `${[
    '/* Printed from tokens.ts; tokens.test.ts keeps them equal. */',
    block(':root', light, 'light'),
    media('(prefers-color-scheme: dark)', block(system, dark, 'dark', '  ')),
    block(':root[data-theme="dark"]', dark, 'dark'),
    media('(prefers-contrast: more)', block(`:root${wish}`, palettes['light-contrast'], 'light', '  ')),
    media(
      '(prefers-contrast: more) and (prefers-color-scheme: dark)',
      block(`${system}${wish}`, palettes['dark-contrast'], 'dark', '  '),
    ),
    media(
      '(prefers-contrast: more)',
      block(`:root[data-theme="dark"]${wish}`, palettes['dark-contrast'], 'dark', '  '),
    ),
    block(':root[data-contrast="more"]', palettes['light-contrast'], 'light'),
    media(
      '(prefers-color-scheme: dark)',
      block(`${system}[data-contrast="more"]`, palettes['dark-contrast'], 'dark', '  '),
    ),
    block(':root[data-theme="dark"][data-contrast="more"]', palettes['dark-contrast'], 'dark'),
  ].join('\n\n')}\n`
}

/** Relative luminance of `#RRGGBB` as WCAG 2.2 defines it, 0 to 1. */
export function luminance(hex: string): number {
  const channel = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

/** Contrast ratio of two `#RRGGBB` colours, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [dim, bright] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (bright + 0.05) / (dim + 0.05)
}
