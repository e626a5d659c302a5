/** The least that draws Markdown: blocks by blank lines and fences, a few marks, no tree. The floor that ours is measured by. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const inline = (text: string): string =>
  escaped(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
    .replace(/\*([^*]+)\*/g, '<i>$1</i>')
    .replace(/\[([^\]]+)\]\((https:[^)]+)\)/g, '<a href="$2">$1</a>')

const cells = (row: string, tag: string): string =>
  `<tr>${row
    .split('|')
    .slice(1, -1)
    .map((cell) => `<${tag}>${inline(cell.trim())}</${tag}>`)
    .join('')}</tr>`

/** The HTML of one block. */
export function blockHtml(block: string): string {
  if (block.startsWith('```')) {
    const [head = '', ...lines] = block.split('\n')
    if (lines.at(-1)?.startsWith('```')) lines.pop()
    return `<figure><figcaption>${escaped(head.slice(3))}</figcaption><pre><code>${escaped(lines.join('\n'))}</code></pre></figure>`
  }
  if (block.startsWith('#')) return `<h2>${inline(block.replace(/^#+ /, ''))}</h2>`
  if (block.startsWith('- '))
    return `<ul>${block
      .split('\n')
      .map((line) => `<li>${inline(line.slice(2))}</li>`)
      .join('')}</ul>`
  if (block.startsWith('> ')) return `<blockquote><p>${inline(block.slice(2))}</p></blockquote>`
  if (block.startsWith('|')) {
    const [head = '', , ...rows] = block.split('\n')
    return `<table>${cells(head, 'th')}${rows.map((row) => cells(row, 'td')).join('')}</table>`
  }
  return `<p>${inline(block)}</p>`
}

/** Where the first block of `text` ends, after its blank line; -1 while it may still grow. */
export function endOfBlock(text: string): number {
  if (!text.startsWith('```')) {
    const end = text.indexOf('\n\n')
    return end === -1 ? -1 : end + 2
  }
  const close = text.indexOf('\n```\n')
  return close === -1 ? -1 : close + 6
}

/** The HTML of a whole text. */
export function textHtml(text: string): string {
  let html = ''
  for (let rest = text; rest !== ''; ) {
    const end = endOfBlock(rest)
    html += blockHtml((end === -1 ? rest : rest.slice(0, end)).trim())
    rest = end === -1 ? '' : rest.slice(end)
  }
  return html
}
