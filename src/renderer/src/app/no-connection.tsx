/** The pages that stand in for the app when there is no core to show (connect.ts, transports.ts). */
import type { ReactNode } from 'react'
import { PROTOCOL } from '../../../shared/contract/index.ts'
import type { NoConnection } from '../client/connect.ts'
import { Button } from '../ui/button.tsx'

interface Words {
  readonly title: string
  readonly safe: string
  readonly next: string
  readonly reload: boolean
}

function wordsOf(problem: NoConnection): Words {
  switch (problem.kind) {
    case 'no-access':
      return {
        title: 'This page needs the address that Herma printed',
        safe: 'The address carries a key that lets only you in, and each start of Herma makes a new one. Nothing stored has changed.',
        next: 'Open the address in the terminal where Herma was started. It looks like http://127.0.0.1:PORT/#token=…',
        reload: false,
      }
    case 'other-protocol':
      return {
        title: 'This page and the core are of different versions',
        safe: `The page speaks protocol ${PROTOCOL}, the core ${problem.theirs}. Nothing has been sent, so nothing is lost.`,
        next: 'Reload to get the page that belongs to this core. If that does not help, quit Herma and start it again.',
        reload: true,
      }
    case 'unreachable':
      return {
        title: 'The core of Herma does not answer',
        safe: `What was stored is safe on disk. (${problem.detail})`,
        next: 'See whether Herma still runs in its terminal, then try again.',
        reload: true,
      }
  }
}

/** A whole page: what failed, what is still safe, what to do next. */
export function NoConnectionPage({ problem }: { readonly problem: NoConnection }): ReactNode {
  const words = wordsOf(problem)
  return (
    <main className="grid h-full place-items-center p-24" data-testid={`page-${problem.kind}`}>
      <div className="flex max-w-[520px] flex-col gap-12">
        <p className="m-0 text-13 font-semibold text-text-3">Herma</p>
        <h1 className="m-0 text-20 font-semibold">{words.title}</h1>
        <p className="m-0 text-14 leading-prose text-text-2">{words.safe}</p>
        <p className="m-0 text-14 leading-prose">{words.next}</p>
        {words.reload ? (
          <div>
            <Button look="primary" onClick={() => location.reload()}>
              Try again
            </Button>
          </div>
        ) : null}
      </div>
    </main>
  )
}
