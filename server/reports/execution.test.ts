import { getPriority } from 'node:os'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Db, Pool } from '../db/pool.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { execute } from './execution.ts'
import { callerOf, createRecords, resultsOf } from './reports.fixture.ts'
import { lockOrganization, selectProcess } from './snapshot-store.ts'

const service = await sharedTestService()
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

test('returns groups, joined values, gaps, measures and their columns', async () => {
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
    { key: 'won', label: 'Sum of amount', type: 'currency', role: 'measure', perCurrency: true },
    { key: 'deals', label: 'Deals', type: 'number', role: 'measure' },
  ])
})

test('a record is measured once per group, however many records are joined to it', async () => {
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

test('shares of amounts have the currency they are relative to', async () => {
  const share = { key: 'share', op: 'percentage', field: 'deal.amount' } as const
  const byStage = {
    ...{ source: deal, groupBy: [{ key: 'stage', field: 'deal.stage' }], sort: [{ key: 'stage' }] },
    chart: { type: 'bar' },
  } as const
  const single = await resultsOf(ctx, org, { ...byStage, measures: [share] })
  expect(single.rows).toEqual([
    { stage: 'Lead', share: 33.3333, share_currency: 'USD' },
    { stage: 'Won', share: 100, share_currency: 'EUR' },
    { stage: 'Won', share: 66.6667, share_currency: 'USD' },
  ])
  expect(single.columns.slice(1)).toMatchObject([
    { key: 'share', type: 'percentage', role: 'measure', perCurrency: true, currencyKey: 'share_currency' },
    { key: 'share_currency', label: 'Share of amount (currency)', type: 'text', role: 'dimension' },
  ])
  const taken = { key: 'share_currency', op: 'count' } as const
  const other = await resultsOf(ctx, org, { ...byStage, measures: [share, taken] })
  expect(other.columns.map(({ key }) => key)).toEqual(['stage', 'share', 'share_currency', 'share_currency2'])
  const sum = { key: 'sum', op: 'sum', field: 'deal.amount' } as const
  const withSum = await resultsOf(ctx, org, { ...byStage, measures: [share, sum] })
  expect(withSum.columns.map(({ key, currencyKey }) => [key, currencyKey])).toEqual([
    ['stage', undefined],
    ['share', 'sum'],
    ['sum', undefined],
  ])
  const noDeal = { field: 'deal.name', operator: 'equals', value: 'absent' }
  const none = await resultsOf(ctx, org, { source: deal, filters: noDeal, measures: [share] })
  expect(none.rows).toEqual([{ share: null, share_currency: 'USD' }])
})

test('a report with columns returns rows of values, with the names of references', async () => {
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

test('without records there is one empty row, in the currency of the organization', async () => {
  const noDeal = { field: 'deal.name', operator: 'equals', value: 'absent' }
  const measures = [
    { key: 'sum', op: 'sum', field: 'deal.amount' },
    { key: 'avg', op: 'avg', field: 'deal.amount' },
    { key: 'deals', op: 'count' },
  ] as const
  const { rows } = await resultsOf(ctx, org, { source: deal, filters: noDeal, measures: [...measures] })
  expect(rows).toEqual([{ sum: usd(0), avg: null, deals: 0 }])
  const grouped = {
    source: deal,
    filters: noDeal,
    groupBy: [{ key: 'stage', field: 'deal.stage' }],
    measures: [...measures],
  }
  expect((await resultsOf(ctx, org, grouped)).rows).toEqual([])
})

const byStage = { key: 'stage', field: 'deal.stage' }
const count = { key: 'deals', op: 'count' } as const

test('having, sort and limit apply to groups, and select options sort in their order', async () => {
  const report = { source: deal, groupBy: [byStage], measures: [count] }
  const stages = async (more: object) =>
    (await resultsOf(ctx, org, { ...report, ...more })).rows.map(({ stage }) => stage)
  expect(await stages({})).toEqual(['Lead', 'Won'])
  expect(await stages({ sort: [{ key: 'deals', order: 'desc' }] })).toEqual(['Won', 'Lead'])
  expect(await stages({ sort: [{ key: 'stage', order: 'desc' }] })).toEqual(['Won', 'Lead'])
  const having = (operator: string, value: unknown) => ({ having: { key: 'deals', operator, value } })
  expect(await stages(having('greaterThan', 1))).toEqual(['Won'])
  expect(await stages(having('between', ['0.5', 1]))).toEqual(['Lead'])
  expect(await stages(having('notEquals', 4))).toEqual(['Lead'])
  expect(await stages(having('isEmpty', 'true'))).toEqual([])
  const cut = await resultsOf(ctx, org, { ...report, limit: 1 })
  expect(cut).toMatchObject({ rows: [{ stage: 'Lead', deals: 1 }], truncated: true })
  const all = await resultsOf(ctx, org, { ...report, limit: 2 })
  expect(all).toMatchObject({ truncated: false, rows: { length: 2 } })
})

test('a column of a select has its options and their colors', async () => {
  const stages = '/objects/deals/attributes/stage'
  const { body } = await org.get<{ config: { options: string[] } }>(stages)
  const { options } = body.config
  const report = { source: deal, groupBy: [byStage], measures: [count] }
  const columnOf = async () => (await resultsOf(ctx, org, report)).columns[0]
  expect(await columnOf()).toMatchObject({ key: 'stage', options })
  expect(await columnOf()).not.toHaveProperty('colors')
  const colored = options.map((value) => ({ value, ...(value === 'Won' && { color: 'pink' }) }))
  expect((await org.patch('/objects/deals/select-attributes/stage', { options: colored })).status).toBe(200)
  expect(await columnOf()).toMatchObject({ options, colors: { Won: 'pink' } })
})

test('numbers sort as numbers, and references by name', async () => {
  const sizes = await resultsOf(ctx, org, {
    source: { objectId: 'companies', alias: 'company' },
    groupBy: [{ key: 'employees', field: 'company.employees' }],
    measures: [{ key: 'companies', op: 'count' }],
  })
  expect(sizes.rows.map(({ employees }) => employees)).toEqual([4, 10])
  const names = await resultsOf(ctx, org, {
    source: deal,
    groupBy: [{ key: 'company', field: 'deal.company' }],
    measures: [count],
    sort: [{ key: 'company', order: 'desc' }],
  })
  expect(names.rows).toEqual([
    { company: { id: beta, name: 'Beta' }, deals: 1 },
    { company: { id: acme, name: 'Acme' }, deals: 3 },
    { company: null, deals: 1 },
  ])
})

test('sums are exact for any length', async () => {
  const big = await service.org()
  const numbers = ['123456789012345678.000000000001', '0.1', '0.2']
  await createRecords(
    big,
    'companies',
    numbers.map((employees, index) => ({ name: `C${index}`, employees })),
  )
  const outcome = await execute(ctx, callerOf(big), {
    definition: {
      name: 'Exact',
      source: { objectId: 'companies', alias: 'company' },
      measures: [{ key: 'sum', op: 'sum', field: 'company.employees' }],
    },
  })
  expect(outcome).toMatchObject({
    results: expect.stringContaining('"rows":[{"sum":123456789012345678.300000000001}]'),
  })
})

test('relative days use the time zone of the organization', async () => {
  const there = await service.org()
  await ctx.directory.run(
    sql`update organizations set time_zone = 'Pacific/Kiritimati' where id = ${there.id}`,
  )
  await ctx.cells.copy()
  // UTC+14: the next day there starts at 10:00 UTC.
  const now = new Date('2026-06-30T12:00:00Z')
  await createRecords(there, 'deals', [
    { name: 'Then', close_date: '2026-06-30' },
    { name: 'There', close_date: '2026-07-01' },
  ])
  const at = { ...ctx, clock: { now: () => now } }
  const names = async (operator: string, relative: string) => {
    const filters = { field: 'deal.close_date', operator, value: { relative } }
    const { rows } = await resultsOf(at, there, {
      source: deal,
      filters,
      columns: [{ key: 'name', field: 'deal.name' }],
    })
    return rows.map(({ name }) => name)
  }
  expect(await names('equals', 'today')).toEqual(['There'])
  expect(await names('equals', 'yesterday')).toEqual(['Then'])
  expect(await names('equals', 'this_quarter')).toEqual(['There'])
  expect(await names('notEquals', 'this_month')).toEqual(['Then'])
  expect(await names('lessThan', 'today')).toEqual(['Then'])
  expect(await names('lessThanOrEqual', 'today')).toEqual(['Then', 'There'])
  expect(await names('greaterThanOrEqual', 'yesterday')).toEqual(['Then', 'There'])
  expect(await names('greaterThan', 'yesterday')).toEqual(['There'])
})

test('results are truncated at 5 MB', async () => {
  const wide = await service.org()
  const title = 'x'.repeat(100_000)
  await createRecords(
    wide,
    'people',
    Array.from({ length: 60 }, () => ({ name: 'N', job_title: title })),
  )
  const columns = [{ key: 'title', field: 'person.job_title' }]
  const results = await resultsOf(ctx, wide, { source: { objectId: 'people', alias: 'person' }, columns })
  expect(results).toMatchObject({ truncated: true, rows: { length: 52 } })
})

/** Runs `work` while records are locked against reads. */
const whileLocked = <Result>(work: () => Promise<Result>): Promise<Result> =>
  ctx.db.transaction(async (tx) => {
    await tx.run(sql`lock table records in access exclusive mode`)
    return work()
  })

const COUNT = { definition: { name: 'Count', source: deal, measures: [count] } }

/** The pool of reports, with `inSnapshot` around the work of a report in its snapshot. */
function around(inSnapshot: <Result>(tx: Db, work: () => Promise<Result>) => Promise<Result>): Pool {
  const { pool } = ctx.reports
  return {
    ...pool,
    behind(enter) {
      const db = pool.behind(enter)
      return { ...db, snapshot: (work) => db.snapshot((tx) => inSnapshot(tx, () => work(tx))) }
    },
  }
}

test('a report that takes too long fails with a reason', async () => {
  const hasty = around(async (tx, work) => {
    await tx.run(sql`set local statement_timeout = 200`)
    return work()
  })
  const outcome = await whileLocked(() =>
    execute({ ...ctx, reports: { ...ctx.reports, pool: hasty } }, callerOf(org), COUNT),
  )
  expect(outcome).toEqual({
    failure: expect.stringMatching(/^The report takes longer than 10 s/),
    problems: [],
  })
})

test('a report that waits for a lock fails with a reason', async () => {
  const outcome = await whileLocked(() => execute(ctx, callerOf(org), COUNT))
  expect(outcome).toEqual({ failure: expect.stringMatching(/^The tables are being changed/), problems: [] })
})

test('a report is canceled when its client disconnects', async () => {
  const client = new AbortController()
  const onBegin = async () => void setImmediate(() => client.abort(new Error('disconnected')))
  const asked = { ...COUNT, signal: client.signal, onBegin }
  const outcome = await whileLocked(() => execute(ctx, callerOf(org), asked))
  expect(outcome).toEqual({
    failure: 'The client closed the connection before the report was complete',
    problems: [],
  })
})

test('a report whose estimated cost is above the limit does not run', async () => {
  const outcome = await execute({ ...ctx, reports: { ...ctx.reports, costMax: 1 } }, callerOf(org), COUNT)
  expect(outcome).toEqual({ failure: expect.stringMatching(/^The report would read too much/), problems: [] })
})

test('a long report runs at a low priority, and the next one in another session', async () => {
  const usual = getPriority()
  const pids: number[] = []
  const run = async (costOfLong: number, priority: number) => {
    const pool = around(async (tx, work) => {
      const pid = await selectProcess(tx)
      const result = await work()
      await expect.poll(() => getPriority(pid)).toBe(priority)
      pids.push(pid)
      return result
    })
    const reports = { ...ctx.reports, pool, costOfLong, isLocal: true }
    expect(await execute({ ...ctx, reports }, callerOf(org), COUNT)).toMatchObject({ resultCount: 1 })
  }
  await run(0, 10)
  await run(1_000_000, usual)
  await run(1_000_000, usual)
  const [long, ...short] = pids
  expect(new Set(short).size).toBe(1)
  expect(short).not.toContain(long)
})

test('reports write nothing', async () => {
  await expect(ctx.reports.pool.run(sql`delete from records where org = ${org.org}`)).rejects.toThrow(
    /read-only/,
  )
})

test('only one report of an organization runs at a time, on all nodes', async () => {
  const order: string[] = []
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const elsewhere = ctx.db.transaction(async (tx) => {
    await lockOrganization(tx, org.org)
    begin()
    // Long enough for the other report to find the lock taken. The test does not depend on it.
    await ctx.db.run(sql`select pg_sleep(0.3)`)
    order.push('elsewhere')
  })
  await begun
  await resultsOf(ctx, org, { source: deal, measures: [count] })
  order.push('here')
  await elsewhere
  expect(order).toEqual(['elsewhere', 'here'])
})
