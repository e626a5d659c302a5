// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { KeeperProvider } from '../../../src/renderer/src/app/kept-state.tsx'
import { NEW_CHAT, useNavigation, viewOf } from '../../../src/renderer/src/app/navigation.ts'
import { ClientProvider } from '../../../src/renderer/src/client/client-context.tsx'
import { createQueryClient } from '../../../src/renderer/src/client/queries.ts'
import type { ConnectionState, WatchedTransport } from '../../../src/renderer/src/client/transports.ts'
import { Composer } from '../../../src/renderer/src/features/composer/composer.tsx'
import { useDrafts } from '../../../src/renderer/src/features/composer/drafts.ts'
import { Outbox } from '../../../src/renderer/src/features/composer/outbox.tsx'
import { useRefusals, useResend, useSend } from '../../../src/renderer/src/features/composer/use-send.ts'
import { TipProvider } from '../../../src/renderer/src/ui/tooltip.tsx'
import { createClient } from '../../../src/shared/client.ts'
import type { ConversationId } from '../../../src/shared/ids.ts'
import { aRow, conversation } from './builders.ts'
import { info, ScriptedCore } from './scripted-core.ts'

afterEach(cleanup)
beforeEach(() => {
  localStorage.clear()
  useDrafts.setState({ byKey: {}, loaded: {} }, true)
  useRefusals.setState({ byKey: {} })
  useNavigation.setState({ views: [NEW_CHAT], at: 0 })
})

function Chat({ id, onRecall }: { readonly id: ConversationId | null; readonly onRecall: () => void }) {
  const sending = useSend(id)
  useResend()
  return (
    <>
      <Outbox conversation={id} sending={sending} />
      <Composer
        conversation={id}
        sending={sending}
        running={false}
        stopping={false}
        onStop={() => {}}
        onRecall={onRecall}
      />
    </>
  )
}

/** A chat over a scripted core; `reconnect` is a new connection. */
function aChat(id: ConversationId | null, core = new ScriptedCore()) {
  let state: ConnectionState = { state: 'up', ups: 1 }
  const watchers = new Set<() => void>()
  let recalls = 0
  const transport: WatchedTransport = {
    ...core.transport(),
    connection: () => state,
    watch(listener) {
      watchers.add(listener)
      return () => watchers.delete(listener)
    },
  }
  const connected = {
    kind: 'connected',
    info,
    transport,
    client: createClient(transport, info.profile as never),
  } as const
  const queries = createQueryClient()
  const tree = (front: ConversationId | null) => (
    <ClientProvider connected={connected}>
      <QueryClientProvider client={queries}>
        <KeeperProvider>
          <TipProvider>
            <Chat id={front} onRecall={() => void recalls++} />
          </TipProvider>
        </KeeperProvider>
      </QueryClientProvider>
    </ClientProvider>
  )
  const { rerender } = render(tree(id))
  return {
    core,
    box: () => screen.getByTestId<HTMLTextAreaElement>('composer'),
    type: (text: string) => fireEvent.change(screen.getByTestId('composer'), { target: { value: text } }),
    enter: (more: object = {}) => fireEvent.keyDown(screen.getByTestId('composer'), { key: 'Enter', ...more }),
    switchTo: (front: ConversationId | null) => rerender(tree(front)),
    async reconnect() {
      state = { state: 'up', ups: state.ups + 1 }
      await act(async () => {
        for (const watcher of watchers) watcher()
      })
    },
    recalls: () => recalls,
    submits: () => core.calls.filter(({ method }) => method === 'prompt.submit').map(({ params }) => params),
  }
}

const c1 = conversation('c1')
const c2 = conversation('c2')
const withChats = (): ScriptedCore => {
  const core = new ScriptedCore()
  core.rows = [aRow({ conversation_id: c1 }), aRow({ conversation_id: c2 })]
  return core
}

