// What only an operator can repair is shown by metrics.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { buildTestService } from '../test/build-app.ts'
import { defineJob } from './queue.ts'

const service = await buildTestService()
const { ctx } = service
const KIND = defineJob<{ n: number }>('test.stuck')

const CELL = ctx.cell === 0 ? '' : `,cell="${ctx.cell}"`

async function metric(name: string, what?: string): Promise<number> {
  const { body } = await service.inject({ url: '/metrics' })
  const labels = what === undefined ? '' : `{what="${what}"${CELL}}`
  const line = body.split('\n').find((one) => one.startsWith(`${name}${labels} `))
  return Number(line?.split(' ').at(-1))
}

test('jobs that failed within a day are counted, and kinds of jobs that wait', async () => {
  const failed = () => metric('rapport_jobs_stuck', 'failed')
  const waiting = () => metric('rapport_jobs_stuck', 'waiting')
  const before = { failed: await failed(), waiting: await waiting() }
  expect(before.failed).toBeGreaterThanOrEqual(0)
  await ctx.db.transaction((tx) => ctx.queue.enqueue(tx, KIND, { n: 1 }))
  const set = (state: string, minutes: number) =>
    ctx.db.run(sql`
      update pgboss.job set state = ${state}::pgboss.job_state,
        start_after = now() - make_interval(mins => ${minutes}),
        completed_on = case when ${state} = 'failed' then now() - make_interval(mins => ${minutes}) end
      where name = 'test.stuck'`)
  await set('created', 11)
  expect([await failed(), await waiting()]).toEqual([before.failed, before.waiting + 1])
  await set('failed', 60)
  expect([await failed(), await waiting()]).toEqual([before.failed + 1, before.waiting])
  await set('failed', 25 * 60)
  expect(await failed()).toBe(before.failed)
})

test('a move is counted when no command works on it', async () => {
  const { org } = await service.org()
  expect(await metric('rapport_moves_left')).toBe(0)
  await ctx.directory.run(sql`
    insert into moves (org, source, target, holder) select ${org}, cell, cell + 1, gen_random_uuid() from organizations
    where org = ${org}`)
  expect(await metric('rapport_moves_left')).toBe(0)
  await ctx.directory.run(sql`update moves set seen_at = now() - interval '1 minute' where org = ${org}`)
  expect(await metric('rapport_moves_left')).toBe(1)
  await ctx.directory.run(sql`delete from moves where org = ${org}`)
})
