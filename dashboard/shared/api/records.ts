// Records of an object.
import { queryOptions } from '@tanstack/react-query'
import type { BulkResult, BulkRow, CrmRecord, SearchBody } from '../../../contract/records.ts'
import { request, requestWithEtag } from './client.ts'
import { latestRecords } from './held-records.ts'
import { wholePage } from './whole-page.ts'

export type { CrmRecord, SearchBody }
export type RecordData = Record<string, unknown>

/** The query key of all data about an object's records: a change invalidates all of it. */
export const recordsKey = (org: string, object: string) => [org, 'records', object] as const

export const searchRecords = (org: string, object: string, body: SearchBody, signal?: AbortSignal) =>
  request('POST /objects/:objectId/records/search', { org, params: { objectId: object }, body, signal })

/** Like searchRecords, but returns as many records as requested (whole-page.ts). */
const searchPage = async (org: string, object: string, body: SearchBody, signal: AbortSignal) =>
  wholePage(await searchRecords(org, object, body, signal), body, (rest) =>
    searchRecords(org, object, rest, signal),
  )

/** A page of records. */
export const searchQuery = (org: string, object: string, body: SearchBody) =>
  queryOptions({
    queryKey: [...recordsKey(org, object), 'search', body],
    queryFn: ({ signal }) => searchPage(org, object, body, signal),
    structuralSharing: latestRecords,
  })

/** All records in the default order. The request is a GET, so that a document can preload it (starts.ts). */
export const listQuery = (
  org: string,
  object: string,
  page: Pick<SearchBody, 'limit' | 'offset' | 'count'>,
) =>
  queryOptions({
    ...searchQuery(org, object, page),
    queryFn: async ({ signal }) => {
      const asked = { org, params: { objectId: object }, query: page, signal }
      const first = await request('GET /objects/:objectId/records', asked)
      return wholePage(first, page, (rest) => searchRecords(org, object, rest, signal))
    },
  })

/** The current record, with the ETag for a later change. */
export const readRecord = (org: string, object: string, id: string, signal?: AbortSignal) =>
  requestWithEtag('GET /objects/:objectId/records/:recordId', {
    org,
    params: { objectId: object, recordId: id },
    signal,
  })

export const recordQuery = (org: string, object: string, id: string) =>
  queryOptions({
    queryKey: [...recordsKey(org, object), 'one', id],
    queryFn: ({ signal }) => readRecord(org, object, id, signal),
    structuralSharing: latestRecords,
  })

export const createRecord = (org: string, object: string, data: RecordData) =>
  request('POST /objects/:objectId/records', { org, params: { objectId: object }, body: { data } })

interface RecordChange {
  id: string
  data: RecordData
  ifMatch?: string | undefined
}

export const patchRecord = (org: string, object: string, { id, data, ifMatch }: RecordChange) =>
  requestWithEtag('PATCH /objects/:objectId/records/:recordId', {
    org,
    params: { objectId: object, recordId: id },
    body: { data },
    ifMatch,
  })

export const deleteRecord = (org: string, object: string, id: string) =>
  request('DELETE /objects/:objectId/records/:recordId', {
    org,
    params: { objectId: object, recordId: id },
  })

const BULK = 100

export const chunks = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / BULK) }, (_, at) => items.slice(at * BULK, (at + 1) * BULK))

interface Writing<Item> {
  /** The row of an item. Without an id, a record is created. */
  rowOf(item: Item): BulkRow
  /** Called after each batch of a hundred. */
  onWritten(items: readonly Item[], result: BulkResult): void
  /** The id under which all changes can be undone together. */
  changeSetId?: string
}

/** Changes and creates records in batches of a hundred. */
export async function writeRecords<Item>(
  org: string,
  object: string,
  items: readonly Item[],
  { rowOf, onWritten, changeSetId }: Writing<Item>,
): Promise<void> {
  for (const chunk of chunks(items)) {
    const result = await request('POST /objects/:objectId/records/bulk', {
      org,
      params: { objectId: object },
      body: {
        mode: 'upsert',
        records: chunk.map(rowOf),
        ...(changeSetId !== undefined && { changeSetId }),
      },
    })
    onWritten(chunk, result)
  }
}

/** Sets the same values in all records. @param onProgress called with the number of finished records */
export async function patchRecords(
  org: string,
  object: string,
  { ids, data, changeSetId }: { ids: readonly string[]; data: RecordData; changeSetId: string },
  onProgress: (done: number) => void,
): Promise<BulkResult['failed']> {
  const failed: BulkResult['failed'] = []
  let done = 0
  await writeRecords(org, object, ids, {
    changeSetId,
    rowOf: (id) => ({ id, data }),
    onWritten(chunk, result) {
      failed.push(...result.failed.map((row) => ({ ...row, index: row.index + done })))
      done += chunk.length
      onProgress(done)
    },
  })
  return failed
}

interface Deleting {
  ids: readonly string[]
  /** The id under which the deletions can be undone together. */
  changeSetId: string
  /** Called after each batch with the numbers of finished and of deleted records: others may be deleted already. */
  onProgress(done: number, deleted: number): void
}

/** Deleted records can be restored from the trash. @throws ApiError */
export async function deleteRecords(
  org: string,
  object: string,
  { ids, changeSetId, onProgress }: Deleting,
): Promise<void> {
  let [deleted, done] = [0, 0]
  for (const chunk of chunks(ids)) {
    const result = await request('DELETE /objects/:objectId/records/bulk', {
      org,
      params: { objectId: object },
      body: { ids: chunk },
      changeSetId,
    })
    deleted += result.deleted
    done += chunk.length
    onProgress(done, deleted)
  }
}
