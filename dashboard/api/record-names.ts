// Names of records that others refer to: asked for one by one, fetched together.
import { queryOptions } from '@tanstack/react-query'
import { organizationPath, request } from './client.ts'

interface RecordRef {
  objectId: string
  recordId: string
}

interface Waiting extends RecordRef {
  resolve(name: string | null): void
  reject(error: unknown): void
}

const AT_ONCE = 500
const GATHER_MS = 5
const waiting = new Map<string, Waiting[]>()

async function fetchNames(org: string, refs: readonly RecordRef[]): Promise<Map<string, string>> {
  const { names } = await request<{ names: (RecordRef & { name: string })[] }>(
    'POST',
    `${organizationPath(org)}/record-names`,
    { body: { refs: refs.map(({ objectId, recordId }) => ({ objectId, recordId })) } },
  )
  return new Map(names.map(({ recordId, name }) => [recordId, name]))
}

async function answer(org: string, asked: readonly Waiting[]): Promise<void> {
  try {
    const names = await fetchNames(org, asked)
    for (const one of asked) one.resolve(names.get(one.recordId) ?? null)
  } catch (error) {
    for (const one of asked) one.reject(error)
  }
}

function flush(org: string): void {
  const asked = waiting.get(org) ?? []
  waiting.delete(org)
  for (let at = 0; at < asked.length; at += AT_ONCE) void answer(org, asked.slice(at, at + AT_ONCE))
}

function ask(org: string, ref: RecordRef): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const others = waiting.get(org)
    if (others) others.push({ ...ref, resolve, reject })
    else {
      waiting.set(org, [{ ...ref, resolve, reject }])
      setTimeout(flush, GATHER_MS, org)
    }
  })
}

/** null: the record is gone. */
export const recordNameQuery = (org: string, ref: RecordRef) =>
  queryOptions({
    queryKey: [org, 'record-name', ref.recordId],
    queryFn: () => ask(org, ref),
    staleTime: 60_000,
  })
