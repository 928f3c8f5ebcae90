// The specification's sections "Report" and "Report run": definitions, runs and their results.
import { type Static, Type } from 'typebox'
import { Pagination, Timestamp, Uuid } from './common.ts'
import { PAGE_LIMIT_MAX } from './limits.ts'
import { UserRef } from './members.ts'
import { NOT_BLANK } from './not-blank.ts'
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

const closed = { additionalProperties: false } as const
const Null = Type.Null()
const oneOf = <const Value extends string>(values: readonly Value[], description: string) =>
  Type.Unsafe<Value>(Type.String({ enum: [...values], description }))

const Alias = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,39}$',
  description: 'What the rest of the definition calls the object by',
  examples: ['deal'],
})
const Key = Type.String({
  pattern: '^[A-Za-z][A-Za-z0-9_]{0,39}$',
  description: 'Names the column; each once',
  examples: ['total'],
})
const Field = Type.String({
  maxLength: 150,
  description:
    '`alias.attribute`, a part of a name, address or amount as `alias.attribute.part`, or `alias.id`, `alias.created_at`, `alias.updated_at`',
  examples: ['deal.amount'],
})
const Label = Type.Optional(
  Type.String({ minLength: 1, maxLength: 200, description: 'Heading, in place of the usual one' }),
)
const TimeZone = Type.Optional(
  Type.String({ maxLength: 100, description: 'IANA name; without it the organization’s' }),
)

export const ReportSource = Type.Object(
  {
    objectId: Type.String({ maxLength: 63, description: 'Id or slug of the object' }),
    alias: Alias,
  },
  closed,
)

export const ReportJoin = Type.Object(
  {
    alias: Alias,
    via: Type.String({
      maxLength: 150,
      description:
        'The reference that leads to the object. Forward, `deal.company`: an attribute of an object named before. Backward: an attribute of the joined object itself, `<its own alias>.company`, with `objectId`',
    }),
    objectId: Type.Optional(
      Type.String({ maxLength: 63, description: 'Backward alone: id or slug of the joined object' }),
    ),
    to: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'Backward alone: the alias that is referred to; needed where several could be',
      }),
    ),
    type: Type.Optional(oneOf(['left', 'inner'], 'left, unless given: records without a counterpart stay')),
  },
  closed,
)
export type ReportJoin = Static<typeof ReportJoin>

export const ReportGroupBy = Type.Object(
  {
    key: Key,
    field: Field,
    bucket: Type.Optional(oneOf(DATE_BUCKETS, 'Of a date or moment; weeks begin on Monday')),
    timezone: TimeZone,
    fill: Type.Optional(
      Type.Boolean({ description: 'Also buckets between the first and the last without records' }),
    ),
    label: Label,
  },
  closed,
)
export type ReportGroupBy = Static<typeof ReportGroupBy>

export const ReportMeasure = Type.Object(
  {
    key: Key,
    op: oneOf(
      MEASURE_OPS,
      'Each record of the field’s object counts once per group. Amounts of different currencies are never added: such measures have one row per currency',
    ),
    field: Type.Optional(Field),
    label: Label,
  },
  closed,
)
export type ReportMeasure = Static<typeof ReportMeasure>

export const ReportColumnChoice = Type.Object({ key: Key, field: Field, label: Label }, closed)
export type ReportColumnChoice = Static<typeof ReportColumnChoice>

export const ReportSort = Type.Object(
  { key: Key, order: Type.Optional(oneOf(['asc', 'desc'], 'asc, unless given; empty values come last')) },
  closed,
)
export type ReportSort = Static<typeof ReportSort>

export const ReportChart = Type.Object(
  {
    type: oneOf(CHART_TYPES, 'How the rows are shown'),
    x: Type.Optional(Key),
    y: Type.Optional(Type.Array(Key, { maxItems: MEASURES_MAX })),
    series: Type.Optional(Key),
  },
  closed,
)

/** Its form may depend on what it filters, so that it is held against the models (server/reports/plan/). */
const Tree = (description: string, examples: unknown[]) =>
  Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true, description, examples }))

const definitionFields = {
  version: Type.Optional(Type.Literal(1, { description: 'Of this form' })),
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
      'A tree to depth 5: {"field", "operator", "value"} with the operators of records, or {"and": […]} or {"or": […]}. Dates also take {"relative": "last_30_days"}',
      [{ and: [{ field: 'deal.stage', operator: 'equals', value: 'Won' }] }],
    ),
  ),
  columns: Type.Optional(
    Type.Array(ReportColumnChoice, {
      minItems: 1,
      maxItems: REPORT_COLUMNS_MAX,
      description: 'Rows of values, in place of groupBy and measures',
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
      description: `Rows at most; ${REPORT_ROWS_DEFAULT} unless given`,
    }),
  ),
  chart: Type.Optional(ReportChart),
}

