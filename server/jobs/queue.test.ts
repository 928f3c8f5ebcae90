import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { buildTestService } from '../test/build-app.ts'
import { createTestDatabase } from '../test/database.ts'
import { handle, startJobs } from './jobs.ts'
import { createQueue, defineJob } from './queue.ts'

const { ctx } = await buildTestService()
const { pool } = await createTestDatabase()
const GREET = defineJob<{ name: string }>('test.greet')

const waiting = async () =>
  (
    await pool.many<{ data: object }>(
      sql`select data from pgboss.job where name = 'test.greet' and state = 'created'`,
    )
  ).map(({ data }) => data)

test('a job exists only after its transaction commits, and runs once', async () => {
  const queue = createQueue(pool, ctx.log)
  const undone = pool.transaction(async (tx) => {
    await queue.enqueue(tx, GREET, { name: 'rolled back' })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await waiting()).toEqual([])
  await pool.transaction((tx) => queue.enqueue(tx, GREET, { name: 'Ada' }))
  expect(await waiting()).toEqual([{ name: 'Ada' }])

  const { promise, resolve } = Promise.withResolvers<string[]>()
  const greeted: string[] = []
  const greet = handle(GREET, async (_ctx, { name }) => {
    greeted.push(name)
    if (name === 'Bob') resolve(greeted)
  })
  const jobs = await startJobs(ctx, pool, { scheduled: [], queued: [greet] })
  await pool.transaction((tx) => queue.enqueue(tx, GREET, { name: 'Bob' }))
  expect((await promise).toSorted()).toEqual(['Ada', 'Bob'])
  await jobs.stop()
  expect(await waiting()).toEqual([])
  await queue.close()
})

test('a stop returns a running job to the queue, even if the job ignores its signal', async () => {
  const queue = createQueue(pool, ctx.log)
  await pool.transaction((tx) => queue.enqueue(tx, GREET, { name: 'Di' }))
  const { promise: began, resolve: begin } = Promise.withResolvers<void>()
  const hang = handle(GREET, () => {
    begin()
    return new Promise(() => undefined)
  })
  const jobs = await startJobs(ctx, pool, { scheduled: [], queued: [hang], stopTimeoutMs: 1000 })
  await began
  await jobs.stop()
  const [job] = await pool.many<{ state: string }>(
    sql`select state from pgboss.job where name = 'test.greet' and data->>'name' = 'Di'`,
  )
  expect(job).toEqual({ state: 'retry' })
  await pool.run(sql`delete from pgboss.job where name = 'test.greet'`)
  await queue.close()
})

test('a job that throws is tried again', async () => {
  const queue = createQueue(pool, ctx.log)
  await pool.transaction((tx) => queue.enqueue(tx, GREET, { name: 'Cy' }))
  const { promise, resolve } = Promise.withResolvers<void>()
  const fail = handle(GREET, async () => {
    resolve()
    throw new Error('no')
  })
  const jobs = await startJobs(ctx, pool, { scheduled: [], queued: [fail] })
  await promise
  await jobs.stop()
  const [job] = await pool.many<{ state: string }>(
    sql`select state from pgboss.job where name = 'test.greet' and data->>'name' = 'Cy'`,
  )
  expect(job).toEqual({ state: 'retry' })
  await queue.close()
})

test('long jobs of one organization do not block jobs of others', async () => {
  const WORK = defineJob<{ org: number }>('test.work')
  const queue = createQueue(pool, ctx.log)
  const running: number[] = []
  const end = Promise.withResolvers<void>()
  const { promise, resolve } = Promise.withResolvers<void>()
  const work = handle(WORK, async (_ctx, { org }) => {
    running.push(org)
    if (org === 2) resolve()
    else await end.promise
  })
  await pool.transaction(async (tx) => {
    for (const org of [1, 1, 1, 1, 1, 1, 2]) await queue.enqueue(tx, WORK, { org })
  })
  const jobs = await startJobs(ctx, pool, { scheduled: [], queued: [work] })
  await promise
  expect(running.toSorted()).toEqual([1, 2])
  end.resolve()
  await jobs.stop()
  await queue.close()
})
