import { previewOf } from '../../../../shared/text.ts'
import { answer, type Story } from '../story.ts'

/** A request without tools that asks for a summary: compression and the end of a budget both come as one. */
export const summary: Story = {
  name: 'summary',
  matches: ({ tools, messages, message: asked }) =>
    tools.length === 0 &&
    (/\bsummar(?:y|i[sz]e)|总结|摘要/i.test(asked) ||
      messages.some((message) => message.role === 'system' && /\bsummar(?:y|i[sz]e|i[sz]er)\b/i.test(message.content))),
  reply({ messages, language }) {
    const asked = messages.filter((message) => message.role === 'user').slice(0, -1)
    const lines = asked.slice(-8).map((message) => `- ${previewOf(message.content, 120)}`)
    const used = [...new Set(messages.flatMap((message) => message.calls.map((call) => call.name)))]
    return answer(
      language === 'zh'
        ? `## 摘要（脚本生成）\n\n用户依次提出：\n${lines.join('\n') || '- （无）'}\n\n使用过的工具：${used.join('、') || '无'}。`
        : `## Summary (written by the demo script)\n\nThe user asked, in order:\n${lines.join('\n') || '- (nothing)'}\n\nTools used: ${used.join(', ') || 'none'}.`,
    )
  },
}