export const ReportDefinition = Type.Object(definitionFields, {
  ...closed,
  description: 'What a report asks: objects, filters, groups and measures',
})
export type ReportDefinition = Static<typeof ReportDefinition>

/** A report as a file: what `rapport reports put` takes and `get` prints. */
export const ReportFile = Type.Object({ id: Type.Optional(Uuid), ...definitionFields }, closed)
export type ReportFile = Static<typeof ReportFile>

const reportFields = {
  id: Uuid,
  name: Type.String(),
  description: Type.String(),
  lastRunAt: Type.Union([Timestamp, Null]),
  createdAt: Timestamp,
  creator: UserRef,
}

export const Report = Type.Object(reportFields, { ...closed, description: 'A question to the records, kept' })
export type Report = Static<typeof Report>

export const ReportList = Type.Object({ reports: Type.Array(Report) }, closed)

export const ReportDetail = Type.Object(
  {
    ...reportFields,
    updatedAt: Timestamp,
    version: Type.Integer({ minimum: 1, description: 'Grows with every change' }),
    definition: ReportDefinition,
  },
  { ...closed, description: 'A report with its definition' },
)
export type ReportDetail = Static<typeof ReportDetail>

const runFields = {
  id: Uuid,
  reportId: Uuid,
  status: Type.Unsafe<ReportRunStatus>(
    Type.String({ enum: [...REPORT_RUN_STATUSES], description: 'completed and failed are final' }),
  ),
  resultCount: Type.Integer({ minimum: 0, description: 'Rows kept' }),
  startedAt: Timestamp,
  completedAt: Type.Union([Timestamp, Null]),
  error: Type.Union([Type.String(), Null], { description: 'Why it failed, and what to do' }),
}

export const ReportRun = Type.Object(runFields, { ...closed, description: 'One execution of a report' })
export type ReportRun = Static<typeof ReportRun>

export const ReportRunAnswer = Type.Object({ run: ReportRun }, closed)
export const ReportRunList = Type.Object({ runs: Type.Array(ReportRun), pagination: Pagination }, closed)

export const ReportRunQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: PAGE_LIMIT_MAX, default: 20, description: 'Rows per page' }),
    ),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: 'Rows to skip',
      }),
    ),
  },
  closed,
)
export type ReportRunQuery = Static<typeof ReportRunQuery>

export const ResultColumn = Type.Object(
  {
    key: Key,
    label: Type.String(),
    type: Type.String({
      description: 'Type of the attribute; number for what was counted, percentage, or timestamp',
    }),
    role: oneOf(
      ['dimension', 'measure', 'value'],
      'What the report groups by, what it measures, or a plain column',
    ),
    bucket: Type.Optional(oneOf(DATE_BUCKETS, 'How dates were put together')),
    timezone: Type.Optional(Type.String({ description: 'In which moments were put into buckets' })),
    objectId: Type.Optional(Type.String({ description: 'The object of references' })),
    attributeId: Type.Optional(Type.String({ description: 'What it was read from' })),
    options: Type.Optional(Type.Array(Type.String(), { description: 'Of a select, in order' })),
    perCurrency: Type.Optional(
      Type.Literal(true, { description: 'Groups have one row per currency of this measure’s amounts' }),
    ),
    currencyKey: Type.Optional(
      Type.String({
        description:
          'Of shares of amounts: the column whose value names the currency they are among. It is the sum of the same amounts, or a text column that is added to the results',
      }),
    ),
    overlapping: Type.Optional(
      Type.Literal(true, {
        description:
          'A record may be in several rows, of a list or of several joined records: values of this measure must not be added up',
      }),
    ),
  },
  closed,
)
export type ResultColumn = Static<typeof ResultColumn>

/**
 * Values by key. References: {"id","name"}. Amounts: {"amount","currency"}. Buckets: their first day. Numbers are
 * exact decimals, of any length.
 */
const ResultRow = Type.Unsafe<Record<string, unknown>>(
  Type.Object(
    {},
    { additionalProperties: true, description: 'Values by the keys of the columns; null: none' },
  ),
)

export const ReportResults = Type.Object(
  {
    columns: Type.Array(ResultColumn),
    rows: Type.Array(ResultRow),
    truncated: Type.Boolean({
      description: 'There are more rows than the limit of the report, or than 5 MB hold',
    }),
    asOf: Timestamp,
    executionMs: Type.Integer({ minimum: 0 }),
  },
  closed,
)
export type ReportResults = Static<typeof ReportResults>

export const ReportRunDetail = Type.Object(
  {
    run: Type.Object(
      {
        ...runFields,
        definition: ReportDefinition,
        results: Type.Union([ReportResults, Null], { description: 'null unless it completed' }),
      },
      closed,
    ),
  },
  { ...closed, description: 'A run with its results and the definition they came from' },
)
export type ReportRunDetail = Static<typeof ReportRunDetail>
