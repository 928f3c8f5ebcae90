// Processes that stop, are killed, or run concurrently: no message is lost, and Svix accepts none twice.
import sql, { type Sql } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createWebhookDispatcher } from '../delivery/dispatcher.ts'
import { sweepSvix } from '../jobs.ts'
import { createSvixEngine } from './engine.ts'
import { countMessages, deleteMessage, leaseApplications, releaseSvixLease } from './store.ts'
import { buildSvixWorld, company, enginesOf } from './world.fixture.ts'

const { ctx, standIn, listening, takenOf, namesOf, waitingOf, meetWith } = await buildSvixWorld()
const now = () => sql`now()`
const dispatch = () => createWebhookDispatcher(ctx).drain()
const handOn = (at: () => Sql = now) => createSvixEngine(ctx, { now: at }).drain()

test('no message is lost when the process stops during a request', async () => {
  const org = await listening()
  for (const name of ['first', 'second', 'third']) await company(org, name)
  const engine = createSvixEngine(ctx)
  await dispatch()
  let count = 0
  standIn.interfere(({ operation }) =>
    operation === 'v1.message.create' && ++count === 2 ? { kind: 'never', isDone: true } : undefined,
  )
  engine.start()
  while (count < 2) await standIn.received(standIn.count() + 1)
  await engine.stop(0)
  standIn.interfere()
  expect((await waitingOf(org)).map(({ tries }) => tries)).toEqual([0, 0])
  await handOn()
  expect(namesOf(org)).toEqual(['first', 'second', 'third'])
  expect(await waitingOf(org)).toEqual([])
})

test('after a kill another process continues when the lease expires, and the first loses its lease', async () => {
  const org = await listening()
  await company(org)
  await dispatch()
  const [dead] = await leaseApplications(ctx.db, 10, now())
  expect(dead).toMatchObject({ org: org.org, orgId: org.id })
  await handOn()
  expect(takenOf(org)).toEqual([])
  const later = () => sql`now() + interval '61 s'`
  await handOn(later)
  expect(namesOf(org)).toEqual(['Acme'])
  if (!dead) throw new Error('there is a lease')
  await company(org)
  await dispatch()
  const [message] = await waitingOf(org)
  expect(await deleteMessage(ctx.db, dead, message?.event ?? '', now())).toBe(false)
  await releaseSvixLease(ctx.db, dead, { now: now() })
  expect(await waitingOf(org)).toHaveLength(1)
})

test('two concurrent processes send each message once while events are written', async () => {
  const orgs = [await listening(), await listening(), await listening()]
  const engines = [...enginesOf(ctx), ...enginesOf(ctx)]
  for (const engine of engines) engine.start()
  let turn = 0
  standIn.interfere(({ operation }) =>
    operation === 'v1.message.create' && ++turn % 7 === 0 ? { kind: 'reset', isDone: true } : undefined,
  )
  await Promise.all(orgs.flatMap((org) => Array.from({ length: 20 }, (_, n) => company(org, `${n}`))))
  await Promise.all(engines.map((engine) => engine.stop(5000)))
  standIn.interfere()
  await dispatch()
  await handOn(() => sql`now() + interval '11 minutes'`)
  for (const org of orgs) {
    const ids = takenOf(org).map(({ eventId }) => eventId)
    expect([ids.length, new Set(ids).size]).toEqual([20, 20])
    expect(await waitingOf(org)).toEqual([])
  }
})

test('the sweeper wakes an application with waiting messages that is not due', async () => {
  const org = await listening()
  await company(org)
  await dispatch()
  await ctx.db.run(sql`update svix_applications set due_at = 'infinity' where org = ${org.org}`)
  await handOn()
  expect(takenOf(org)).toEqual([])
  expect(await countMessages(ctx.db)).toEqual({ waiting: 1, stopped: 0, forgotten: 1 })
  await sweepSvix(ctx)
  await handOn()
  expect(namesOf(org)).toEqual(['Acme'])
})

test('an organization for which Svix never responds does not delay others', async () => {
  const [silent, ...others] = await Promise.all(Array.from({ length: 4 }, listening))
  if (!silent) throw new Error('there is one')
  meetWith(silent, { kind: 'never' })
  const engines = enginesOf(ctx)
  for (const engine of engines) engine.start()
  await company(silent)
  const before = standIn.count()
  await Promise.all(others.map((org) => company(org)))
  while (others.some((org) => takenOf(org).length === 0)) await standIn.received(standIn.count() + 1)
  expect(standIn.count()).toBeGreaterThanOrEqual(before + 3)
  await Promise.all(engines.map((engine) => engine.stop(0)))
  expect(takenOf(silent)).toEqual([])
  expect(await waitingOf(silent)).toMatchObject([{ tries: 0 }])
})
