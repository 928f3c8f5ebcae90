// Imports of CSV files into an object.
import { queryOptions } from '@tanstack/react-query'
import type { ImportState } from '../../../contract/import-states.ts'
import type { Import, ImportCheck, ImportSummary } from '../../../contract/imports.ts'
import { request, urlOf } from '../../shared/api/client.ts'
import { type Sending, upload } from '../../shared/api/upload.ts'

export type { Import, ImportCheck, ImportSummary }

const BUSY: readonly ImportState[] = ['checking', 'running']
export const isBusy = ({ state }: Pick<Import, 'state'>): boolean => BUSY.includes(state)

const paramsOf = (id: string) => ({ importId: id })

/** Everything about imports is under this key. */
export const importsKey = (org: string) => [org, 'imports'] as const

/** The recent imports of an object, the newest first, and how large a file may be. */
export const importsQuery = (org: string, object: string) =>
  queryOptions({
    queryKey: [...importsKey(org), 'of', object],
    queryFn: () => request('GET /objects/:objectId/imports', { org, params: { objectId: object } }),
  })

const POLL_MS = 800

/** Asked for again and again while something is going on, also when an answer was missed. */
export const importQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: [...importsKey(org), 'one', id],
    queryFn: () => request('GET /imports/:importId', { org, params: paramsOf(id) }),
    refetchInterval: ({ state: { data } }) => data !== undefined && isBusy(data) && POLL_MS,
  })

/** The different values of a column, of all rows. */
export const columnValuesQuery = (org: string, id: string, index: number) =>
  queryOptions({
    queryKey: [...importsKey(org), 'values', id, index],
    queryFn: ({ signal }) =>
      request('GET /imports/:importId/columns/:index/values', {
        org,
        params: { importId: id, index: String(index) },
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** @throws ApiError */
export const uploadImport = (org: string, object: string, file: File, sending: Sending) =>
  upload(
    'POST /objects/:objectId/imports',
    { org, params: { objectId: object }, query: { fileName: file.name.slice(-255) } },
    { file, contentType: 'text/csv', ...sending },
  )

export const checkImport = (org: string, id: string, body: ImportCheck) =>
  request('POST /imports/:importId/check', { org, params: paramsOf(id), body })

export const runImport = (org: string, id: string) =>
  request('POST /imports/:importId/run', { org, params: paramsOf(id) })

export const cancelImport = (org: string, id: string) =>
  request('POST /imports/:importId/cancel', { org, params: paramsOf(id) })

/** One batch of the undo: to be asked for until none is left. */
export const undoImportBatch = (org: string, id: string) =>
  request('POST /imports/:importId/undo', { org, params: paramsOf(id) })

export const deleteImport = (org: string, id: string) =>
  request('DELETE /imports/:importId', { org, params: paramsOf(id) })

/** Where the rows that failed are downloaded. */
export const failedRowsUrl = (org: string, id: string): string =>
  urlOf('GET /imports/:importId/failed.csv', { org, params: paramsOf(id) })
