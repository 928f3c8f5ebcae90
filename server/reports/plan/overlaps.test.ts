import { expect, test } from 'vitest'
import type { ReportDefinition } from '../../../contract/reports.ts'
import { plan } from './plan.fixture.ts'

type Definition = Omit<ReportDefinition, 'name'>

const companies = { objectId: 'companies', alias: 'company' }
const deals = { objectId: 'deals', alias: 'deal' }
const dealsOf = { alias: 'deal', objectId: 'deals', via: 'deal.company' }
const companyOf = { alias: 'company', via: 'deal.company' }
const byStage = { key: 'stage', field: 'deal.stage' }
const byName = { key: 'name', field: 'company.name' }
const count = { key: 'count', op: 'count' } as const
const greatest = { key: 'count', op: 'max', field: 'deal.closed' } as const
const amount = { key: 'amount', op: 'sum', field: 'deal.amount' } as const
const ofDeals = { key: 'count', op: 'count', field: 'deal.id' } as const

const TABLE: [string, boolean, Definition][] = [
  [
    'elements of a list',
    true,
    { source: deals, groupBy: [{ key: 'tag', field: 'deal.tags' }], measures: [count] },
  ],
  ['one object', false, { source: deals, groupBy: [byStage], measures: [count] }],
  [
    'a record by what it refers to',
    false,
    { source: deals, joins: [companyOf], groupBy: [byName], measures: [count] },
  ],
  [
    'companies by the stages of their deals',
    true,
    { source: companies, joins: [dealsOf], groupBy: [byStage], measures: [count] },
  ],
  [
    'companies by themselves',
    false,
    { source: companies, joins: [dealsOf], groupBy: [byName], measures: [count] },
  ],
  [
    'deals joined to companies',
    false,
    { source: companies, joins: [dealsOf], groupBy: [byStage], measures: [ofDeals] },
  ],
  [
    'companies by the currencies of deals',
    true,
    { source: companies, joins: [dealsOf], measures: [count, amount] },
  ],
  ['what is compared, not added', false, { source: deals, groupBy: [byStage], measures: [greatest] }],
]

test.each(TABLE)('%s: overlapping is %s', (_, expected, definition) => {
  const planned = plan(definition)
  if (!('plan' in planned)) throw new Error(JSON.stringify(planned))
  const column = planned.plan.columns.find(({ key }) => key === 'count')
  expect(column?.overlapping ?? false).toBe(expected)
})
