import { recordResults } from '../../../src/main/sessions/index.ts'
import type { ConversationId } from '../../../src/shared/ids.ts'
import {
  aCall,
  aConversation,
  anOutcome,
  answered,
  aStartedTurn,
  aStore,
  type Bench,
} from '../../support/session-store.ts'
import { tempFolder } from '../../support/temp-home.ts'

/** A home in which an authority lives: its database is open while the verbs read. */
export async function aLivingHome(): Promise<{
  bench: Bench
  home: string
  talk: (title: string, text: string) => Promise<ConversationId>
}> {
  const home = tempFolder()
  const bench = await aStore(home)
  const talk = async (title: string, text: string): Promise<ConversationId> => {
    const conversation = await aConversation(bench, title)
    const lease = await aStartedTurn(bench, conversation, text)
    const uid = await answered(bench, lease, 'I look.', [aCall('c1', 'todo_list')])
    await bench.store.write('result', 'routine', (db) =>
      recordResults(db, lease, uid, [{ callIndex: 0, outcome: anOutcome('{"revision":7}') }], bench.clock.now()),
    )
    await answered(bench, lease, `Answer to ${text}`)
    await bench.clock.advance(60_000)
    return conversation
  }
  return { bench, home, talk }
}
