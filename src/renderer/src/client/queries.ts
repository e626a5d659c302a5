/**
 * Facts of the home as cached queries, keyed by contract method and params. Events say what to look at again; after a
 * reconnect everything is looked at again.
 */
import { QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { CallParams, HermaClient } from '../../../shared/client.ts'
import type { MethodName, Refusal, ResultOf } from '../../../shared/contract/index.ts'
import { useClient, useConnection, useEvents } from './client-context.tsx'

/** A refusal on its way through react-query, which knows thrown errors only. */
export class RefusalError extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.message)
    this.name = 'RefusalError'
    this.refusal = refusal
  }
}

/** The refusal behind an error of a query; anything else becomes `internal`. */
export const refusalOf = (error: unknown): Refusal =>
  error instanceof RefusalError
    ? error.refusal
    : { code: 'internal', message: error instanceof Error ? error.message : String(error), retry: false }

/** Calls and throws the refusal, for query functions. */
export async function callOrThrow<M extends MethodName>(
  client: HermaClient,
  method: M,
  params: CallParams<M>,
): Promise<ResultOf<M>> {
  const answer = await client.call(method, params)
  if (!answer.ok) throw new RefusalError(answer.refusal)
  return answer.value
}

/** `networkMode: 'always'`: the core is on this machine, whatever the browser thinks of the network. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        retry: (failures, error) => refusalOf(error).retry && failures < 3,
      },
      mutations: { networkMode: 'always' },
    },
  })

/** Query keys start with the method, so that one prefix names all its params. */
export const keyOf = <M extends MethodName>(method: M, params: CallParams<M>) => [method, params] as const

/** Health of the core. Read again on `gateway.ready` and when a turn starts or ends; never polled faster than 30 s. */
export function useHealth() {
  const client = useClient()
  return useQuery({
    queryKey: keyOf('health.get', {}),
    queryFn: () => callOrThrow(client, 'health.get', {}),
    refetchInterval: 30_000,
  })
}

/** Providers, the chosen one, and whether a person chose it. */
export function useModelOptions() {
  const client = useClient()
  return useQuery({
    queryKey: keyOf('model.options', {}),
    queryFn: () => callOrThrow(client, 'model.options', {}),
  })
}

/** The whole configuration with sources. */
export function useConfig() {
  const client = useClient()
  return useQuery({ queryKey: keyOf('config.get', {}), queryFn: () => callOrThrow(client, 'config.get', {}) })
}

/** A mutation by method name; on success the facts of the home are read again. */
export function useCall<M extends MethodName>(method: M) {
  const client = useClient()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (params: CallParams<M>) => callOrThrow(client, method, params),
    onSuccess: () => refreshHome(cache),
  })
}

/** Reads configuration, providers and health again where something shows them. */
export const refreshHome = (cache: QueryClient): Promise<void> =>
  cache.invalidateQueries({
    predicate: ({ queryKey }) => ['model.options', 'config.get', 'health.get'].includes(String(queryKey[0])),
  })

/** Once, in the shell: keeps the home's facts fresh by events and after reconnects. */
export function useFreshFacts(): void {
  const cache = useQueryClient()
  const { ups } = useConnection()
  const seen = useRef(ups)
  useEffect(() => {
    if (seen.current === ups) return
    seen.current = ups
    void cache.invalidateQueries()
  }, [ups, cache])
  useEvents((event) => {
    if (event.type === 'config.changed') void refreshHome(cache)
    else if (event.type === 'gateway.ready' || event.type === 'message.start' || event.type === 'message.complete')
      void cache.invalidateQueries({ queryKey: ['health.get'] })
  })
}
