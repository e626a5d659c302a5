import type { Story } from '../story.ts'

/** A provider that fails: with a status before any text, or by hanging up behind half a sentence. */
export const failing: Story = {
  name: 'failing',
  matches: ({ prompt }) =>
    prompt.length < 200 &&
    (/\b(?:show|see|try|give|make|cause|fake)\b[^.]*\b(?:errors?|failures?)\b|^\W*(?:error|fail(?:ure)?)\W*$|\b(?:drop|cut|lose)\b[^.]*\bconnection/i.test(
      prompt,
    ) ||
      /(?:看|演示|显示|模拟|出).{0,6}(?:错误|失败|报错)|断开连接/.test(prompt)),
  reply({ prompt, language }) {
    if (!/connection|mid|half|drop|cut|断开|中途/i.test(prompt)) return { text: '', calls: [], ending: 500 }
    return {
      text:
        language === 'zh'
          ? '这段回答会在中途断开，已经收到的文字会保留下来。你现在看到的'
          : 'This answer breaks off in the middle, and what has arrived is kept. The words you are reading',
      calls: [],
      ending: 'cut',
    }
  },
}
