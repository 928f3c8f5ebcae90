// Reports and exports on a real standby.
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { exportRecords } from '../records/export/service.ts'
import { exportView } from '../records/export/view.ts'
import { buildReplicatedService } from '../test/replicated-service.ts'
import { execute } from './execution.ts'
import { callerOf, createRecords, makeReport, run } from './reports.fixture.ts'

const { standby, service, replicas, reads, caughtUp } = await buildReplicatedService()
const { ctx } = service
const org = await service.org()
const ROWS = 1500
let report: { id: string }

const COUNT = {
  definition: {
    name: 'Count',
    source: { objectId: 'deals', alias: 'deal' },
    measures: [{ key: 'deals', op: 'count' as const }],
  },
}
const countIn = (outcome: object): unknown => {
  if (!('results' in outcome)) return expect.fail(JSON.stringify(outcome))
  return (JSON.parse(String(outcome.results)) as { rows: { deals: number }[] }).rows[0]?.deals
}
const countOf = async (runId: string) =>
  (await org.get<{ run: { results: { rows: { deals: number }[] } } }>(`/reports/${report.id}/runs/${runId}`))
    .body.run.results.rows[0]?.deals

let deals = 0
const addDeal = async () => {
  deals++
  expect((await org.post('/objects/deals/records', { data: { name: `Deal ${deals}` } })).status).toBe(201)
}

beforeAll(async () => {
  report = await makeReport(org)
  await addDeal()
  const rows = Array.from({ length: ROWS }, (_, index) => ({ name: `Company ${index}` }))
  for (let at = 0; at < ROWS; at += 100) await createRecords(org, 'companies', rows.slice(at, at + 100))
})
beforeEach(caughtUp)
afterEach(() => vi.restoreAllMocks())

test('a report reads a replica', async () => {
  const before = reads('report', 'replica')
  const { id } = await run(org, report.id)
  expect(await countOf(id)).toBe(deals)
  expect(reads('report', 'replica')).toBe(before + 1)
})

test('a filter along a reference reads a replica', async () => {
  const [company = ''] = await createRecords(org, 'companies', [{ name: 'Followed' }])
  await createRecords(org, 'deals', [{ name: 'Along', company }])
  deals++
  await caughtUp()
  const filters = { field: 'deal.company.name', operator: 'equals', value: 'Followed' }
  const made = await makeReport(org, { filters })
  const before = reads('report', 'replica')
  const { id } = await run(org, made.id)
  expect(reads('report', 'replica')).toBe(before + 1)
  const { body } = await org.get<{ run: { results: { rows: object[] } } }>(`/reports/${made.id}/runs/${id}`)
  expect(body.run.results.rows).toEqual([{ deals: 1 }])
})

test('a report sees the writes of its key', async () => {
  await standby.pause()
  await addDeal()
  const before = reads('report', 'position')
  const { id } = await run(org, report.id)
  await standby.resume()
  expect(await countOf(id)).toBe(deals)
  expect(reads('report', 'position')).toBe(before + 1)
})

test('a report without a request, such as one of a workflow, sees all committed changes', async () => {
  await standby.pause()
  await addDeal()
  const outcome = await execute(ctx, callerOf(org), COUNT)
  await standby.resume()
  expect(countIn(outcome)).toBe(deals)
})

describe('asOf', () => {
  const asOf = (outcome: object): number => {
    if (!('results' in outcome)) return expect.fail(JSON.stringify(outcome))
    return Date.parse((JSON.parse(String(outcome.results)) as { asOf: string }).asOf)
  }
  /** Uses a key that has written nothing. */
  const count = (onBegin: () => Promise<void>) =>
    execute({ ...ctx, reader: { id: 'other', given: undefined } }, callerOf(org), { ...COUNT, onBegin })

  test('is not later than the first change that the replica lacks, even if the report waits', async () => {
    await standby.pause()
    await addDeal()
    const committed = Date.now()
    await replicas.poll()
    const outcome = await count(() => delay(1500))
    await standby.resume()
    expect(countIn(outcome)).toBe(deals - 1)
    expect(asOf(outcome)).toBeLessThanOrEqual(committed)
  })

  test('is the time of the snapshot on the primary if the replica fails later', async () => {
    const terminate = sql`
      select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction'`
    let committed = 0
    const outcome = await count(async () => {
      if (committed > 0) return
      await delay(500)
      committed = Date.now()
      await addDeal()
      await standby.pool.run(terminate)
    })
    expect(countIn(outcome)).toBe(deals - 1)
    expect(asOf(outcome)).toBeLessThan(committed)
  })
})

