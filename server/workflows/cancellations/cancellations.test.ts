// Disabling workflows with open runs, and cancelling all open runs: the routes and the jobs.
import sql from 'sql-template-tag'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ALL_SCOPES } from '../../../contract/scopes.ts'
import type { RunCancellation, WorkflowDefinition, WorkflowRunDetail } from '../../../contract/workflows.ts'
import { lowestIdAt, newId } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import { buildTestService } from '../../test/build-app.ts'
import { expectError } from '../../test/factories.ts'
import { makeWorkflow, pathsOf } from '../dashboard.fixture.ts'
import { lockClaims } from '../engine/claim-store.ts'
import { createWorkflowEngine } from '../engine/engine.ts'
import { countStuckRuns } from '../engine/sweeper-store.ts'
import { sweepRuns } from '../jobs.ts'
import { lockTriggers } from '../triggers/candidates-store.ts'
import { runsOf, step } from '../workflow.fixture.ts'
import { resumeRuns, workOnCancellation } from './jobs.ts'

const service = await buildTestService()
const { ctx } = service
const { db } = ctx
const org = await service.org()
const [owner, member] = await org.members('owner', 'member')

const note: WorkflowDefinition = {
  trigger: 'manual',
  steps: [step('create_activity', { title: 'Hello' })],
}
const delayed: WorkflowDefinition = { ...note, steps: [step('delay', { seconds: 60 }), ...note.steps] }
const make = (definition = note) => makeWorkflow(owner, { definition, enabled: true })

/** Inserts queued runs, as an import of many records does. */
const queueRuns = (id: string, count: number, { agoMs = 1 } = {}) =>
  db.run(sql`
    insert into workflow_runs (org, id, workflow, version, title, trigger_event, lane_limit, input, due_at)
    select ${org.org}, (lpad(to_hex((extract(epoch from now()) * 1000)::bigint - ${agoMs}::int), 12, '0') || '70008000'
        || lpad(to_hex(n), 12, '0'))::uuid, ${id}, 1, 'Many', 'manual', 10, '{}', now() - interval '1 second'
    from generate_series(1, ${count}::int) as n`)

const start = async (id: string) => (await org.post<{ runId: string }>(`/workflows/${id}/run`)).body.runId
const switchOff = (id: string, openRuns?: string) =>
  owner.patch(`/workflows/${id}`, { enabled: false, ...(openRuns && { openRuns }) })
const cancelAll = (id: string) => member.post<RunCancellation>(`/workflows/${id}/cancellations`)
const newest = async (id: string) =>
  (await org.get<{ cancellations: RunCancellation[] }>(`/workflows/${id}/cancellations`)).body
    .cancellations[0]
const statuses = async (id: string) => (await runsOf(ctx, { id })).map(({ status }) => status)
const count = (id: string, status: string) =>
  db.value<number>(sql`
    select count(*)::int from workflow_runs where workflow = ${id} and status = ${status}`)
const never = new AbortController().signal

/** Keeps the locks of `take` until `end` is called. */
async function hold(take: (tx: Db) => Promise<unknown>) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: taken, resolve: isTaken } = Promise.withResolvers<void>()
  const holding = db.transaction(async (tx) => {
    await take(tx)
    isTaken()
    await released
  })
  await taken
  return {
    end() {
      release()
      return holding
    },
  }
}

