/** Some pages on how this app keeps its word, with code in many languages: for scrolling, highlighting and stopping. */
import { answer, type Language, type Story } from '../story.ts'
import { CHAPTERS } from './long-chapters.ts'

export const long: Story = {
  name: 'long',
  matches: ({ prompt }) =>
    prompt.length < 400 &&
    /\blong(?:er)? (?:answer|text|story|reply)|\b(?:in detail|essay)\b|^\W*long\W*$|长(?:回答|文|一点|篇)|详细/i.test(
      prompt,
    ),
  reply: ({ language }) => answer(book(language)),
}

const FRAME: Readonly<Record<Language, readonly [opening: string, closing: string]>> = {
  en: [
    '# How Herma keeps a conversation\n\nThis is a prepared text from the demo script. You can stop it at any moment: what has arrived stays.',
    '---\n\nThat was the long answer. Send **run a command** to see the tools at work.\n',
  ],
  zh: [
    '# Herma 如何保存一段对话\n\n这是演示脚本里预先写好的文字。你可以随时停止，已经收到的内容会保留。',
    '---\n\n长回答到此结束。发送 **运行命令** 可以看看工具如何工作。\n',
  ],
}

function book(language: Language): string {
  const [opening, closing] = FRAME[language]
  const chapters = CHAPTERS.map(({ title, prose, code }, index) => {
    const at = language === 'en' ? 0 : 1
    const sample = code === null ? '' : `\n\n\`\`\`${code.language}\n${code.text}\n\`\`\``
    return `## ${index + 1}. ${title[at]}\n\n${prose[at]}${sample}`
  })
  return [opening, ...chapters, closing].join('\n\n')
}
