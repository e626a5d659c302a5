/** Every setting with its value and where the value comes from (U-198). To read; the file is the place to write. */
import { Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { ConfigEntry } from '../../../../shared/contract/index.ts'
import { refusalOf, useConfig } from '../../client/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Skeleton, useSlow } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'

/** A filter, notices about unknown or wrong entries, and the table. */
export function ConfigurationPage(): ReactNode {
  const config = useConfig()
  const [search, setSearch] = useState('')
  const slow = useSlow(config.isPending)
  if (config.isError)
    return (
      <Problem
        failed="The configuration could not be read."
        safe="Herma goes on with the values it has."
        next={refusalOf(config.error).next ?? refusalOf(config.error).message}
      />
    )
  if (config.data === undefined)
    return slow ? (
      <div className="flex flex-col gap-12" aria-busy>
        {['80%', '64%', '72%', '56%'].map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </div>
    ) : null
  const wanted = search.trim().toLowerCase()
  const shown = config.data.entries.filter(
    ({ key, value }) => wanted === '' || `${key} ${valueWords(value)}`.toLowerCase().includes(wanted),
  )
  return (
    <div className="flex flex-col gap-12">
      {config.data.notices.map((notice) => (
        <p key={notice} className="m-0 text-13 text-warning">
          {notice}
        </p>
      ))}
      <TextField
        label="Find a setting"
        hideLabel
        type="search"
        icon={Search}
        placeholder="Find a setting"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        {...(search === '' ? {} : { onEscape: () => setSearch('') })}
      />
      {shown.length === 0 ? (
        <p className="m-0 text-13 text-text-2">No setting matches “{search}”.</p>
      ) : (
        <table className="facts" data-testid="config-table">
          <thead>
            <tr>
              <th scope="col">Key</th>
              <th scope="col">Value</th>
              <th scope="col">Source</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((entry) => (
              <tr key={entry.key}>
                <td className="font-mono text-code">{entry.key}</td>
                <td className="font-mono text-code">{valueWords(entry.value)}</td>
                <td>{entry.source === 'default' ? 'default' : <Badge tone="accent">{entry.source}</Badge>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}

/** A value in one line; an unset one is a dash. */
export const valueWords = (value: ConfigEntry['value']): string =>
  value === null || value === '' ? '–' : typeof value === 'string' ? value : JSON.stringify(value)
