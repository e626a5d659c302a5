/** What answers, and the keys: the same forms as on the first run. */
import { Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { ProviderInfo } from '../../../../shared/contract/index.ts'
import { modelWords } from '../../app/model-words.ts'
import { refusalOf, useCall, useModelOptions } from '../../client/queries.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { absoluteTime } from '../../ui/figures.ts'
import { notify, notifyRefusal } from '../../ui/notices.ts'
import { Problem } from '../../ui/problem.tsx'
import { Choice } from '../onboarding/choice.tsx'

const storageWords = {
  os: 'in the system’s secret store',
  memory: 'until Herma quits',
  file: 'in a file only you can read',
  environment: 'from the environment',
} as const

/** The provider that answers now, the keys that are set, and the way to another. */
export function ModelsPage(): ReactNode {
  const query = useModelOptions()
  const [changing, setChanging] = useState(false)
  if (query.isError)
    return (
      <Problem
        failed="The providers could not be read."
        next={refusalOf(query.error).next ?? refusalOf(query.error).message}
      />
    )
  const options = query.data
  if (options === undefined) return <div aria-busy className="min-h-[200px]" />
  const keys = options.providers.filter(({ key }) => key.state === 'set')
  const found = options.providers.filter(({ key }) => key.state === 'found_in_environment')
  return (
    <>
      <section aria-label="Answers now" className="flex flex-wrap items-center gap-12 border-b border-line pb-16">
        <div className="min-w-[200px] flex-1">
          <p className="m-0 text-13 font-medium">{modelWords(options.provider, options.model)}</p>
          <p className="m-0 text-12 text-text-3">
            {options.provider === 'demo' && options.chosen
              ? 'No key and no network; to see how everything works.'
              : options.chosen
                ? options.base_url
                : 'Nobody has chosen yet, so the scripted demo answers.'}
          </p>
        </div>
        <Button aria-expanded={changing} data-testid="change-model" onClick={() => setChanging(!changing)}>
          {changing ? 'Keep this one' : 'Change'}
        </Button>
      </section>
      {changing ? (
        <Choice
          onDone={() => {
            setChanging(false)
            notify({ tone: 'plain', title: 'The change takes effect with the next turn.' })
          }}
        />
      ) : null}
      <section aria-labelledby="keys" className="flex flex-col gap-8">
        <h3 id="keys" className="m-0 text-13 font-semibold">
          Keys
        </h3>
        {keys.length === 0 ? (
          <p className="m-0 text-13 text-text-2">No key is set. The demo and local servers need none.</p>
        ) : (
          <table className="facts">
            <thead>
              <tr>
                <th scope="col">Provider</th>
                <th scope="col">Key</th>
                <th scope="col">Kept</th>
                <th scope="col">Since</th>
                <th scope="col">
                  <span className="unseen">Remove</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {keys.map((provider) => (
                <KeyRow key={provider.name} provider={provider} />
              ))}
            </tbody>
          </table>
        )}
        {found.length === 0 ? null : (
          <p className="m-0 text-12 text-text-3">
            Found in the environment, not used: {found.map(({ display_name }) => display_name).join(', ')}. Choose the
            provider above to use one.
          </p>
        )}
      </section>
    </>
  )
}

function KeyRow({ provider }: { readonly provider: ProviderInfo }): ReactNode {
  const remove = useCall('credentials.remove')
  const { last_four, storage, set_at } = provider.key
  return (
    <tr>
      <td>{provider.display_name}</td>
      <td className="font-mono text-code">···· {last_four ?? ''}</td>
      <td>{storage === null ? '–' : storageWords[storage]}</td>
      <td>{set_at === null ? '–' : absoluteTime(set_at)}</td>
      <td>
        <IconButton
          icon={Trash2}
          label={`Remove the key of ${provider.display_name}`}
          disabled={remove.isPending}
          onClick={() =>
            remove.mutate(
              { provider: provider.name },
              { onError: (error) => notifyRefusal(refusalOf(error), 'The key stays as it was.') },
            )
          }
        />
      </td>
    </tr>
  )
}
