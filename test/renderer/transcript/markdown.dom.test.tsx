// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { AnsiOutput } from '../../../src/renderer/src/features/transcript/ansi-output.tsx'
import { Markdown } from '../../../src/renderer/src/features/transcript/markdown/markdown.tsx'
import { TipProvider } from '../../../src/renderer/src/ui/tooltip.tsx'

/** Every text that the parser was given, in order. */
const parsed: string[] = []
vi.mock('react-markdown', async (original) => {
  const { default: parse, ...rest } = await original<typeof import('react-markdown')>()
  return {
    ...rest,
    default: (options: Parameters<typeof parse>[0]) => {
      parsed.push(options.children ?? '')
      return parse(options)
    },
  }
})
const copied: string[] = []
beforeEach(() => {
  parsed.length = 0
  copied.length = 0
  vi.stubGlobal(
    'Worker',
    class {
      addEventListener() {}
      postMessage() {}
    },
  )
  Object.assign(navigator, { clipboard: { writeText: (text: string) => Promise.resolve(void copied.push(text)) } })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const tree = (text: string, open = false) => (
  <TipProvider>
    <Markdown text={text} open={open} />
  </TipProvider>
)
/** The message as elements. */
function shown(text: string, open = false): HTMLElement {
  return render(tree(text, open)).container.querySelector('.md') as HTMLElement
}

describe('streaming', () => {
  test('[U-56] a finished block is parsed once and its elements stay, however much text follows', () => {
    const text = Array.from({ length: 30 }, (_, index) => `Part ${index} has **some** words.`).join('\n\n')
    const { container, rerender } = render(tree(text.slice(0, 40), true))
    const first = container.querySelector('p')
    for (let end = 41; end <= text.length; end += 7) rerender(tree(text.slice(0, end), true))
    expect(container.querySelector('p')).toBe(first)
    expect(parsed.filter((part) => part === 'Part 3 has **some** words.').length).toBeLessThanOrEqual(2)
    expect(parsed.length).toBeLessThanOrEqual(text.length / 7 + 31)
    expect(Math.max(...parsed.map((part) => part.length))).toBeLessThan(80)
  })

  test('[U-56] the stored row that replaces what streamed parses nothing again', () => {
    const text = 'One part.\n\nAnother part.\n\nThe last part.'
    render(tree(text, true)).unmount()
    const before = parsed.length
    const row = shown(text)
    expect(row.querySelectorAll('p')).toHaveLength(3)
    expect(parsed.slice(before)).toEqual(['The last part.'])
  })

  test('[U-72] an unclosed fence, a half table and half marks show as what they become', () => {
    expect(shown('```ts\nconst a', true).querySelector('figure pre')?.textContent).toBe('const a')
    expect(shown('| a | b', true).querySelectorAll('th')).toHaveLength(2)
    expect(shown('some **bold words', true).querySelector('strong')?.textContent).toBe('bold words')
  })
})

describe('what Markdown shows', () => {
  test('[U-72] tables, task lists and footnotes', () => {
    const message = shown(
      '| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n- [ ] open\n\nSee here[^1].\n\n[^1]: The note.',
    )
    expect(message.querySelectorAll('td')).toHaveLength(2)
    expect([...message.querySelectorAll('.md-task')].map((box) => box.getAttribute('aria-label'))).toEqual([
      'done',
      'open',
    ])
    expect(message.querySelector('section')?.textContent).toContain('The note.')
  })

  test('[U-72] a link defined at the end works in every part that names it', () => {
    const message = shown('See [the docs][d].\n\nAnd [again][d].\n\n[d]: https://docs.example/')
    expect([...message.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
      'https://docs.example/',
      'https://docs.example/',
    ])
  })

  test('[U-72] formulas in both ways of writing them become MathML, amounts of money do not', async () => {
    const message = shown('The sum $a^2$ and \\(b^2\\) but not `\\(c\\)`.\n\nIt costs $5 or $10.')
    await waitFor(() => expect(message.querySelectorAll('math')).toHaveLength(2))
    expect(message.textContent).toContain('\\(c\\)')
    expect(message.textContent).toContain('It costs $5 or $10.')
    expect(message.querySelector('[style], .katex-html')).toBeNull()
  })

  test('[U-251] HTML is text, whatever it claims to be', () => {
    const text =
      '<script>alert(1)</script>\n\nA <b onclick="x()">b</b> <img src=x onerror=y>\n\n<iframe src="//x"></iframe>'
    const message = shown(text)
    expect(message.querySelector('script, b, img, iframe')).toBeNull()
    expect(message.textContent).toContain('<script>alert(1)</script>')
    expect(message.textContent).toContain('<img src=x onerror=y>')
  })

  test('[U-75] only known kinds of links open, outside, and show where they lead', () => {
    const kinds = [
      'https://a.example/',
      'mailto:a@b.example',
      'herma:chat',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'data:text/html,x',
      '/local',
    ]
    const message = shown(kinds.map((target) => `[to](${target})`).join(' '))
    const links = [...message.querySelectorAll('a')]
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      'https://a.example/',
      'mailto:a@b.example',
      'herma:chat',
    ])
    expect(links.map(({ target, rel, title }) => [target, rel, title])).toEqual(
      links.map((link) => ['_blank', 'noreferrer noopener', link.getAttribute('href')]),
    )
  })

  test('[U-76] a remote picture is a link to it; nothing is fetched', () => {
    const message = shown('![a chart](https://a.example/c.png) ![](javascript:x) ![in](data:image/png;base64,AAAA)')
    expect([...message.querySelectorAll('img')].map((img) => [img.src, img.getAttribute('decoding')])).toEqual([
      ['data:image/png;base64,AAAA', 'async'],
    ])
    expect(message.querySelector('a.md-image')).toMatchObject({ href: 'https://a.example/c.png' })
    expect(message.querySelector('a.md-image')?.textContent).toBe('Image: a chart')
    expect(message.querySelectorAll('a')).toHaveLength(1)
  })

  test.each([
    ['a mix of marks', '**[a*`b_~'.repeat(1_700)],
    ['quotes in quotes', '>'.repeat(15_000)],
    ['short rows of a wide table', `|${'a|'.repeat(100)}\n|${'-|'.repeat(100)}\n${'|\n'.repeat(6_000)}`],
    ['a line without an end', 'x'.repeat(30_000)],
  ])('[U-226] hostile text (%s) never reaches the parser and is shown whole, with the reason', (_, text) => {
    const message = shown(text, true)
    expect(parsed).toEqual([])
    expect(message.querySelector('pre')?.textContent).toBe(text.trimEnd())
    expect(message.querySelector('.md-note')?.textContent).toContain('as it was written')
  })
})

