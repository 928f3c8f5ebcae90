// The permitted imports of the query engine, and of its files by others, which boundaries.test.ts checks.

/** Files of records that the query engine may import; they may not import the engine. */
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
