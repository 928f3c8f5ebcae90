// A process of a version that may no longer write claims no work.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { asNextVersion } from '../db/next-version.fixture.ts'
import { buildTestService } from '../test/build-app.ts'
import { insertEndpoint } from '../webhooks/endpoint.fixture.ts'
import { startRun } from '../workflows/engine/start.ts'
import { insertWorkflow, runsOf, step } from '../workflows/workflow.fixture.ts'
import { refuseOlderClaims } from './older-claims.ts'
import { defineJob } from './queue.ts'

const service = await buildTestService()
const { ctx } = service
const REFUSED = { code: '57P03', message: expect.stringContaining('newer version') }

const insertRun = async () => {
  const org = await service.org()
  const steps = [step('set_variables', { variables: { a: 1 } })]
  const made = await insertWorkflow(ctx, org, { trigger: 'manual', steps })
  await ctx.db.transaction((tx) =>
    startRun({ ...ctx, db: tx }, org.org, {
      ...{ workflow: made.id, triggerEvent: 'manual', parameters: {}, startedBy: null },
    }),
  )
  return { ...made, org: org.org }
}

const leasesOf = (org: number) =>
  ctx.db.many(sql`
    select fence, due_at as due from workflow_runs where org = ${org}
    union all select fence, leased_until as due from webhook_lanes where org = ${org}`)

test('claims no run of a workflow, which the next version can run immediately', async () => {
  const made = await insertRun()
  const before = await leasesOf(made.org)
  await asNextVersion(ctx.db, async () => {
    await expect(service.runWorkflows()).rejects.toMatchObject(REFUSED)
    expect(await leasesOf(made.org)).toEqual(before)
  })
  await service.runWorkflows()
  expect((await runsOf(ctx, made)).map(({ status }) => status)).toEqual(['completed'])
})

test('claims no event, and no endpoint with pending deliveries', async () => {
  const org = await service.org()
  await insertEndpoint(ctx, org.org)
  await org.post('/objects/companies/records', { data: { name: 'Acme' } })
  const waiting = () => ctx.db.many(sql`select from event_pending where org = ${org.org}`)
  const before = await leasesOf(org.org)
  expect(await waiting()).not.toEqual([])
  await asNextVersion(ctx.db, async () => {
    await expect(service.deliver()).rejects.toMatchObject(REFUSED)
    expect(await waiting()).not.toEqual([])
    expect(await leasesOf(org.org)).toEqual(before)
  })
})

test('claims no job', async () => {
  const kind = defineJob<{ n: number }>('test.older')
  await ctx.db.transaction((tx) => ctx.queue.enqueue(tx, kind, { n: 1 }))
  await refuseOlderClaims(ctx.db)
  await refuseOlderClaims(ctx.db)
  await asNextVersion(ctx.db, async () => {
    await expect(service.drain()).rejects.toMatchObject(REFUSED)
  })
  const jobs = await ctx.db.many(sql`select state from pgboss.job where name = 'test.older'`)
  expect(jobs).toEqual([{ state: 'created' }])
})
