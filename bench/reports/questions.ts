// The questions, each as a report, and as hand-written SQL on the same records and on tables made for the question.
import sql, { type Sql } from 'sql-template-tag'
import type { ReportDefinition } from '../../contract/reports.ts'

/** Internal numbers of the organization and the objects. */
export interface Numbers {
  org: number
  deals: number
  companies: number
}

/** Hand-written SQL that a report is compared with. */
export interface Limit {
  /** What the statement reads, for the name of the case. */
  of: string
  statement: (numbers: Numbers) => Sql
  /** Minimum speed of the report, divided by the speed of the statement. */
  target?: number
}

export interface Question {
  name: string
  definition: ReportDefinition
  limits: readonly Limit[]
  /** Number of rows that the report and each statement return. */
  rows: number
}

const JSONB = 'SQL on jsonb'
const COLUMNS = 'SQL on columns'
/** The target of a report that may take `times` as long as the limit. */
const within = (times: number) => Math.floor(100 / times) / 100

const source = { objectId: 'deals', alias: 'deal' }
const measures = [
  { key: 'amount', op: 'sum' as const, field: 'deal.amount' },
  { key: 'deals', op: 'count' as const },
]

export const SUMMED: Question = {
  name: 'sum of all deals in groups',
  definition: {
    name: 'Amount by stage',
    source,
    groupBy: [{ key: 'stage', field: 'deal.stage' }],
    measures,
  },
  limits: [
    {
      of: JSONB,
      target: within(1),
      statement: ({ org, deals }) => sql`
        select stage, currency, sum(amount), count(*) from (
          select data->>'stage' as stage, data->'amount'->>'currency' as currency,
            (data->'amount'->>'amount')::numeric as amount
          from records where org = ${org} and obj = ${deals} offset 0) as d
        group by stage, currency order by stage, currency`,
    },
    {
      of: COLUMNS,
      target: within(3),
      statement: () => sql`
        select stage, currency, sum(amount), count(*) from hand_deals
        group by stage, currency order by stage, currency`,
    },
  ],
  rows: 5,
}

const JOINED: Question = {
  name: 'all deals with their companies by industry and month',
  definition: {
    name: 'Amount by industry and month',
    source,
    joins: [{ alias: 'company', via: 'deal.company' }],
    groupBy: [
      { key: 'industry', field: 'company.industry' },
      { key: 'month', field: 'deal.close_date', bucket: 'month' },
    ],
    measures,
  },
  limits: [
    {
      of: JSONB,
      target: within(1.2),
      statement: ({ org, deals, companies }) => sql`
        select c.industry, d.month, d.currency, sum(d.amount), count(*) from (
          select (data->>'company')::uuid as company, date_trunc('month', (data->>'close_date')::date) as month,
            data->'amount'->>'currency' as currency, (data->'amount'->>'amount')::numeric as amount
          from records where org = ${org} and obj = ${deals} offset 0) as d
        left join (
          select id, data->>'industry' as industry from records where org = ${org} and obj = ${companies} offset 0) as c
          on c.id = d.company
        group by c.industry, d.month, d.currency order by c.industry, d.month, d.currency`,
    },
    {
      of: COLUMNS,
      statement: () => sql`
        select c.industry, date_trunc('month', d.close_date) as month, d.currency, sum(d.amount), count(*)
        from hand_deals d left join hand_companies c on c.id = d.company
        group by c.industry, month, d.currency order by c.industry, month, d.currency`,
    },
  ],
  rows: 264,
}

export const QUESTIONS: readonly Question[] = [SUMMED, JOINED]
