// Imports of CSV files into an object.
import { queryOptions } from '@tanstack/react-query'
import type { ImportState } from '../../../contract/import-states.ts'
import type { Import, ImportCheck, ImportSummary } from '../../../contract/imports.ts'
import { request, urlOf } from '../../shared/api/client.ts'
import { requestQuery } from '../../shared/api/queries.ts'
import { type Sending, upload } from '../../shared/api/upload.ts'
import { pauseFor, uploadResumed } from './upload/resumed-upload.ts'

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

interface ImportSending extends Sending {
  /** Called with true while the upload waits for the connection. */
  onPause(isPaused: boolean): void
}

/** Sends the rest of the file. The progress includes what was sent before. */
const sendRest = (org: string, importId: string, { file, offset, ...sending }: Rest) =>
  upload(
    'PUT /imports/:importId/upload',
    { org, params: paramsOf(importId), query: { offset: String(offset) } },
    {
      ...sending,
      ...{ file: file.slice(offset), contentType: 'text/csv' },
      onProgress: (share) => sending.onProgress((offset + share * (file.size - offset)) / (file.size || 1)),
    },
  )

interface Rest extends Sending {
  file: File
  offset: number
}

/** After an interruption the upload continues; when it is aborted, the service deletes what it has received. */
export async function uploadImport(
  org: string,
  object: string,
  file: File,
  { onPause, ...sending }: ImportSending,
): Promise<Import> {
  const { signal } = sending
  const { importId } = await request('POST /objects/:objectId/import-uploads', {
    ...{ org, params: { objectId: object }, query: { fileName: file.name.slice(-255) } },
    signal,
  })
  const target = { org, params: paramsOf(importId) }
  try {
    return await uploadResumed(
      {
        send: (offset) => sendRest(org, importId, { file, offset, ...sending }),
        received: () => request('GET /imports/:importId/upload', { ...target, signal }),
        result: () => request('GET /imports/:importId', { ...target, signal }),
      },
      { onPause, pause: pauseFor, signal },
    )
  } catch (error) {
    if (signal.aborted) void deleteImport(org, importId).catch(() => undefined)
    throw error
  }
}

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
