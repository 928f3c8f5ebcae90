// What is asked: each question as a report, and as SQL by hand on tables made for it.
import sql, { type Sql } from 'sql-template-tag'
import type { ReportDefinition } from '../../contract/reports.ts'

export interface Question {
  name: string
  definition: ReportDefinition
  byHand: Sql
  /** Rows that both answer. */
  rows: number
}

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
  byHand: sql`
      select stage, currency, sum(amount), count(*) from hand_deals group by stage, currency order by stage, currency`,
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
  byHand: sql`
      select c.industry, date_trunc('month', d.close_date) as month, d.currency, sum(d.amount), count(*)
      from hand_deals d left join hand_companies c on c.id = d.company
      group by c.industry, month, d.currency order by c.industry, month, d.currency`,
  rows: 264,
}

export const QUESTIONS: readonly Question[] = [SUMMED, JOINED]
