// Imports of CSV files into an object.
import { queryOptions } from '@tanstack/react-query'
import type { ImportState } from '../../../contract/import-states.ts'
import type { Import, ImportCheck, ImportSummary } from '../../../contract/imports.ts'
import { request, urlOf } from '../../shared/api/client.ts'
import { requestQuery } from '../../shared/api/queries.ts'
import { type Sending, upload } from '../../shared/api/upload.ts'

export type { Import, ImportCheck, ImportSummary }

const BUSY: readonly ImportState[] = ['checking', 'running']
export const isBusy = ({ state }: Pick<Import, 'state'>): boolean => BUSY.includes(state)

const paramsOf = (id: string) => ({ importId: id })

/** Query keys about imports begin with this key. */
export const importsKey = (org: string) => [org, 'imports'] as const

/** The recent imports of an object, the newest first, and the maximum size of a file. */
export const importsQuery = (org: string, object: string) =>
  queryOptions({
    queryKey: [...importsKey(org), 'of', object],
    queryFn: () => request('GET /objects/:objectId/imports', { org, params: { objectId: object } }),
  })

const POLL_MS = 800

/** Polled while the import is busy, also after a failed request. */
export const importQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: [...importsKey(org), 'one', id],
    queryFn: () => request('GET /imports/:importId', { org, params: paramsOf(id) }),
    refetchInterval: ({ state: { data } }) => data !== undefined && isBusy(data) && POLL_MS,
  })

/** The distinct values of a column in all rows. */
export const columnValuesQuery = (org: string, id: string, index: number) =>
  queryOptions({
    ...requestQuery(
      [...importsKey(org), 'values', id, index],
      'GET /imports/:importId/columns/:index/values',
      {
        org,
        params: { importId: id, index: String(index) },
      },
    ),
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

/** Undoes one batch. Call it until none is left. */
export const undoImportBatch = (org: string, id: string) =>
  request('POST /imports/:importId/undo', { org, params: paramsOf(id) })

export const deleteImport = (org: string, id: string) =>
  request('DELETE /imports/:importId', { org, params: paramsOf(id) })

/** The download address of the failed rows. */
export const failedRowsUrl = (org: string, id: string): string =>
  urlOf('GET /imports/:importId/failed.csv', { org, params: paramsOf(id) })