test('a report whose session on the replica ends runs on the primary', async () => {
  const before = reads('report', 'replica')
  let begun = 0
  const onBegin = async () => {
    begun++
    if (begun > 1) return
    await standby.pool.run(sql`
      select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction'`)
  }
  expect(countIn(await execute(ctx, callerOf(org), { ...COUNT, onBegin }))).toBe(deals)
  expect([begun, reads('report', 'replica')]).toEqual([2, before])
})

test('a report with an Idempotency-Key that fails on a replica runs on the primary and is stored once', async () => {
  const conflict = Object.assign(new Error('canceling statement due to conflict with recovery'), {
    code: '40001',
  })
  const { choose } = replicas
  vi.spyOn(replicas, 'choose').mockImplementationOnce(async (...asked) => {
    const read = await choose.apply(replicas, asked)
    if (!read) return expect.fail('no replica')
    const { pool } = read.use.reports
    const failing: typeof pool = {
      ...pool,
      behind(enter) {
        const db = pool.behind(enter)
        return {
          ...db,
          snapshot: (work) => db.snapshot((tx) => work({ ...tx, run: () => Promise.reject(conflict) })),
        }
      },
    }
    return { ...read, use: { ...read.use, reports: { ...read.use.reports, pool: failing } } }
  })
  const runs = async () =>
    (await org.get<{ pagination: { total: number } }>(`/reports/${report.id}/runs`)).body.pagination.total
  const [conflicts, total] = [reads('report', 'conflict'), await runs()]
  const send = () =>
    org.post<{ run: { id: string } }>(`/reports/${report.id}/run`, undefined, { 'idempotency-key': 'once' })
  const first = await send()
  expect(first.status, JSON.stringify(first.body)).toBe(201)
  expect(await countOf(first.body.run.id)).toBe(deals)
  expect((await send()).body.run.id).toBe(first.body.run.id)
  expect([reads('report', 'conflict'), await runs()]).toEqual([conflicts + 1, total + 1])
})

test('a definition that is invalid on a stale replica is checked on the primary', async () => {
  await standby.pause()
  const slug = 'margin'
  await org.post('/objects/deals/attributes', { name: 'Margin', slug, type: 'number' })
  const definition = {
    ...COUNT.definition,
    measures: [{ key: 'deals', op: 'sum' as const, field: `deal.${slug}` }],
  }
  const outcome = await execute({ ...ctx, reader: { id: 'other', given: undefined } }, callerOf(org), {
    definition,
  })
  await standby.resume()
  expect(outcome).toMatchObject({ resultCount: 1 })
})

const exported = async (onPiece: (pieces: number) => Promise<void>) => {
  const pieces: string[] = []
  await exportView(ctx, callerOf(org), {
    objectRef: 'companies',
    body: { columns: ['id', 'name'] },
    signal: new AbortController().signal,
    write: async (text) => {
      pieces.push(text)
      await onPiece(pieces.length)
    },
  })
  return pieces.join('')
}
const nothing = async () => undefined

test('an export reads a replica', async () => {
  const before = reads('export', 'replica')
  const text = await exported(nothing)
  expect(reads('export', 'replica')).toBe(before + 1)
  expect(text.split('\n').length).toBeGreaterThan(ROWS - 10)
})

test('an export of all records reads a replica and is complete', async () => {
  const exportAll = async () => {
    const pieces: string[] = []
    const write = async (text: string) => void pieces.push(text)
    const count = await exportRecords(ctx, callerOf(org), { objectRef: 'companies', format: 'csv', write })
    return { count, lines: pieces.join('').trimEnd().split('\n').length }
  }
  const before = reads('export', 'replica')
  const { count, lines } = await exportAll()
  expect([lines, reads('export', 'replica')]).toEqual([count + 1, before + 1])
  await standby.pause()
  await createRecords(org, 'companies', [{ name: 'New' }])
  expect(await exportAll()).toEqual({ count: count + 1, lines: lines + 1 })
  await standby.resume()
})

test('an export whose replica stops is continued on the primary', async () => {
  const whole = await exported(nothing)
  const text = await exported(async (pieces) => {
    if (pieces === 3) await standby.stop()
  })
  expect(text).toBe(whole)
  await standby.start()
  await expect.poll(() => replicas.status[0]?.state).toBe('ready')
})

test('an export fails when its replica stops and the records have changed', async () => {
  const exporting = exported(async (pieces) => {
    if (pieces !== 3) return
    await standby.stop()
    await createRecords(org, 'companies', [{ name: 'Late' }])
  })
  await expect(exporting).rejects.toThrow('The records were changed while the export was read a second time')
  await standby.start()
})
