import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { buildTestService } from '../test/build-app.ts'
import { createTestDatabase } from '../test/database.ts'
import { startJobs } from './jobs.ts'
import { createQueue, defineJob } from './queue.ts'
import { listenForJobs, notifyAllQueues } from './waiting-jobs.ts'
import { createWake } from './wake.ts'

const { ctx } = await buildTestService()
const { pool } = await createTestDatabase()

/** Returns the names of queues with waiting jobs, one after the other. */
async function listening() {
  const wake = createWake(async () => [])
  let heard = Promise.withResolvers<string>()
  const next = () => heard.promise
  const first = next()
  const handle = await listenForJobs({ ...ctx, wake }, pool)('', (queue) => {
    heard.resolve(queue)
    heard = Promise.withResolvers()
  })
  return { wake, first, next, handle }
}

test('names queues with jobs that are due, at the start and after a commit', async () => {
  const queue = createQueue(pool, ctx.log)
  const [soon, later] = [defineJob('test.soon'), defineJob('test.later')]
  await pool.transaction(async (tx) => {
    await queue.enqueue(tx, later, {}, { afterSeconds: 3600 })
    await queue.enqueue(tx, soon, {})
  })
  const { wake, first, next, handle } = await listening()
  expect(await first).toBe('test.soon')
  await pool.run(sql`delete from pgboss.job where name = 'test.soon'`)
  await pool.run(sql`update pgboss.job set start_after = now() where name = 'test.later'`)
  const second = next()
  wake.work()
  expect(await second).toBe('test.later')
  await handle.close()
  await queue.close()
})

test('notifies the workers of all queues, including queues of an earlier version', async () => {
  const jobs = await startJobs(ctx, pool, { scheduled: [], queued: [] })
  await jobs.stop()
  const queue = createQueue(pool, ctx.log)
  await pool.transaction((tx) => queue.enqueue(tx, defineJob('test.old'), {}))
  await pool.run(sql`update pgboss.queue set notify = false where name = 'test.old'`)
  await notifyAllQueues(pool)
  const queues = await pool.many<{ notify: boolean }>(
    sql`select notify from pgboss.queue where name = 'test.old'`,
  )
  expect(queues).toEqual([{ notify: true }])
  await queue.close()
})
