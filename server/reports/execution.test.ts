import { expect, test } from 'vitest'
import { buildTestService } from '../test/build-app.ts'
import { createRecords, resultsOf } from './reports.fixture.ts'

const service = await buildTestService()
const { ctx } = service
const org = await service.org()

const [acme = '', beta = ''] = await createRecords(org, 'companies', [
  { name: 'Acme', industry: 'Energy', employees: 10 },
  { name: 'Beta', employees: 4 },
])
await createRecords(org, 'people', [
  { name: 'Ada Lovelace', email: 'ada@example.com', company: acme },
  { name: 'Grace Hopper', company: acme },
])
const eur = (amount: number) => ({ amount, currency: 'EUR' })
const usd = (amount: number) => ({ amount, currency: 'USD' })
await createRecords(org, 'deals', [
  { name: 'One', amount: usd(10), stage: 'Won', close_date: '2026-01-15', company: acme },
  { name: 'Two', amount: eur(0.1), stage: 'Won', close_date: '2026-01-20', company: acme },
  { name: 'Three', amount: eur(0.2), stage: 'Won', close_date: '2026-01-31', company: acme },
  { name: 'Four', stage: 'Won', close_date: '2026-04-01', company: beta },
  { name: 'Five', amount: usd(5), stage: 'Lead', close_date: '2026-04-02' },
])

const deal = { objectId: 'deals', alias: 'deal' }

test('groups, joins, gaps, measures and their columns', async () => {
  const results = await resultsOf(ctx, org, {
    source: deal,
    joins: [{ alias: 'company', via: 'deal.company', type: 'left' }],
    filters: { and: [{ field: 'deal.stage', operator: 'equals', value: 'Won' }] },
    groupBy: [
      { key: 'month', field: 'deal.close_date', bucket: 'month', timezone: 'Europe/Berlin', fill: true },
      { key: 'industry', field: 'company.industry' },
    ],
    measures: [
      { key: 'won', op: 'sum', field: 'deal.amount' },
      { key: 'deals', op: 'count' },
    ],
    sort: [{ key: 'month' }, { key: 'won', order: 'desc' }],
  })
  const filled = (month: string, industry: string | null, currency: string) => ({
    month,
    industry,
    won: { amount: 0, currency },
    deals: 0,
  })
  expect(results.rows.filter(({ month }) => month === '2026-01-01')).toEqual([
    { month: '2026-01-01', industry: 'Energy', won: usd(10), deals: 1 },
    { month: '2026-01-01', industry: 'Energy', won: eur(0.3), deals: 2 },
    filled('2026-01-01', null, 'USD'),
  ])
  expect(results.rows.filter(({ month }) => month === '2026-03-01')).toEqual([
    filled('2026-03-01', 'Energy', 'EUR'),
    filled('2026-03-01', 'Energy', 'USD'),
    filled('2026-03-01', null, 'USD'),
  ])
  expect(results.rows).toContainEqual({ month: '2026-04-01', industry: null, won: usd(0), deals: 1 })
  expect(results.rows).toHaveLength(12)
  expect(results.columns).toMatchObject([
    { key: 'month', label: 'Close date (month)', type: 'date', role: 'dimension', bucket: 'month' },
    {
      key: 'industry',
      label: 'Industry',
      type: 'select',
      role: 'dimension',
      options: expect.arrayContaining(['Energy']),
    },
    { key: 'won', label: 'Sum of Amount', type: 'currency', role: 'measure', perCurrency: true },
    { key: 'deals', label: 'Deals', type: 'number', role: 'measure' },
  ])
})

test('a record of one side is measured once, however many of the other it has', async () => {
  const results = await resultsOf(ctx, org, {
    source: { objectId: 'companies', alias: 'company' },
    joins: [
      { alias: 'deal', objectId: 'deals', via: 'deal.company' },
      { alias: 'person', objectId: 'people', via: 'person.company' },
    ],
    groupBy: [{ key: 'company', field: 'company.id' }],
    measures: [
      { key: 'companies', op: 'count' },
      { key: 'employees', op: 'sum', field: 'company.employees' },
      { key: 'deals', op: 'count', field: 'deal.id' },
      { key: 'people', op: 'count', field: 'person.id' },
      { key: 'share', op: 'percentage', field: 'company.employees' },
    ],
  })
  expect(results.rows).toEqual([
    { company: { id: acme, name: 'Acme' }, companies: 1, employees: 10, deals: 3, people: 2, share: 71.4286 },
    { company: { id: beta, name: 'Beta' }, companies: 1, employees: 4, deals: 1, people: 0, share: 28.5714 },
  ])
})

test('rows of values, references with names', async () => {
  const results = await resultsOf(ctx, org, {
    source: deal,
    columns: [
      { key: 'name', field: 'deal.name' },
      { key: 'company', field: 'deal.company' },
      { key: 'amount', field: 'deal.amount' },
      { key: 'made', field: 'deal.created_at' },
    ],
    sort: [{ key: 'company' }, { key: 'amount', order: 'desc' }],
    limit: 4,
  })
  const made = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(results.rows).toEqual([
    { name: 'One', company: { id: acme, name: 'Acme' }, amount: usd(10), made },
    { name: 'Three', company: { id: acme, name: 'Acme' }, amount: eur(0.2), made },
    { name: 'Two', company: { id: acme, name: 'Acme' }, amount: eur(0.1), made },
    { name: 'Four', company: { id: beta, name: 'Beta' }, amount: null, made },
  ])
  expect(results.truncated).toBe(true)
})

test('without records there is a row of nothing, in the currency of the organization', async () => {
  const nobody = { field: 'deal.name', operator: 'equals', value: 'nobody' }
  const measures = [
    { key: 'sum', op: 'sum', field: 'deal.amount' },
    { key: 'avg', op: 'avg', field: 'deal.amount' },
    { key: 'deals', op: 'count' },
  ] as const
  const { rows } = await resultsOf(ctx, org, { source: deal, filters: nobody, measures: [...measures] })
  expect(rows).toEqual([{ sum: usd(0), avg: null, deals: 0 }])
  const grouped = {
    source: deal,
    filters: nobody,
    groupBy: [{ key: 'stage', field: 'deal.stage' }],
    measures: [...measures],
  }
  expect((await resultsOf(ctx, org, grouped)).rows).toEqual([])
})
