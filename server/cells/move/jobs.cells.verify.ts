// An organization moves while it has background jobs: a running import, a waiting import, a replay, reports.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Replay } from '../../../contract/webhooks.ts'
import type { Context } from '../../context.ts'
import { checked, get, mapping, post } from '../../imports/imports.fixture.ts'
import { batchesOf } from '../../jobs/batch-size.fixture.ts'
import { workOnJob } from '../../record-jobs/jobs.ts'
import { buildTestService } from '../../test/build-app.ts'
import { createTestCells } from '../../test/cells.ts'
import { drainQueue } from '../../test/drain.ts'
import type { Org } from '../../test/factories.ts'
import { insertEndpoint } from '../../webhooks/endpoint.fixture.ts'
import { create, PEOPLE } from './move.fixture.ts'
import { type MovePhase, moveOrganization } from './service.ts'

const databases = await createTestCells()
const service = await buildTestService({}, undefined, databases)
const [one, two] = [service.ctx.cells.of(1), service.ctx.cells.of(2)]
const never = new AbortController().signal

const ROWS = 1500
const BATCH = 50
const fileOf = (letter: string) =>
  ['Name,Email', ...Array.from({ length: ROWS }, (_, n) => `${letter} ${n},${letter}${n}@example.com`)].join(
    '\n',
  )

/** An import that is ready to run. */
async function ready(org: Org, letter: string) {
  const member = await org.member('owner')
  const file = await checked(service, member, { text: fileOf(letter), mapping: mapping('name', 'email') })
  return { member, file }
}

const FAILED = 40

/** A replay whose job is waiting. */
async function replay(org: Org) {
  const { endpoint } = await insertEndpoint(one, org.org)
  await one.db.run(sql`
    insert into webhook_deliveries (org, endpoint, event, type, state, trigger, give_up_at)
    select ${org.org}, ${endpoint}, uuidv7(interval '-1 hour'), 'record.created', 'failed', 'event', now()
    from generate_series(1, ${FAILED}::int)`)
  const admin = await org.member('admin')
  const asked = { kind: 'failed', since: '2020-01-01T00:00:00Z' }
  expect((await admin.post<Replay>(`/webhooks/endpoints/${endpoint}/replays`, asked)).status).toBe(202)
}

const replayed = ({ db }: Context, { org }: Org) =>
  db.value<number>(sql`
    select count(*)::int as n from webhook_deliveries
    where org = ${org} and trigger = 'replay' and state = 'pending'`)

const openJobs = ({ db }: Context, { org }: Org) =>
  db.value<number>(sql`
    select count(*)::int as n from pgboss.job
    where data->>'org' = ${String(org)} and state in ('created', 'retry', 'active')`)

/** Calculates a report repeatedly. @returns the number of reports, and the answers of failed ones */
async function report(org: Org, isOver: () => boolean) {
  const definition = { name: 'All', source: { objectId: 'people', alias: 'person' } }
  const member = await org.member('owner')
  const [faults, done]: [unknown[], number[]] = [[], []]
  while (!isOver()) {
    const { status, body } = await member.post<object>('/reports/preview', {
      definition: { ...definition, measures: [{ key: 'people', op: 'count' }] },
    })
    if (status === 200) done.push(status)
    else faults.push(body)
  }
  return { done: done.length, faults }
}

test('imports each row once, replays each delivery once, and never refuses a report', async () => {
  const org = await service.org({ ctx: one })
  await create(org, { name: 'First' })
  const [current, waiting] = [await ready(org, 'a'), await ready(org, 'b')]
  for (const { member, file } of [current, waiting]) await post(member, file, 'run')
  await replay(org)
  expect(await openJobs(one, org)).toBe(3)
  let isOver = false
  const reports = report(org, () => isOver)
  let importing: Promise<unknown> | undefined
  const onPhase = async (phase: MovePhase) => {
    // The import is interrupted. The cell that then has the job tries it again.
    if (phase === 'copying')
      importing = workOnJob(one, { org: org.org, id: current.file.id }, never, batchesOf(BATCH)).catch(
        (error: unknown) => error,
      )
  }
  await moveOrganization(service.ctx, { org: org.org, cell: 1 }, 2, { signal: never, onPhase })
  await importing
  isOver = true
  expect(await reports).toEqual({ done: expect.any(Number), faults: [] })
  expect([await openJobs(one, org), await openJobs(two, org)]).toEqual([0, 3])
  await drainQueue(two, databases.cells[1]?.pool ?? databases.pool)
  for (const { member, file } of [current, waiting])
    expect(await get(member, file)).toMatchObject({
      state: 'completed',
      progress: { rows: ROWS, created: ROWS, failed: 0 },
    })
  const emails = await two.db.value<number>(sql`
    select count(distinct data->>'email')::int as n from records where org = ${org.org}`)
  expect(emails).toBe(2 * ROWS)
  const { body } = await org.get<{ pagination: { total: number } }>(PEOPLE)
  expect(body.pagination.total).toBe(2 * ROWS + 1)
  expect([await replayed(two, org), await openJobs(two, org)]).toEqual([FAILED, 0])
})