describe('[U-45] Enter', () => {
  test('sends the text once and empties the composer', async () => {
    const chat = aChat(c1, withChats())
    chat.type('hello')
    chat.enter()
    await waitFor(() => expect(chat.submits()).toMatchObject([{ text: 'hello', conversation_id: c1 }]))
    expect(chat.box().value).toBe('')
  })

  test('commits text and does not send while an input method composes', async () => {
    const chat = aChat(c1, withChats())
    chat.type('にほん')
    chat.enter({ isComposing: true })
    chat.enter({ keyCode: 229 })
    fireEvent.compositionEnd(chat.box())
    chat.enter()
    expect(chat.submits()).toEqual([])
    expect(chat.box().value).toBe('にほん')
  })

  test('with Shift leaves the key to the text area', () => {
    const chat = aChat(c1, withChats())
    chat.type('hello')
    expect(chat.enter({ shiftKey: true })).toBe(true)
    expect(chat.submits()).toEqual([])
  })

  test('[U-53] with nothing but white space does nothing and says nothing', () => {
    const chat = aChat(c1, withChats())
    chat.type(' \n ')
    chat.enter()
    expect(chat.submits()).toEqual([])
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('[U-53] with an over-long text says why and by how much, and keeps the text', () => {
    const chat = aChat(c1, withChats())
    chat.type('x'.repeat(1_000_002))
    chat.enter()
    expect(screen.getByTestId('composer-problem').textContent).toContain('2 more')
    expect(chat.box().value).toHaveLength(1_000_002)
    expect(chat.submits()).toEqual([])
  })
})

describe('[U-02] a message whose connection broke', () => {
  test('is sent again after the reconnect under the same request id, by itself', async () => {
    const chat = aChat(c1, withChats())
    chat.core.once('prompt.submit', () => ({ drop: true }))
    chat.type('hello')
    chat.enter()
    await waitFor(() => expect(screen.getByTestId('outbox-row').dataset['state']).toBe('waiting'))

    await chat.reconnect()

    await waitFor(() => expect(screen.queryByTestId('outbox-row')).toBeNull())
    const [first, second] = chat.submits()
    expect(second).toEqual(first)
    expect(chat.box().value).toBe('')
  })

  test('makes one chat, not two, when it was the first of a new one', async () => {
    const chat = aChat(null)
    chat.core.once('session.create', () => ({ drop: true }))
    chat.type('hello')
    chat.enter()
    await waitFor(() => expect(screen.getByTestId('outbox-row').dataset['state']).toBe('waiting'))

    await chat.reconnect()

    await waitFor(() => expect(chat.submits()).toHaveLength(1))
    const [first, second] = chat.core.calls.filter(({ method }) => method === 'session.create')
    expect(second?.params).toEqual(first?.params)
    expect(chat.core.rows).toHaveLength(1)
  })
})

describe('[U-53] the first message', () => {
  test('creates the chat, submits to it, and the view becomes that chat', async () => {
    const chat = aChat(null)
    chat.type('hello')
    chat.enter()
    await waitFor(() => expect(chat.submits()).toHaveLength(1))
    const made = chat.core.rows[0]?.conversation_id
    expect(chat.submits()[0]).toMatchObject({ conversation_id: made, text: 'hello' })
    expect(viewOf(useNavigation.getState())).toEqual({ kind: 'chat', conversation: made })
  })

  test('[U-05] does not pull back a person who has moved on meanwhile', async () => {
    const chat = aChat(null)
    chat.type('hello')
    chat.enter()
    useNavigation.getState().go({ kind: 'settings', page: 'general' })
    await waitFor(() => expect(chat.submits()).toHaveLength(1))
    expect(viewOf(useNavigation.getState())).toEqual({ kind: 'settings', page: 'general' })
  })
})

const full = { code: 'db_full', message: 'The disk is full.', next: 'Free some space.', retry: true } as const

describe('[U-54] a refused message', () => {
  test('is back in the composer', async () => {
    const chat = aChat(c1, withChats())
    chat.core.once('prompt.submit', () => ({ refusal: full }))
    chat.type('hello')
    chat.enter()
    await waitFor(() => expect(chat.box().value).toBe('hello'))
    expect(useRefusals.getState().byKey[c1]).toMatchObject({ code: 'db_full' })
  })

  test('stays beside a newer text with *Restore*', async () => {
    const chat = aChat(c1, withChats())
    let refuse = (): void => {}
    chat.core.once('prompt.submit', async () => {
      await new Promise<void>((resolve) => {
        refuse = resolve
      })
      return { refusal: full }
    })
    chat.type('hello')
    chat.enter()
    chat.type('something new')
    await waitFor(() => expect(chat.submits()).toHaveLength(1))
    refuse()

    const restore = await screen.findByTestId('restore')
    expect(chat.box().value).toBe('something new')
    expect(screen.getByTestId('outbox-row').textContent).toContain('The disk is full.')

    fireEvent.click(restore)
    expect(chat.box().value).toBe('hello\n\nsomething new')
    expect(screen.queryByTestId('outbox-row')).toBeNull()
  })
})

describe('[U-46] drafts', () => {
  test('are kept per chat, and each comes back when its chat does', async () => {
    const chat = aChat(c1, withChats())
    chat.type('for the first')
    chat.switchTo(c2)
    expect(chat.box().value).toBe('')
    chat.type('for the second')
    chat.switchTo(null)
    chat.type('for a new one')

    chat.switchTo(c1)
    expect(chat.box().value).toBe('for the first')
    chat.switchTo(c2)
    expect(chat.box().value).toBe('for the second')
    chat.switchTo(null)
    expect(chat.box().value).toBe('for a new one')
  })

  test('are on disk at once after a switch', async () => {
    const chat = aChat(c1, withChats())
    chat.type('for the first')
    chat.switchTo(c2)
    await waitFor(() => expect(chat.core.uiState.get('draft:c1')).toMatchObject({ text: 'for the first' }))
  })

  test.each(['blur', 'pagehide', 'beforeunload'])('are on disk at once on %s', async (moment) => {
    const chat = aChat(c1, withChats())
    chat.type('half a sentence')
    window.dispatchEvent(new Event(moment))
    await waitFor(() => expect(chat.core.uiState.get('draft:c1')).toMatchObject({ text: 'half a sentence' }))
  })

  test('that the disk never got are found again by the next window, and brought to disk', async () => {
    const lost = aChat(c1, withChats())
    for (let i = 0; i < 9; i++) lost.core.once('ui_state.set', () => ({ drop: true }))
    lost.type('typed while the core was away')
    window.dispatchEvent(new Event('pagehide'))
    cleanup()
    useDrafts.setState({ byKey: {}, loaded: {} }, true)

    const next = aChat(c1, withChats())
    await waitFor(() => expect(next.box().value).toBe('typed while the core was away'))
    await waitFor(() =>
      expect(next.core.uiState.get('draft:c1')).toMatchObject({ text: 'typed while the core was away' }),
    )
  })

  test('are read from disk when the chat is first opened', async () => {
    const core = withChats()
    core.uiState.set('draft:c1', { text: 'from before', sends: [] })
    const chat = aChat(c1, core)
    await waitFor(() => expect(chat.box().value).toBe('from before'))
  })

  test('leave the disk when the core accepted the message, and not before', async () => {
    const chat = aChat(c1, withChats())
    let accept = (): void => {}
    chat.core.once('prompt.submit', async () => {
      await new Promise<void>((resolve) => {
        accept = resolve
      })
      return undefined
    })
    chat.type('hello')
    chat.enter()
    await waitFor(() => expect(chat.submits()).toHaveLength(1))
    expect(chat.core.uiState.get('draft:c1')).toMatchObject({ text: '', sends: [{ text: 'hello' }] })

    accept()
    await waitFor(() => expect(chat.core.uiState.has('draft:c1')).toBe(false))
  })

  test('of a window that died while sending come back as not confirmed and act once when sent again', async () => {
    const core = withChats()
    core.uiState.set('draft:c1', { text: '', sends: [{ request: 'r1', create: null, text: 'hello', at: 1 }] })
    const chat = aChat(c1, core)
    const row = await screen.findByTestId('outbox-row')
    expect(row.dataset['state']).toBe('unconfirmed')
    expect(chat.submits()).toEqual([])

    fireEvent.click(screen.getByTestId('send-again'))
    await waitFor(() => expect(chat.submits()).toMatchObject([{ request_id: 'r1', text: 'hello' }]))
  })
})

describe('[U-51] Up', () => {
  test('in an empty composer asks for the last message, in a filled one moves the caret', () => {
    const chat = aChat(c1, withChats())
    fireEvent.keyDown(chat.box(), { key: 'ArrowUp' })
    expect(chat.recalls()).toBe(1)

    chat.type('something')
    fireEvent.keyDown(chat.box(), { key: 'ArrowUp' })
    expect(chat.recalls()).toBe(1)
  })
})
