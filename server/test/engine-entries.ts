// What the query engine uses, and what of it others use: held by boundaries.test.ts.

/** Files of records that the query engine uses; they use no file of it. */
export const ENGINE_USES = [
  'filters/check',
  'filters/comparable',
  'filters/operators',
  'filters/parts',
  'filters/to-sql',
  'rows/page-lines',
  'rows/sorting',
  'rows/stored-record',
  'filters/text-search',
  'values/phone-search',
]

/** Files of the query engine that others may import. */
export const ENGINE_ENTRIES = [
  'plan/cost-model',
  'executor',
  'explain',
  'full-scan',
  'matching-records',
  'newest-page',
  'page-query',
  'record-streams',
  'counted-groups',
  'value-count',
  'sample',
  'statistics',
  'lookups',
  'index/index-writes',
  'maintenance/compact',
  'maintenance/engine',
  'maintenance/finish',
  'maintenance/fold',
  'maintenance/metrics',
  'maintenance/overview-store',
  'maintenance/work-store',
]
