// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ClientProvider } from '../../../src/renderer/src/client/client-context.tsx'
import { ApprovalDock } from '../../../src/renderer/src/features/approvals/approval-dock.tsx'
import { approvalLine } from '../../../src/renderer/src/features/transcript/tool-row.tsx'
import { useNotices } from '../../../src/renderer/src/ui/notices.ts'
import { TipProvider } from '../../../src/renderer/src/ui/tooltip.tsx'
import { createClient } from '../../../src/shared/client.ts'
import type { ApprovalRequest } from '../../../src/shared/contract/index.ts'
import { info, ScriptedCore } from '../frame/scripted-core.ts'
import { aQuestion } from './builders.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 })
  useNotices.setState({ log: [], shown: [] })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

/** The dock over a scripted core, beside a text field that has the focus. */
function aDock(requests: readonly ApprovalRequest[], core = new ScriptedCore()) {
  const transport = {
    ...core.transport(),
    connection: () => ({ state: 'up', ups: 1 }) as const,
    watch: () => () => {},
  }
  const connected = {
    kind: 'connected',
    info,
    transport,
    client: createClient(transport, info.profile as never),
  } as const
  const tree = (now: readonly ApprovalRequest[]) => (
    <ClientProvider connected={connected as never}>
      <TipProvider>
        <ApprovalDock requests={now} />
        <textarea aria-label="Message" />
      </TipProvider>
    </ClientProvider>
  )
  const { rerender } = render(tree([]))
  screen.getByLabelText('Message').focus()
  rerender(tree(requests))
  return {
    core,
    show: (now: readonly ApprovalRequest[]) => rerender(tree(now)),
    wait: (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms)),
    given: () => core.calls.filter(({ method }) => method === 'approval.respond').map(({ params }) => params),
    press: async (id: string) => {
      fireEvent.click(screen.getByTestId(id))
      await act(() => vi.advanceTimersByTimeAsync(0))
    },
    key: async (key: string, target: HTMLElement = screen.getByTestId('approval'), more = {}) => {
      fireEvent.keyDown(target, { key, ...more })
      await act(() => vi.advanceTimersByTimeAsync(0))
    },
  }
}
const awake = async (requests: readonly ApprovalRequest[] = [aQuestion()], core?: ScriptedCore) => {
  const dock = aDock(requests, core)
  await dock.wait(400)
  return dock
}

describe('the card', () => {
  test('[U-94] shows the whole command, where it would run, why it was stopped and the time that is left', async () => {
    const subject = `rm -rf ${'x'.repeat(5_000)}`
    const dock = aDock([aQuestion({ subject })])
    const card = screen.getByTestId('approval')
    expect(screen.getByRole('group', { name: 'What would run' }).textContent).toBe(subject)
    for (const words of ['Allow this command?', 'It deletes files.', '/home/ada/shop', '5:00 left, then no'])
      expect(card.textContent).toContain(words)
    await dock.wait(61_000)
    expect(card.textContent).toContain('3:59 left')
  })

  test('[U-99] the first of several is shown with its place, the next when it is gone', () => {
    const dock = aDock([aQuestion(), aQuestion({ request_id: 'r2', subject: 'dd if=/dev/zero' })])
    expect(screen.getByTestId('approval').textContent).toContain('1 of 2')
    dock.show([aQuestion({ request_id: 'r2', subject: 'dd if=/dev/zero' })])
    expect(screen.getByTestId('approval').textContent).toContain('dd if=/dev/zero')
    expect(screen.getByTestId('approval').textContent).not.toContain('of 2')
  })
})

