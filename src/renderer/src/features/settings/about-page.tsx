/** Version, protocol, the state of the core, where keys go, and what the app has said in passing (U-208). */
import type { ReactNode } from 'react'
import { PROTOCOL } from '../../../../shared/contract/index.ts'
import { useInfo, useTransportKind } from '../../client/client-context.tsx'
import { useHealth } from '../../client/queries.ts'
import { absoluteTime, UNKNOWN } from '../../ui/figures.ts'
import { useNotices } from '../../ui/notices.ts'

/** Facts as a table, then the log of notices. */
export function AboutPage(): ReactNode {
  const info = useInfo()
  const kind = useTransportKind()
  const health = useHealth().data
  const notices = useNotices((state) => state.log)
  const facts: readonly (readonly [string, string])[] = [
    ['Version', info.version],
    ['Protocol', `${PROTOCOL}, the core speaks ${health?.protocol ?? UNKNOWN}`],
    ['Profile', info.profile],
    ['Home', health === undefined ? UNKNOWN : health.demo_home ? 'a demo home, removed with it' : 'your own'],
    ['Core', health === undefined ? UNKNOWN : `${health.state}${health.reason === null ? '' : `: ${health.reason}`}`],
    ['Core process', health?.epoch ?? UNKNOWN],
    ['Shown in', kind === 'ws' ? 'a browser tab' : 'the desktop window'],
    ['Platform', info.platform],
    ['Keys are kept', health?.key_storage.detail ?? UNKNOWN],
  ]
  return (
    <>
      <table className="facts" data-testid="about-facts">
        <tbody>
          {facts.map(([name, value]) => (
            <tr key={name}>
              <th scope="row" className="w-[160px]">
                {name}
              </th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <section aria-labelledby="notices" className="flex flex-col gap-8">
        <h3 id="notices" className="m-0 text-13 font-semibold">
          Notices of this window
        </h3>
        {notices.length === 0 ? (
          <p className="m-0 text-13 text-text-2">Nothing was said since the window opened.</p>
        ) : (
          <ol className="m-0 flex list-none flex-col gap-8 p-0 text-13">
            {notices.toReversed().map((notice) => (
              <li key={notice.id} className="flex gap-12">
                <time className="w-[136px] flex-none text-12 text-text-3">{absoluteTime(notice.at)}</time>
                <span className={notice.tone === 'failure' ? 'text-danger' : ''}>
                  {notice.title} {notice.safe} {notice.next}
                </span>
              </li>
            ))}
          </ol>
        )}
      </section>
    </>
  )
}
