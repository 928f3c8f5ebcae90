import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { newIdAt } from '../base/id.ts'
import { withinMs } from '../db/time-limit.ts'
import { buildTestService } from '../test/build-app.ts'
import type { Org } from '../test/factories.ts'
import { selectOpenRuns } from './engine/new-runs-store.ts'
import { startRun } from './engine/start.ts'
import { deleteSurplusRuns, wakeForgottenRuns } from './engine/sweeper-store.ts'
import { endTooOld, forgetRuns, sweepRuns } from './jobs.ts'
import { insertWorkflow, type Made, runsOf, step } from './workflow.fixture.ts'

const service = await buildTestService()
const { ctx } = service
const { signal } = new AbortController()

const start = (org: Org, made: Made) =>
  ctx.db.transaction((tx) =>
    startRun({ ...ctx, db: tx }, org.org, {
      ...{ workflow: made.id, triggerEvent: 'manual', parameters: {}, startedBy: null },
    }),
  )

const statusesOf = async (made: Made) => (await runsOf(ctx, made)).map(({ status }) => status)

const quick = [step('set_variables', { variables: { a: 1 } })]

test('a run that waits although its concurrency key is free is woken', async () => {
  const org = await service.org()
  const [inLane, withoutLane] = [
    await insertWorkflow(ctx, org, { trigger: 'manual', concurrency: { key: 'workflow' }, steps: quick }),
    await insertWorkflow(ctx, org, { trigger: 'manual', steps: quick }),
  ]
  for (const made of [inLane, withoutLane]) {
    await start(org, made)
    await ctx.db.run(sql`update workflow_runs set due_at = 'infinity' where workflow = ${made.id}`)
  }
  await service.runWorkflows()
  expect([await statusesOf(inLane), await statusesOf(withoutLane)]).toEqual([['queued'], ['queued']])
  await sweepRuns(ctx)
  await service.runWorkflows()
  expect([await statusesOf(inLane), await statusesOf(withoutLane)]).toEqual([['completed'], ['completed']])
})

test('a run that is open for more than 30 days fails with that reason, and the next run starts', async () => {
  const org = await service.org()
  const steps = [step('delay', { seconds: 60 })]
  const made = await insertWorkflow(ctx, org, { trigger: 'manual', concurrency: { key: 'workflow' }, steps })
  const old = await start(org, made)
  await start(org, made)
  await service.runWorkflows()
  await ctx.db.run(
    sql`update workflow_runs set created_at = now() - interval '31 days' where id = ${old.runId}`,
  )
  await endTooOld(ctx, signal, new Date())
  await service.runWorkflows()
  expect(await statusesOf(made)).toEqual(['failed', 'waiting'])
  expect((await runsOf(ctx, made))[0]).toMatchObject({
    failure: 'too_old',
    error: expect.stringMatching(/30 days/),
  })
  const recorded = (await org.events()).map(({ type, subject }) => [type, subject])
  expect(recorded).toEqual([['workflow.failed', old.runId]])
})

test('runs are kept for 90 days, and only the newest of one workflow', async () => {
  const org = await service.org()
  const made = await insertWorkflow(ctx, org, { trigger: 'manual', steps: quick })
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.push((await start(org, made)).runId)
  const [first = ''] = ids
  const old = newIdAt(new Date(Date.now() - 91 * 86_400_000))
  await ctx.db.run(sql`update workflow_runs set id = ${old} where id = ${first}`)
  ids[0] = old
  await service.runWorkflows()
  await ctx.db.run(sql`update workflow_runs set completed_at = now() - interval '91 days' where id = ${old}`)
  await forgetRuns(ctx, signal, new Date())
  const kept = async () => (await runsOf(ctx, made)).map(({ id }) => ids.indexOf(id))
  expect(await kept()).toEqual([1, 2, 3, 4])
  await start(org, made)
  await deleteSurplusRuns(ctx.db, 10, 3)
  expect(await kept()).toEqual([3, 4, -1])
  expect(await ctx.db.many(sql`select from workflow_run_steps where run = ${old}`)).toEqual([])
})

test('many open runs with all concurrency keys are checked in one statement', async () => {
  const org = await service.org()
  const made = await insertWorkflow(ctx, org, { trigger: 'manual', steps: quick })
  // For each key, one run that waits for a time, and one that waits for the key. Some runs wait without a key.
  await ctx.db.run(sql`
    insert into workflow_runs (org, id, workflow, version, status, title, trigger_event, lane, input, due_at, completed_at)
    select ${org.org}, lpad(to_hex(n), 32, '0')::uuid, ${made.id}, 1, case when n % 2 = 0 then 'waiting' else 'queued' end,
      'Many', 'manual', case when n < 20000 then (n / 2)::text end, '{}',
      case when n % 2 = 0 then now() + interval '1 day' else 'infinity' end, null
    from generate_series(2, 20019) as n`)
  await ctx.db.run(sql`analyze workflow_runs`)
  const woken = await withinMs(ctx.db, 5000, (tx) => wakeForgottenRuns(tx))
  expect(woken).toBe(10)
  const keys = Array.from({ length: 1000 }, (_, place) => ({
    org: org.org,
    workflow: made.id,
    concurrencyKey: `${place + 1}`,
  }))
  expect(await withinMs(ctx.db, 5000, (tx) => selectOpenRuns(tx, keys))).toHaveLength(2000)
  const withoutKey = [{ org: org.org, workflow: made.id, concurrencyKey: null }]
  expect(await selectOpenRuns(ctx.db, withoutKey)).toHaveLength(20)
  await ctx.db.run(sql`delete from workflows where id = ${made.id}`)
})

test('metrics contain the number of open runs and of stuck runs', async () => {
  const { body } = await service.inject({ method: 'GET', url: '/metrics' })
  expect(body).toMatch(/^rapport_workflow_runs_open\{status="queued"(?:,cell="1")?\} 1$/m)
  expect(body).toMatch(/^rapport_workflows_stuck\{what="runs"(?:,cell="1")?\} 0$/m)
})
