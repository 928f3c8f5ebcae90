// Imports of CSV files into an object.
import { queryOptions } from '@tanstack/react-query'
import type { ImportState } from '../../../contract/import-states.ts'
import type {
  ColumnValues,
  Import,
  ImportCheck,
  ImportList,
  ImportSummary,
} from '../../../contract/imports.ts'
import { organizationPath, request, urlOf } from '../../shared/api/client.ts'
import { type Sending, upload } from '../../shared/api/upload.ts'

export type { Import, ImportCheck, ImportSummary }

const BUSY: readonly ImportState[] = ['checking', 'running']
export const isBusy = ({ state }: Pick<Import, 'state'>): boolean => BUSY.includes(state)

const importPath = (org: string, id: string) => `${organizationPath(org)}/imports/${encodeURIComponent(id)}`
const importsPath = (org: string, object: string) => `${organizationPath(org)}/objects/${object}/imports`

/** Everything about imports is under this key. */
export const importsKey = (org: string) => [org, 'imports'] as const

/** The recent imports of an object, the newest first, and how large a file may be. */
export const importsQuery = (org: string, object: string) =>
  queryOptions({
    queryKey: [...importsKey(org), 'of', object],
    queryFn: () => request<ImportList>('GET', importsPath(org, object)),
  })

const POLL_MS = 800

/** Asked for again and again while something is going on, also when an answer was missed. */
export const importQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: [...importsKey(org), 'one', id],
    queryFn: () => request<Import>('GET', importPath(org, id)),
    refetchInterval: ({ state: { data } }) => data !== undefined && isBusy(data) && POLL_MS,
  })

/** The different values of a column, of all rows. */
export const columnValuesQuery = (org: string, id: string, index: number) =>
  queryOptions({
    queryKey: [...importsKey(org), 'values', id, index],
    queryFn: ({ signal }) =>
      request<ColumnValues>('GET', `${importPath(org, id)}/columns/${index}/values`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** @throws ApiError */
export const uploadImport = (org: string, object: string, file: File, sending: Sending) =>
  upload<Import>(`${importsPath(org, object)}?fileName=${encodeURIComponent(file.name.slice(-255))}`, file, {
    contentType: 'text/csv',
    ...sending,
  })

export const checkImport = (org: string, id: string, body: ImportCheck) =>
  request<Import>('POST', `${importPath(org, id)}/check`, { body })

export const runImport = (org: string, id: string) => request<Import>('POST', `${importPath(org, id)}/run`)

export const cancelImport = (org: string, id: string) =>
  request<Import>('POST', `${importPath(org, id)}/cancel`)

export const deleteImport = (org: string, id: string) => request('DELETE', importPath(org, id))

/** Where the rows that failed are downloaded. */
export const failedRowsUrl = (org: string, id: string): string => urlOf(`${importPath(org, id)}/failed.csv`)
