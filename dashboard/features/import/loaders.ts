// Loads the data that the import page shows first. Separate from the route, which is in the first script.
import { queryClient } from '../../shared/api/query-client.ts'
import { importQuery, importsQuery } from './api.ts'

/** @param id of an import; undefined: loads the list of imports */
export const loadImport = (org: string, object: string, id: string | undefined) =>
  id === undefined
    ? queryClient.ensureQueryData(importsQuery(org, object))
    : queryClient.ensureQueryData(importQuery(org, id))
