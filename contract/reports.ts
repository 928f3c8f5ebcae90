// The specification's sections "Report" and "Report run": definitions, runs and their results.
import { type Static, Type } from 'typebox'
import { listOf, Nullable, oneOf, StrictObject, Timestamp, Uuid } from './common.ts'
import { RUNS_PER_PAGE } from './limits.ts'
import { UserRef } from './members.ts'
import { NOT_BLANK } from './not-blank.ts'
import { OPTION_COLORS } from './option-colors.ts'
import { pageParams } from './paging.ts'
import {
  CHART_TYPES,
  DATE_BUCKETS,
  GROUP_BY_MAX,
  JOINS_MAX,
  MEASURE_OPS,
  MEASURES_MAX,
  REPORT_COLUMNS_MAX,
  REPORT_NAME_MAX,
  REPORT_ROWS_DEFAULT,
  REPORT_ROWS_MAX,
  REPORT_RUN_STATUSES,
  type ReportRunStatus,
} from './report-states.ts'

const Alias = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,39}$',
  description: 'Name of the object in the rest of the definition',
  examples: ['deal'],
})
const Key = Type.String({
  pattern: '^[A-Za-z][A-Za-z0-9_]{0,39}$',
  description: 'Unique key of the column',
  examples: ['total'],
})
const Field = Type.String({
  maxLength: 150,
  description:
    '`alias.attribute`, a part of a name, address or amount as `alias.attribute.part`, or `alias.id`, `alias.created_at`, `alias.updated_at`, `alias.created_by`. In filters also a path along one or two references, such as `deal.company.industry`',
  examples: ['deal.amount'],
})
const Label = Type.Optional(
  Type.String({ minLength: 1, maxLength: 200, description: 'Replaces the default heading' }),
)
const TimeZone = Type.Optional(
  Type.String({ maxLength: 100, description: 'IANA name; defaults to the organization’s time zone' }),
)

export const ReportSource = StrictObject({
  objectId: Type.String({ maxLength: 63, description: 'Id or slug of the object' }),
  alias: Alias,
})

export const ReportJoin = StrictObject({
  alias: Alias,
  via: Type.String({
    maxLength: 150,
    description:
      'The reference attribute of the join. Forward, `deal.company`: an attribute of an object that the definition declares before. Backward: an attribute of the joined object itself, `<its own alias>.company`, with `objectId`',
  }),
  objectId: Type.Optional(
    Type.String({ maxLength: 63, description: 'Only backward: id or slug of the joined object' }),
  ),
  to: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'Only backward: the alias of the referenced object; required if several are possible',
    }),
  ),
  type: Type.Optional(oneOf(['left', 'inner'], 'Defaults to left, which keeps records without a match')),
})
export type ReportJoin = Static<typeof ReportJoin>

export const ReportGroupBy = StrictObject({
  key: Key,
  field: Field,
  bucket: Type.Optional(oneOf(DATE_BUCKETS, 'For dates and timestamps; weeks start on Monday')),
  timezone: TimeZone,
  fill: Type.Optional(
    Type.Boolean({ description: 'Includes buckets without records between the first and the last' }),
  ),
  label: Label,
})
export type ReportGroupBy = Static<typeof ReportGroupBy>

export const ReportMeasure = StrictObject({
  key: Key,
  op: oneOf(
    MEASURE_OPS,
    'Each record of the field’s object counts once per group. Amounts of different currencies are never added: such measures have one row per currency',
  ),
  field: Type.Optional(Field),
  label: Label,
})
export type ReportMeasure = Static<typeof ReportMeasure>

export const ReportColumnChoice = StrictObject({ key: Key, field: Field, label: Label })
export type ReportColumnChoice = Static<typeof ReportColumnChoice>

export const ReportSort = StrictObject({
  key: Key,
  order: Type.Optional(oneOf(['asc', 'desc'], 'Defaults to asc; empty values come last')),
})
export type ReportSort = Static<typeof ReportSort>

export const ReportChart = StrictObject({
  type: oneOf(CHART_TYPES, 'How the rows are shown'),
  x: Type.Optional(Key),
  y: Type.Optional(Type.Array(Key, { maxItems: MEASURES_MAX })),
  series: Type.Optional(Key),
})

/** The allowed form depends on the filtered object, so server/reports/plan/ checks it. */
const Tree = (description: string, examples: unknown[]) =>
  Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true, description, examples }))

const definitionFields = {
  version: Type.Optional(Type.Literal(1, { description: 'Version of this format' })),
  name: Type.String({
    minLength: 1,
    pattern: NOT_BLANK,
    maxLength: REPORT_NAME_MAX,
    description: 'Unique in the organization',
  }),
  description: Type.Optional(Type.String({ maxLength: 2000 })),
  source: ReportSource,
  joins: Type.Optional(Type.Array(ReportJoin, { maxItems: JOINS_MAX })),
  filters: Type.Optional(
    Tree(
      'A tree to depth 5: {"field", "operator", "value"} with the operators of records, or {"and": […]}, {"or": […]} or {"not": {…}}. Fields may follow up to two references: `deal.company.industry`. Dates also take {"relative": "last_30_days"}',
      [{ and: [{ field: 'deal.stage', operator: 'equals', value: 'Won' }] }],
    ),
  ),
  columns: Type.Optional(
    Type.Array(ReportColumnChoice, {
      minItems: 1,
      maxItems: REPORT_COLUMNS_MAX,
      description: 'Columns for a list of values, instead of groupBy and measures',
    }),
  ),
  groupBy: Type.Optional(Type.Array(ReportGroupBy, { maxItems: GROUP_BY_MAX })),
  measures: Type.Optional(Type.Array(ReportMeasure, { maxItems: MEASURES_MAX })),
  having: Type.Optional(
    Tree('A tree of {"key", "operator", "value"} over measures', [
      { and: [{ key: 'won', operator: 'greaterThan', value: 1000 }] },
    ]),
  ),
  sort: Type.Optional(Type.Array(ReportSort, { maxItems: REPORT_COLUMNS_MAX })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: REPORT_ROWS_MAX,
      description: `Maximum number of rows; defaults to ${REPORT_ROWS_DEFAULT}`,
    }),
  ),
  chart: Type.Optional(ReportChart),
}

