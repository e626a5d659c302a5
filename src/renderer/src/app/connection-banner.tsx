/** What stands between title bar and views while something is wrong with the core (U-207, U-211, U-212). */
import type { ReactNode } from 'react'
import type { ResultOf } from '../../../shared/contract/index.ts'
import { useConnection } from '../client/client-context.tsx'
import { useHealth } from '../client/queries.ts'
import { Button } from '../ui/button.tsx'
import { useSlow } from '../ui/skeleton.tsx'
import { Mark } from '../ui/state-mark.tsx'

interface Words {
  readonly failed: string
  readonly safe: string
  readonly next: string
}

/** The sentence for the state the core is in, or null when all is well. */
export function coreTrouble(health: ResultOf<'health.get'> | undefined): Words | null {
  switch (health?.state) {
    case undefined:
    case 'ready':
    case 'starting':
      return null
    case 'degraded':
      return {
        failed: health.reason ?? 'The core reports a fault.',
        safe: 'What was stored before stays readable; drafts stay in this window.',
        next: 'New messages are refused until it is mended.',
      }
    case 'stopped':
      return {
        failed: health.reason ?? 'The core has stopped.',
        safe: 'Everything that was accepted is stored.',
        next: 'Start Herma again to go on.',
      }
  }
}

/** One line, in words; silent when all is well. A break under 150 ms is not worth a word. */
export function TroubleBanner(): ReactNode {
  const connection = useConnection()
  const trouble = coreTrouble(useHealth().data)
  const down = useSlow(connection.state === 'down' && connection.ups > 0)
  if (down)
    return (
      <Line
        words={{
          failed: 'The connection to the core is lost.',
          safe: 'Nothing that was accepted is lost, and you can go on typing.',
          next: 'It is tried again by itself.',
        }}
      />
    )
  if (connection.state === 'shut-out')
    return (
      <Line
        words={{
          failed: 'Herma was started again and has a new address.',
          safe: 'What was accepted is stored, and what you have typed stays here.',
          next: 'Open the address it printed, in this tab.',
        }}
      />
    )
  if (connection.state === 'other-protocol')
    return (
      <Line
        words={{
          failed: 'Herma was updated while this page was open.',
          safe: 'What was accepted is stored, and drafts are kept.',
          next: 'Load the page again to go on.',
        }}
        action={
          <Button size="small" onClick={() => location.reload()}>
            Load again
          </Button>
        }
      />
    )
  return trouble === null ? null : <Line words={trouble} />
}

function Line({ words, action }: { readonly words: Words; readonly action?: ReactNode }): ReactNode {
  return (
    <div
      role="alert"
      data-testid="core-trouble"
      className="[grid-area:notice] flex min-h-28 flex-wrap items-center gap-x-8 border-y border-line bg-sunken px-16 py-4 text-12"
    >
      <Mark shape="triangle" colour="danger" />
      <strong className="font-semibold">{words.failed}</strong>
      <span className="text-text-2">{words.safe}</span>
      <span className="text-text-2">{words.next}</span>
      {action}
    </div>
  )
}
