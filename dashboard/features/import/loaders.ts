// What the page of imports shows first. Apart from its route, which is in the first script.
import { queryClient } from '../../shared/api/query-client.ts'
import { importQuery, importsQuery } from './api.ts'

/** @param id of an import; undefined: the list of all */
export const loadImport = (org: string, object: string, id: string | undefined) =>
  id === undefined
    ? queryClient.ensureQueryData(importsQuery(org, object))
    : queryClient.ensureQueryData(importQuery(org, id))