describe('answers', () => {
  test.each([
    ['approve-once', 'once'],
    ['approve-session', 'session'],
    ['deny', 'deny'],
  ])('[U-95] %s answers %s, once', async (button, choice) => {
    const dock = await awake()
    await dock.press(button)
    await dock.press(button)
    expect(dock.given()).toEqual([expect.objectContaining({ request_id: 'r1', choice })])
  })

  test('[U-95] always shows the rule that it would store and needs a second press', async () => {
    const dock = await awake()
    await dock.press('approve-always')
    expect(dock.given()).toEqual([])
    expect(screen.getByRole('status').textContent).toContain('terminal: rm -rf build')
    await dock.press('approve-always')
    expect(dock.given()).toEqual([expect.objectContaining({ choice: 'always' })])
  })

  test('[U-95] always is not offered where there is no rule to store', async () => {
    await awake([aQuestion({ always_rule: null })])
    expect(screen.queryByTestId('approve-always')).toBeNull()
  })

  test('[U-95] a no can carry a note to the model; a yes never does', async () => {
    const dock = await awake()
    fireEvent.click(screen.getByRole('button', { name: 'Deny with a note…' }))
    const field = screen.getByLabelText('Note to the model')
    fireEvent.change(field, { target: { value: '  use git clean ' } })
    await dock.key('d', field)
    expect(dock.given()).toEqual([])
    await dock.key('Enter', field)
    expect(dock.given()).toEqual([expect.objectContaining({ choice: 'deny', note: 'use git clean' })])
  })

  test('[U-100] a late answer is told what was answered first, and nothing else happens', async () => {
    const core = new ScriptedCore()
    core.once('approval.respond', () => ({
      refusal: { code: 'expired', message: 'This was already answered: denied.', retry: false },
    }))
    const dock = await awake([aQuestion()], core)
    await dock.press('approve-once')
    expect(useNotices.getState().shown.map(({ title }) => title)).toEqual(['This was already answered: denied.'])
  })
})

describe('what never answers', () => {
  test('[U-96] arrival leaves the focus where it is, and for 400 ms no press or key counts', async () => {
    const dock = aDock([aQuestion()])
    expect(document.activeElement).toBe(screen.getByLabelText('Message'))
    const tryAll = async (): Promise<void> => {
      for (const id of ['approve-once', 'approve-session', 'approve-always', 'approve-always', 'deny'])
        await dock.press(id)
      for (const key of ['a', 's', 'd']) await dock.key(key)
    }
    await tryAll()
    await dock.wait(399)
    await tryAll()
    expect(dock.given()).toEqual([])
    expect(screen.queryByRole('status')).toBeNull()
    await dock.wait(1)
    await dock.press('approve-once')
    expect(dock.given()).toHaveLength(1)
  })

  test('[U-96] each question is deaf anew when it takes the place of the one before', async () => {
    const second = aQuestion({ request_id: 'r2' })
    const dock = await awake([aQuestion(), second])
    dock.show([second])
    await dock.press('approve-once')
    expect(dock.given()).toEqual([])
    await dock.wait(400)
    await dock.press('approve-once')
    expect(dock.given()).toEqual([expect.objectContaining({ request_id: 'r2' })])
  })

  test('[U-96] A, S and D count only inside the card, not with Ctrl and not while held down', async () => {
    const dock = await awake()
    await dock.key('a', screen.getByLabelText('Message'))
    await dock.key('a', screen.getByTestId('approval'), { ctrlKey: true })
    await dock.key('a', screen.getByTestId('approval'), { repeat: true })
    expect(dock.given()).toEqual([])
    await dock.key('S')
    expect(dock.given()).toEqual([expect.objectContaining({ choice: 'session' })])
  })

  test('[U-97] Escape, scrolling, leaving the chat and time running out on screen are no answer', async () => {
    const dock = await awake()
    await dock.key('Escape')
    fireEvent.scroll(screen.getByRole('group', { name: 'What would run' }))
    await dock.wait(600_000)
    expect(screen.getByTestId('approval').textContent).toContain('0:00 left')
    dock.show([])
    cleanup()
    expect(dock.given()).toEqual([])
  })
})

describe('the line that stays', () => {
  const at = 1_700_000_000_000
  test('[U-98] [U-97] says the choice and how it came; denied, expired and stopped are three', () => {
    const lines = [
      approvalLine({ choice: 'once', by: 'person', at, reason: 'It deletes.' }),
      approvalLine({ choice: 'always', by: 'rule', at, reason: 'It deletes.' }),
      approvalLine({ choice: 'deny', by: 'person', at, reason: 'It deletes.', note: 'use git clean' }),
      approvalLine({ choice: 'deny', by: 'expiry', at, reason: 'It deletes.' }),
      approvalLine({ choice: 'deny', by: 'interrupt', at, reason: 'It deletes.' }),
    ]
    expect(lines[0]).toMatch(/^Allowed once by you, .*\(It deletes\.\)$/)
    expect(lines[1]).toMatch(/^Always allowed by a stored rule/)
    expect(lines[2]).toContain('“use git clean”')
    expect(lines[3]).toMatch(/^Denied because nobody answered in time/)
    expect(lines[4]).toMatch(/^Denied because the turn was stopped/)
    expect(new Set(lines).size).toBe(5)
  })
})