/** The number of sessions that wait for a lock. */
const waiting = () =>
  db.value<number>(sql`
    select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)

/** Starts a worker that runs until the test ends. */
function startEngine() {
  const engine = createWorkflowEngine(ctx)
  engine.start()
  onTestFinished(() => engine.stop(5000))
  return engine
}

describe('PATCH /workflows/:workflowId with openRuns', () => {
  test('cancel: of 3,000 queued runs none starts after the response, while workers run', async () => {
    const { id } = await make()
    const other = await make()
    await queueRuns(id, 3_000)
    const engines = [startEngine(), startEngine()]
    await expect.poll(() => count(id, 'completed')).toBeGreaterThan(10)
    expect(await switchOff(id, 'cancel')).toMatchObject({
      status: 200,
      body: { enabled: false, isPaused: false },
    })
    const done = await count(id, 'completed')
    expect(await count(id, 'running')).toBe(0)
    const { total = 0 } = (await newest(id)) ?? {}
    expect(total).toBe(3_000 - done)
    // Runs of other workflows are executed during the cancellation.
    await start(other.id)
    await expect.poll(() => statuses(other.id)).toEqual(['completed'])
    await service.drain()
    expect(await count(id, 'completed')).toBe(done)
    expect(await count(id, 'cancelled')).toBe(total)
    expect(await newest(id)).toMatchObject({ status: 'completed', total, cancelled: total })
    await Promise.all(engines.map((engine) => engine.stop(5000)))
    expect(await countStuckRuns(db)).toEqual({ runs: 0, events: 0 })
  })

  test('pause: open runs wait until the workflow is enabled, and execute each step once', async () => {
    const { id } = await make()
    await queueRuns(id, 300)
    const engine = startEngine()
    await expect.poll(() => count(id, 'completed')).toBeGreaterThan(0)
    expect(await switchOff(id, 'pause')).toMatchObject({ body: { enabled: false, isPaused: true } })
    const done = await count(id, 'completed')
    await engine.stop(5000)
    await service.runWorkflows()
    expect(await count(id, 'completed')).toBe(done)
    expect(await owner.get(`/workflows/${id}/open-runs`)).toMatchObject({ body: { count: 300 - done } })
    await sweepRuns(ctx)
    await service.runWorkflows()
    expect(await countStuckRuns(db)).toEqual({ runs: 0, events: 0 })
    expect(await owner.patch(`/workflows/${id}`, { name: `Renamed ${newId()}` })).toMatchObject({
      body: { isPaused: true },
    })
    expect(await owner.patch(`/workflows/${id}`, { enabled: true })).toMatchObject({
      body: { isPaused: false },
    })
    await service.drain()
    await service.runWorkflows()
    expect(await count(id, 'completed')).toBe(300)
    const notes = await db.value<number>(sql`
      select count(*)::int from events e where e.org = ${org.org} and e.type = 'activity.created' and e.workflow = ${id}`)
    expect(notes).toBe(300)
  })

  test('finish, or no value: open runs are executed, also paused ones', async () => {
    const [first, second] = [await make(), await make()]
    for (const { id } of [first, second]) await start(id)
    await switchOff(first.id)
    await switchOff(second.id, 'pause')
    await service.runWorkflows()
    expect([await statuses(first.id), await statuses(second.id)]).toEqual([['completed'], ['queued']])
    expect(await switchOff(second.id, 'finish')).toMatchObject({ body: { isPaused: false } })
    await service.drain()
    await service.runWorkflows()
    expect(await statuses(second.id)).toEqual(['completed'])
  })

  test('runs that a late claim puts aside after the workflow is enabled are resumed', async () => {
    const { id } = await make()
    await start(id)
    await switchOff(id, 'pause')
    await service.runWorkflows()
    await owner.patch(`/workflows/${id}`, { enabled: true })
    await service.drain()
    await db.run(sql`update workflow_runs set due_at = '9999-01-01' where workflow = ${id}`)
    await service.runWorkflows()
    expect(await statuses(id)).toEqual(['queued'])
    await sweepRuns(ctx)
    await service.runWorkflows()
    expect(await statuses(id)).toEqual(['completed'])
  })

  test('enabling a paused workflow waits for a claim in progress, which may put runs aside', async () => {
    const { id } = await make()
    await switchOff(id, 'pause')
    const claim = await hold((tx) => lockClaims(tx, org.org))
    const enabling = owner.patch(`/workflows/${id}`, { enabled: true })
    await expect.poll(waiting).toBe(1)
    await claim.end()
    expect(await enabling).toMatchObject({ body: { enabled: true, isPaused: false } })
    await service.drain()
  })

  test('the job that resumes paused runs waits for locked runs', async () => {
    const { id } = await make()
    await start(id)
    await switchOff(id, 'pause')
    await service.runWorkflows()
    await owner.patch(`/workflows/${id}`, { enabled: true })
    const lock = await hold((tx) => tx.run(sql`select from workflow_runs where workflow = ${id} for update`))
    const resuming = resumeRuns(ctx, { org: org.org, workflow: id }, never)
    await expect.poll(waiting).toBe(1)
    await lock.end()
    await resuming
    await service.runWorkflows()
    expect(await statuses(id)).toEqual(['completed'])
    await service.drain()
  })

  test('cancel: runs of a paused workflow are cancelled', async () => {
    const { id } = await make(delayed)
    await start(id)
    await service.runWorkflows()
    await switchOff(id, 'pause')
    expect(await switchOff(id, 'cancel')).toMatchObject({ body: { isPaused: false } })
    await service.drain()
    expect(await statuses(id)).toEqual(['cancelled'])
  })

  test('runs that are created during the cancellation are cancelled, and later ones are executed', async () => {
    const { id } = await make()
    await switchOff(id, 'cancel')
    await queueRuns(id, 2)
    await service.runWorkflows()
    await service.drain()
    expect(await statuses(id)).toEqual(['cancelled', 'cancelled'])
    // The cancellation has ended: the sweeper cancels this run.
    await queueRuns(id, 1)
    await owner.patch(`/workflows/${id}`, { enabled: true })
    const later = await start(id)
    await service.runWorkflows()
    await sweepRuns(ctx)
    const runs = await runsOf(ctx, { id })
    expect(runs.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled', 'completed'])
    expect(runs.at(-1)?.id).toBe(later)
  })

  test('enabling during a cancellation keeps later runs, also of a process whose clock is behind', async () => {
    const { id } = await make()
    await queueRuns(id, 1, { agoMs: 120_000 })
    await switchOff(id, 'cancel')
    await owner.patch(`/workflows/${id}`, { enabled: true })
    await queueRuns(id, 1, { agoMs: 60_000 })
    await service.drain()
    await service.runWorkflows()
    expect(await statuses(id)).toEqual(['cancelled', 'completed'])
  })

  test.each([
    { openRuns: 'cancel' },
    { enabled: true, openRuns: 'finish' },
    { enabled: false, openRuns: 'stop' },
  ])('rejects %j', async (patch) => {
    const { id } = await make()
    const reply = await owner.patch(`/workflows/${id}`, patch)
    expectError(reply, 'validation_error')
    expect(pathsOf(reply)).toEqual(['openRuns'])
  })

  test('deleting a workflow starts none of its open runs', async () => {
    const { id } = await make()
    await start(id)
    expect(await owner.delete(`/workflows/${id}`)).toMatchObject({ status: 200 })
    await service.runWorkflows()
    expect(await statuses(id)).toEqual([])
  })
})

describe('POST /workflows/:workflowId/cancellations', () => {
  test('cancels all open runs in any state, and stores who did it', async () => {
    const { id } = await make(delayed)
    const waitingRun = await start(id)
    await service.runWorkflows()
    const queued = await start(id)
    const reply = await cancelAll(id)
    expect(reply).toMatchObject({
      status: 202,
      body: { workflowId: id, status: 'running', total: 2, cancelled: 0, completedAt: null },
    })
    const later = await start(id)
    await service.drain()
    const path = `/workflows/${id}/cancellations/${reply.body.id}`
    const createdBy = { id: member.userId, name: expect.any(String), email: expect.any(String) }
    expect((await org.get(path)).body).toEqual({
      ...reply.body,
      ...{ status: 'completed', cancelled: 2, completedAt: expect.any(String), createdBy },
    })
    for (const run of [waitingRun, queued])
      expect((await org.get<WorkflowRunDetail>(`/workflows/${id}/runs/${run}`)).body).toMatchObject({
        status: 'cancelled',
        error: expect.stringContaining('all open runs'),
        cancelledBy: createdBy,
      })
    expect((await runsOf(ctx, { id })).find((run) => run.id === later)).toMatchObject({ status: 'queued' })
  })

  test('the next run of a concurrency key starts when the earlier runs are cancelled', async () => {
    const { id } = await make({ ...delayed, concurrency: { key: 'workflow' } })
    await start(id)
    await start(id)
    await service.runWorkflows()
    await cancelAll(id)
    await start(id)
    await service.runWorkflows()
    expect(await statuses(id)).toEqual(['waiting', 'queued', 'queued'])
    await service.drain()
    await service.runWorkflows()
    expect(await statuses(id)).toEqual(['cancelled', 'cancelled', 'waiting'])
  })

  test('a run that starts during the cancellation is not skipped because of the cancelled runs', async () => {
    const concurrency = { key: 'workflow', onConflict: 'skip' } as const
    const { id } = await make({ ...delayed, concurrency })
    await start(id)
    await service.runWorkflows()
    await cancelAll(id)
    await start(id)
    expect(await statuses(id)).toEqual(['waiting', 'queued'])
    await service.drain()
    await service.runWorkflows()
    expect(await statuses(id)).toEqual(['cancelled', 'waiting'])
  })

  test('runs that wait for their concurrency key during the cancellation are not stuck', async () => {
    const { id } = await make({ ...delayed, concurrency: { key: 'workflow' } })
    const first = await start(id)
    await start(id)
    await service.runWorkflows()
    await cancelAll(id)
    // As after one batch.
    await db.run(sql`update workflow_runs set status = 'cancelled', completed_at = now() where id = ${first}`)
    expect(await countStuckRuns(db)).toEqual({ runs: 0, events: 0 })
    await service.drain()
    expect(await statuses(id)).toEqual(['cancelled', 'cancelled'])
  })

  test('a run of a later event is executed, also when its transaction began before', async () => {
    const trigger = { trigger: 'record/created', triggerConfig: { objectId: 'companies' } } as const
    const { id } = await make({ ...note, ...trigger })
    const create = async (name: string) =>
      (await org.post<{ id: string }>('/objects/companies/records', { data: { name } })).body.id
    await create('Earlier')
    const triggers = await hold(lockTriggers)
    const working = createWorkflowEngine(ctx).drain()
    await expect.poll(waiting).toBe(1)
    await cancelAll(id)
    const later = await create('Later')
    await triggers.end()
    await working
    expect((await runsOf(ctx, { id })).find(({ subject }) => subject === later)).toMatchObject({
      status: 'completed',
    })
    await service.drain()
  })

  test('continues after an interruption, and shows its progress', async () => {
    const { id } = await make()
    await queueRuns(id, 1200)
    const { body } = await cancelAll(id)
    const stop = new AbortController()
    stop.abort()
    const ref = { org: org.org, id: body.id }
    await expect(workOnCancellation(ctx, ref, stop.signal)).rejects.toThrow()
    expect(await newest(id)).toMatchObject({ status: 'running', total: 1200, cancelled: 500 })
    await Promise.all([workOnCancellation(ctx, ref, never), workOnCancellation(ctx, ref, never)])
    expect(await newest(id)).toMatchObject({ status: 'completed', total: 1200, cancelled: 1200 })
    await service.drain()
    expect(await newest(id)).toMatchObject({ cancelled: 1200 })
  })

  test('a second cancellation covers only runs that started after the first', async () => {
    const { id } = await make()
    await start(id)
    const first = await cancelAll(id)
    await start(id)
    const second = await cancelAll(id)
    await service.drain()
    const { body } = await org.get<{ cancellations: RunCancellation[] }>(`/workflows/${id}/cancellations`)
    expect(body.cancellations.map((one) => [one.id, one.total, one.cancelled])).toEqual([
      [second.body.id, 1, 1],
      [first.body.id, 1, 1],
    ])
  })

  test('a run shows who cancelled it; keys without members:read see only the id', async () => {
    const { id } = await make()
    const run = await start(id)
    await member.post(`/workflows/${id}/runs/${run}/cancel`)
    const path = `/workflows/${id}/runs/${run}`
    expect((await org.get(path)).body).toMatchObject({
      cancelledBy: { id: member.userId, name: expect.any(String) },
    })
    const key = await org.keyWith(ALL_SCOPES.filter((scope) => scope !== 'members:read'))
    const { body } = await org.get<WorkflowRunDetail>(path, { authorization: `Bearer ${key}` })
    expect(body.cancelledBy).toEqual({ id: member.userId })
  })

  test('returns 404 for another organization, another workflow and an unknown id', async () => {
    const [one, other] = [await make(), await make()]
    const stranger = await service.org()
    const { body } = await cancelAll(one.id)
    expectError(await stranger.post(`/workflows/${one.id}/cancellations`), 'not_found')
    expectError(await stranger.get(`/workflows/${one.id}/cancellations`), 'not_found')
    expectError(await org.get(`/workflows/${other.id}/cancellations/${body.id}`), 'not_found')
    expectError(await org.get(`/workflows/${one.id}/cancellations/${lowestIdAt(new Date())}`), 'not_found')
    await service.drain()
  })
})