describe('code', () => {
  const source = 'const a = 1  \n\n\t$ not a prompt\n'

  test('[U-73] copy gives the exact source, also while it streams, and inside of a list', async () => {
    shown(`\`\`\`ts\n${source}`, true)
    fireEvent.click(screen.getByRole('button', { name: 'Copy code' }))
    cleanup()
    shown(`\`\`\`ts\n${source}\n\`\`\``)
    fireEvent.click(screen.getByRole('button', { name: 'Copy code' }))
    cleanup()
    shown('- item\n\n  ```sh\n  ls  -la\n\n  pwd\n  ```')
    fireEvent.click(screen.getByRole('button', { name: 'Copy code' }))
    expect(copied).toEqual([source, source, 'ls  -la\n\npwd'])
    await screen.findByRole('button', { name: 'Copied' })
  })

  test('[U-73] language and wrap are there, and over 40 lines a finished block begins collapsed', () => {
    const lines = Array.from({ length: 45 }, (_, index) => `line ${index + 1}`)
    const message = shown(`\`\`\`py\n${lines.join('\n')}\n\`\`\``)
    const code = message.querySelector('pre')
    expect(message.querySelector('figcaption')?.textContent).toContain('py')
    expect(code?.textContent?.split('\n')).toHaveLength(40)
    fireEvent.click(screen.getByRole('button', { name: 'Show all 45 lines' }))
    expect(code?.textContent).toBe(lines.join('\n'))
    fireEvent.click(screen.getByRole('button', { name: 'Wrap lines' }))
    expect(message.querySelector('figure')?.dataset['wrap']).toBe('true')
  })
})

describe('output of a command', () => {
  test('[U-80] [U-251] keeps colours, shows the last 200 lines and says how many came before', () => {
    const text = Array.from({ length: 250 }, (_, index) => `\u001b[32mline ${index}\u001b[0m<b>`).join('\n')
    render(<AnsiOutput text={text} label="Output" />)
    const box = screen.getByRole('group', { name: 'Output' })
    expect(box.textContent).toMatch(/^… 50 earlier lines\nline 50<b>\n/)
    expect(box.querySelector('[data-fg]')?.getAttribute('data-fg')).toBe('ansi-green')
    expect(box.querySelector('b')).toBeNull()
  })
})
