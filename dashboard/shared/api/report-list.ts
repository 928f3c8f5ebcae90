// The reports that the user can choose from.
import { fieldQuery } from './queries.ts'

/** The query key of all data about reports. */
export const reportsKey = (org: string) => [org, 'reports'] as const

/** Sorted by name. */
export const reportsQuery = (org: string) =>
  fieldQuery([...reportsKey(org), 'list'], 'GET /reports', { org }, 'reports')
