import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { scheduledJobs } from '../entry/worker.ts'
import { buildTestService } from '../test/build-app.ts'
import { defineJob } from './queue.ts'

const { ctx } = await buildTestService()
const KIND = defineJob<{ n: number }>('test.done')

test('deletes completed jobs after ten minutes, and keeps failed and waiting jobs', async () => {
  for (let n = 0; n < 5; n++) await ctx.db.transaction((tx) => ctx.queue.enqueue(tx, KIND, { n }))
  const set = (n: number, state: string, minutes: number) =>
    ctx.db.run(sql`
      update pgboss.job set state = ${state}::pgboss.job_state,
        completed_on = case when ${state} <> 'created' then now() - make_interval(mins => ${minutes}) end
      where name = 'test.done' and data ->> 'n' = ${String(n)}`)
  await set(0, 'completed', 11)
  await set(1, 'completed', 9)
  await set(2, 'failed', 60)
  await set(3, 'cancelled', 60)
  await scheduledJobs
    .find(({ name }) => name === 'jobs.clear-completed')
    ?.run(ctx, new AbortController().signal)
  const left = await ctx.db.many<{ n: string }>(
    sql`select data ->> 'n' as n from pgboss.job where name = 'test.done' order by n`,
  )
  expect(left.map(({ n }) => n)).toEqual(['1', '2', '4'])
})
