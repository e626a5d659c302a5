/**
 * Syntax colours off the main thread (U-74). Tokens carry CSS variables, so a change of theme recolours without work here.
 * Languages load on first use; the JavaScript engine needs no wasm, so the content policy holds.
 */
import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'

const languages = {
  bash: () => import('@shikijs/langs/bash'),
  c: () => import('@shikijs/langs/c'),
  cpp: () => import('@shikijs/langs/cpp'),
  csharp: () => import('@shikijs/langs/csharp'),
  css: () => import('@shikijs/langs/css'),
  diff: () => import('@shikijs/langs/diff'),
  dockerfile: () => import('@shikijs/langs/dockerfile'),
  go: () => import('@shikijs/langs/go'),
  html: () => import('@shikijs/langs/html'),
  ini: () => import('@shikijs/langs/ini'),
  java: () => import('@shikijs/langs/java'),
  javascript: () => import('@shikijs/langs/javascript'),
  json: () => import('@shikijs/langs/json'),
  jsx: () => import('@shikijs/langs/jsx'),
  kotlin: () => import('@shikijs/langs/kotlin'),
  lua: () => import('@shikijs/langs/lua'),
  markdown: () => import('@shikijs/langs/markdown'),
  php: () => import('@shikijs/langs/php'),
  python: () => import('@shikijs/langs/python'),
  ruby: () => import('@shikijs/langs/ruby'),
  rust: () => import('@shikijs/langs/rust'),
  sql: () => import('@shikijs/langs/sql'),
  swift: () => import('@shikijs/langs/swift'),
  toml: () => import('@shikijs/langs/toml'),
  tsx: () => import('@shikijs/langs/tsx'),
  typescript: () => import('@shikijs/langs/typescript'),
  xml: () => import('@shikijs/langs/xml'),
  yaml: () => import('@shikijs/langs/yaml'),
} as const
type Language = keyof typeof languages

const ALIASES: Readonly<Record<string, Language>> = {
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  console: 'bash',
  'c++': 'cpp',
  cs: 'csharp',
  js: 'javascript',
  mjs: 'javascript',
  ts: 'typescript',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  yml: 'yaml',
  md: 'markdown',
  patch: 'diff',
  golang: 'go',
  jsonc: 'json',
}

const theme = createCssVariablesTheme({ name: 'herma', variablePrefix: '--code-', fontStyle: false })
/**
 * The first line of a language also compiles its grammar. With the library's own limit (500 ms a line) a slow machine got that
 * line in one wrong colour; nobody waits for this thread, so it may take its time.
 */
const LIMITS = { tokenizeTimeLimit: 10_000, tokenizeMaxLineLength: 2_000 } as const
let core: Promise<HighlighterCore> | null = null
const loaded = new Set<Language>()

async function colour(name: string, text: string) {
  const typed = name.toLowerCase()
  const language = ALIASES[typed] ?? (Object.hasOwn(languages, typed) ? (typed as Language) : null)
  if (language === null) return null
  core ??= createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
  const highlighter = await core
  if (!loaded.has(language)) {
    await highlighter.loadLanguage((await languages[language]()).default)
    loaded.add(language)
  }
  const { tokens } = highlighter.codeToTokens(text, { lang: language, theme: 'herma', ...LIMITS })
  return tokens.map((line) => line.map((token) => ({ text: token.content, colour: token.color ?? null })))
}

self.addEventListener('message', ({ data }: MessageEvent<{ id: number; language: string; text: string }>) => {
  void colour(data.language, data.text).then(
    (lines) => self.postMessage({ id: data.id, lines }),
    // A grammar that fails leaves the block plain; the text itself is never at risk.
    () => self.postMessage({ id: data.id, lines: null }),
  )
})
