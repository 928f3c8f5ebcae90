// Constants of reports without schemas, because the browser loads this at run time.

export const REPORT_RUN_STATUSES = ['running', 'completed', 'failed'] as const
export type ReportRunStatus = (typeof REPORT_RUN_STATUSES)[number]

export const REPORTS_MAX = 500
export const REPORT_NAME_MAX = 200
export const JOINS_MAX = 6
/** Maximum references between the source and the farthest joined object. */
export const JOIN_HOPS_MAX = 3
export const GROUP_BY_MAX = 3
export const MEASURES_MAX = 8
export const REPORT_COLUMNS_MAX = 20
export const REPORT_ROWS_MAX = 10_000
export const REPORT_ROWS_DEFAULT = 1000
export const PREVIEW_ROWS_MAX = 200
/** Maximum size of the results of one run, as JSON. */
export const REPORT_BYTES_MAX = 5 * 1024 * 1024
export const REPORT_RUNS_KEPT = 50
export const REPORT_RUN_SECONDS = 10
/** How long a run waits for other runs of its organization, and for a slot on its node. */
export const REPORT_WAIT_SECONDS = 10
/** Gaps are filled if the first and the last bucket are at most this number of buckets apart. */
export const FILLED_BUCKETS_MAX = 1000

/** Weeks begin on Monday. */
export const DATE_BUCKETS = ['day', 'week', 'month', 'quarter', 'year'] as const
export type DateBucket = (typeof DATE_BUCKETS)[number]

export const MEASURE_OPS = [
  'count',
  'countDistinct',
  'countEmpty',
  'countNotEmpty',
  'sum',
  'avg',
  'min',
  'max',
  'median',
  'percentage',
] as const
export type MeasureOp = (typeof MEASURE_OPS)[number]

/**
 * Ranges of days relative to today, including both ends. last_30_days ends today, next_30_days begins today. Weeks
 * begin on Monday.
 */
export const RELATIVE_DATES = [
  'today',
  'yesterday',
  'tomorrow',
  'this_week',
  'last_week',
  'next_week',
  'this_month',
  'last_month',
  'next_month',
  'this_quarter',
  'last_quarter',
  'next_quarter',
  'this_year',
  'last_year',
  'next_year',
  'month_to_date',
  'quarter_to_date',
  'year_to_date',
  'last_7_days',
  'last_30_days',
  'last_90_days',
  'last_365_days',
  'next_7_days',
  'next_30_days',
  'next_90_days',
] as const
export type RelativeDate = (typeof RELATIVE_DATES)[number]

export const CHART_TYPES = [
  'bar',
  'stacked_bar',
  'line',
  'area',
  'pie',
  'donut',
  'scatter',
  'number',
  'funnel',
  'table',
] as const
export type ChartType = (typeof CHART_TYPES)[number]

/** Fields of a record that reports can read in addition to attributes. An attribute with the same slug has priority. */
export const RECORD_FIELDS = ['id', 'created_at', 'updated_at', 'created_by'] as const
