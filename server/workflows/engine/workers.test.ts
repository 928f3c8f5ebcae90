import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { buildTestService } from '../../test/build-app.ts'
import { startReceiver } from '../../test/receiver.ts'
import { insertWorkflow, runsOf } from '../workflow.fixture.ts'
import { cancelRun } from './cancel.ts'
import { claimRuns } from './claim-store.ts'
import { companies, engineTools, make, NOTHING_STUCK } from './engine.fixture.ts'
import { createWorkflowEngine } from './engine.ts'
import { countStuckRuns } from './sweeper-store.ts'

const service = await buildTestService()
const { ctx } = service
const receiver = await startReceiver()

const { start, manual, ask, only } = engineTools(service, receiver)

describe('workers', () => {
  test('that run concurrently execute every step once', async () => {
    const org = await service.org()
    const made = await insertWorkflow(ctx, org, {
      trigger: 'record/created',
      triggerConfig: { objectId: 'people' },
      steps: [make('1 {{trigger.data.email}}'), make('2 {{trigger.data.email}}'), ask()],
    })
    receiver.answer({})
    const before = receiver.count()
    const engines = [createWorkflowEngine(ctx), createWorkflowEngine(ctx)]
    for (const engine of engines) engine.start()
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        org.post('/objects/people/records', {
          data: { name: { lastName: `P${n}` }, email: `p${n}@example.com` },
        }),
      ),
    )
    await receiver.received(before + 30)
    await expect
      .poll(async () => (await runsOf(ctx, made)).every(({ status }) => status === 'completed'))
      .toBe(true)
    await Promise.all(engines.map((engine) => engine.stop(5000)))
    const { n } = await ctx.db.one<{ n: number }>(sql`
      select count(*) as n from events where org = ${org.org} and type = 'record.created' and run is not null`)
    expect(n).toBe(60)
    expect(receiver.count()).toBe(before + 30)
  })

  test('that lose their lease are replaced, and their later writes are rejected', async () => {
    const org = await service.org()
    const made = await manual(org, [ask(), make('Once')])
    await start(org, made)
    receiver.answer({ kind: 'never' })
    const before = receiver.count()
    const slow = createWorkflowEngine(ctx)
    slow.start()
    await receiver.received(before + 1)
    receiver.answer({})
    // As after a long pause of its process: the lease has expired, and the worker has not noticed.
    await ctx.db.run(
      sql`update workflow_runs set due_at = now() - interval '1 s' where workflow = ${made.id}`,
    )
    await service.runWorkflows()
    await expect.poll(async () => (await only(made)).status).toBe('completed')
    receiver.resetConnections()
    await slow.stop(5000)
    await service.runWorkflows()
    expect(await only(made)).toMatchObject({ status: 'completed' })
    expect(await companies(org)).toEqual(['Once'])
    expect(receiver.count()).toBe(before + 2)
  })

  test('that stop release their runs, and others continue immediately', async () => {
    const org = await service.org()
    const made = await manual(org, [ask(), make('Once')])
    await start(org, made)
    receiver.answer({ kind: 'never' })
    const before = receiver.count()
    const engine = createWorkflowEngine(ctx)
    engine.start()
    await receiver.received(before + 1)
    await engine.stop(10)
    receiver.answer({})
    await service.runWorkflows()
    expect(await only(made)).toMatchObject({ status: 'completed' })
    expect(await companies(org)).toEqual(['Once'])
  })

  test('write nothing more after a run is cancelled during a request', async () => {
    const org = await service.org()
    const made = await manual(org, [ask(), make('Never')])
    const { runId } = await start(org, made)
    receiver.answer({ kind: 'never' })
    const before = receiver.count()
    const engine = createWorkflowEngine(ctx)
    engine.start()
    await receiver.received(before + 1)
    await ctx.db.transaction((tx) => cancelRun(tx, org.org, runId))
    receiver.answer({})
    receiver.resetConnections()
    await engine.stop(5000)
    service.advance(60_000)
    await service.runWorkflows()
    expect(await only(made)).toMatchObject({ status: 'cancelled' })
    expect(await companies(org)).toEqual([])
  })

  test('delay runs beyond the limits of a workflow and an organization, and execute them later', async () => {
    const org = await service.org()
    const many = await Promise.all([1, 2, 3].map(() => manual(org, [ask()])))
    receiver.answer({ kind: 'never' })
    for (const made of many) for (let n = 0; n < 12; n++) await start(org, made)
    const before = receiver.count()
    const engine = createWorkflowEngine(ctx)
    engine.start()
    await receiver.received(before + 20)
    // Leaves time for a twenty-first request, which must not come.
    await expect
      .poll(
        async () =>
          await ctx.db.value<number>(sql`
      select count(*) as n from workflow_runs where org = ${org.org} and status = 'running'`),
      )
      .toBe(20)
    const running = await Promise.all(
      many.map(async (made) => (await runsOf(ctx, made)).filter(({ status }) => status === 'running').length),
    )
    expect(Math.max(...running)).toBeLessThanOrEqual(10)
    receiver.answer({})
    receiver.resetConnections()
    await engine.stop(5000)
    service.advance(10_000)
    await service.runWorkflows()
    for (const made of many)
      expect((await runsOf(ctx, made)).map(({ status }) => status)).toEqual(Array(12).fill('completed'))
    expect(await countStuckRuns(ctx.db)).toEqual(NOTHING_STUCK)
  })

  test('give the last place to an organization without runs, before one that has waited longer', async () => {
    const [busy, calm] = [await service.org(), await service.org()]
    for (const [org, count] of [[busy, 3] as const, [calm, 1] as const]) {
      const made = await manual(org, [make('z')])
      for (let n = 0; n < count; n++) await start(org, made)
    }
    const claim = async (orgs: number[]) =>
      (await ctx.db.transaction((tx) => claimRuns(tx, { orgs, room: 1, now: sql`now()` }))).runs
    expect((await claim([busy.org])).map(({ org }) => org)).toEqual([busy.org])
    const [run] = await claim([busy.org, calm.org])
    expect(run?.org).toBe(calm.org)
    service.advance(60_000)
    await service.runWorkflows()
    expect(await companies(calm)).toEqual(['z'])
  })

  test('leave room for organizations that come later', async () => {
    const [first, second, later] = [await service.org(), await service.org(), await service.org()]
    for (const org of [first, second, later])
      for (const made of [await manual(org, [make('z')]), await manual(org, [make('z')])])
        for (let n = 0; n < 8; n++) await start(org, made)
    const claim = async (orgs: number[], room: number) => {
      const { runs } = await ctx.db.transaction((tx) => claimRuns(tx, { orgs, room, now: sql`now()` }))
      return orgs.map((org) => runs.filter((run) => run.org === org).length)
    }
    expect(await claim([first.org, second.org], 30)).toEqual([10, 10])
    expect(await claim([first.org, second.org, later.org], 10)).toEqual([0, 0, 2])
    service.advance(60_000)
    await service.runWorkflows()
  })

  test('serve other organizations during a backlog of one', async () => {
    const [busy, calm] = [await service.org(), await service.org()]
    const flood = await manual(busy, [make('x')])
    const run = await manual(calm, [make('y')])
    for (let n = 0; n < 60; n++) await start(busy, flood)
    await start(calm, run)
    const engine = createWorkflowEngine(ctx)
    engine.start()
    await expect.poll(async () => (await only(run)).status).toBe('completed')
    await engine.stop(5000)
    await service.runWorkflows()
    expect(await companies(calm)).toEqual(['y'])
    expect((await runsOf(ctx, flood)).every(({ status }) => status === 'completed')).toBe(true)
  })
})