export const ReportDefinition = StrictObject(definitionFields, {
  description: 'The definition of a report: objects, filters, groups and measures',
})
export type ReportDefinition = Static<typeof ReportDefinition>

/** A report as a file: the input of `rapport reports put` and the output of `get`. */
export const ReportFile = StrictObject({ id: Type.Optional(Uuid), ...definitionFields })
export type ReportFile = Static<typeof ReportFile>

const reportFields = {
  id: Uuid,
  name: Type.String(),
  description: Type.String(),
  lastRunAt: Nullable(Timestamp),
  createdAt: Timestamp,
  creator: UserRef,
}

export const Report = StrictObject(reportFields, { description: 'A saved query on records' })
export type Report = Static<typeof Report>

export const ReportList = listOf('reports', Report)

export const ReportDetail = StrictObject(
  {
    ...reportFields,
    updatedAt: Timestamp,
    version: Type.Integer({ minimum: 1, description: 'Increases with every change' }),
    definition: ReportDefinition,
  },
  { description: 'A report with its definition' },
)
export type ReportDetail = Static<typeof ReportDetail>

const runFields = {
  id: Uuid,
  reportId: Type.String({ ...Uuid, description: '(+) The report that ran' }),
  status: Type.Unsafe<ReportRunStatus>(
    Type.String({ enum: [...REPORT_RUN_STATUSES], description: 'completed and failed are final' }),
  ),
  resultCount: Type.Integer({ minimum: 0, description: 'Number of rows in the results' }),
  startedAt: Timestamp,
  completedAt: Nullable(Timestamp),
  error: Nullable(Type.String(), { description: '(+) Why the run failed, and what to do' }),
}

export const ReportRun = StrictObject(runFields, { description: 'One execution of a report' })
export type ReportRun = Static<typeof ReportRun>

export const ReportRunAnswer = StrictObject({ run: ReportRun })
export const ReportRunList = listOf('runs', ReportRun)

export const ReportRunQuery = StrictObject(pageParams(RUNS_PER_PAGE))
export type ReportRunQuery = Static<typeof ReportRunQuery>

export const ResultColumn = StrictObject({
  key: Key,
  label: Type.String(),
  type: Type.String({
    description: 'Type of the attribute, number for counts, percentage, or timestamp',
  }),
  role: oneOf(
    ['dimension', 'measure', 'value'],
    'dimension: a group of the report. measure: a measure. value: a plain column',
  ),
  bucket: Type.Optional(oneOf(DATE_BUCKETS, 'How dates are grouped')),
  timezone: Type.Optional(Type.String({ description: 'Time zone of the buckets' })),
  objectId: Type.Optional(Type.String({ description: 'Id of the object that the references refer to' })),
  attributeId: Type.Optional(Type.String({ description: 'Id of the attribute that the column shows' })),
  options: Type.Optional(Type.Array(Type.String(), { description: 'Options of a select, in order' })),
  colors: Type.Optional(
    Type.Record(Type.String(), oneOf(OPTION_COLORS), {
      description: 'Colors of options. An option without an entry gets a color by its position',
    }),
  ),
  isPerCurrency: Type.Optional(
    Type.Literal(true, { description: 'Groups have one row per currency of this measure’s amounts' }),
  ),
  perCurrency: Type.Optional(Type.Literal(true, { description: 'Deprecated: use isPerCurrency' })),
  currencyKey: Type.Optional(
    Type.String({
      description:
        'For shares of amounts: key of the column with the currency. This column is the sum of the same amounts, or a text column that is added to the results',
    }),
  ),
  isOverlapping: Type.Optional(
    Type.Literal(true, {
      description:
        'A record may be counted in several rows, because of a list or several joined records: do not add up the values of this measure',
    }),
  ),
  overlapping: Type.Optional(Type.Literal(true, { description: 'Deprecated: use isOverlapping' })),
})
export type ResultColumn = Static<typeof ResultColumn>

/**
 * Values by key. References: {"id","name"}. Amounts: {"amount","currency"}. Buckets: their first day. Numbers: exact
 * decimals of any length.
 */
const ResultRow = Type.Unsafe<Record<string, unknown>>(
  Type.Object({}, { additionalProperties: true, description: 'Values by column key; null: no value' }),
)

export const ReportResults = StrictObject({
  columns: Type.Array(ResultColumn),
  rows: Type.Array(ResultRow),
  isTruncated: Type.Boolean({
    description:
      'true: rows are missing, because there are more than the limit of the report or than fit into 5 MB',
  }),
  truncated: Type.Boolean({ description: 'Deprecated: use isTruncated' }),
  asOf: Timestamp,
  executionMs: Type.Integer({ minimum: 0 }),
})
export type ReportResults = Static<typeof ReportResults>

export const ReportRunDetail = StrictObject(
  {
    run: StrictObject({
      ...runFields,
      definition: ReportDefinition,
      results: Nullable(ReportResults, { description: 'null unless the run completed' }),
    }),
  },
  { description: 'A run with its results and the definition that produced them' },
)
export type ReportRunDetail = Static<typeof ReportRunDetail>
