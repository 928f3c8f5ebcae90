// Names of records that others refer to: asked for one by one, fetched together.
import { queryOptions } from '@tanstack/react-query'
import { request } from './client.ts'
import { gathering } from './gather.ts'

interface RecordRef {
  objectId: string
  recordId: string
}

async function fetchNames(org: string, refs: readonly RecordRef[]): Promise<Map<string, string>> {
  const { names } = await request('POST /record-names', {
    org,
    body: { refs: refs.map(({ objectId, recordId }) => ({ objectId, recordId })) },
  })
  return new Map(names.map(({ recordId, name }) => [recordId, name]))
}

const ask = gathering(fetchNames, ({ recordId }) => recordId)

/** Every name is under this key. */
export const recordNamesKey = (org: string) => [org, 'record-name'] as const

/** null: the record is gone. */
export const recordNameQuery = (org: string, ref: RecordRef) =>
  queryOptions({
    queryKey: [...recordNamesKey(org), ref.recordId],
    queryFn: () => ask(org, ref),
    staleTime: 60_000,
  })
