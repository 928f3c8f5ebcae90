import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Db } from '../../db/pool.ts'
import { createDispatch } from '../../events/dispatch.ts'
import { buildTestService } from '../../test/build-app.ts'
import type { Org } from '../../test/factories.ts'
import { type EndpointRows, insertEndpoint } from '../endpoint.fixture.ts'
import { directEndpointSink, endpointSink } from './dispatch-store.ts'
import { lockEndpointQueue } from './endpoint-queue-store.ts'
import { disableEndpoint } from './health-store.ts'

const service = await buildTestService()
const { ctx } = service
const now = () => sql`now()`

const { round } = createDispatch(ctx.db, {
  ...{ consumer: 'webhooks', now, sink: endpointSink, directSink: directEndpointSink },
})

async function dispatchAll(): Promise<void> {
  while (await round());
}

async function waitingEvent(): Promise<EndpointRows & { of: Org }> {
  const of = await service.org()
  const endpoint = await insertEndpoint(ctx, of.org)
  expect((await of.post('/objects/companies/records', { data: { name: 'Acme' } })).status).toBe(201)
  return { ...endpoint, of }
}

const isWaitingForLock = () =>
  ctx.db.value<boolean>(sql`
    select exists (select from pg_locks l join pg_stat_activity a using (pid)
      where not l.granted and a.query like '%event_pending%')`)

/** Dispatches while a transaction with `change` locks the queue. It commits when the dispatch waits for the lock. */
async function dispatchDuring({ org, endpoint }: EndpointRows, change: (tx: Db) => Promise<unknown>) {
  let dispatching: Promise<void> | undefined
  await ctx.db.transaction(async (tx) => {
    await lockEndpointQueue(tx, { org, endpoint })
    await change(tx)
    dispatching = dispatchAll()
    await expect.poll(isWaitingForLock, { interval: 5 }).toBe(true)
  })
  await dispatching
}

const queueOf = ({ endpoint }: EndpointRows) =>
  ctx.db.maybeOne(sql`
    select due_at <= now() as "isDue", (
      select count(*)::int from webhook_deliveries d where d.endpoint = l.endpoint and d.state = 'pending') as pending
    from webhook_lanes l where endpoint = ${endpoint}`)

test('a queue that is released while the dispatch waits for its lock becomes due', async () => {
  const hook = await waitingEvent()
  await ctx.db.run(sql`
    update webhook_lanes set due_at = now() - interval '1 second' where endpoint = ${hook.endpoint}`)
  await dispatchDuring(hook, (tx) =>
    tx.run(sql`update webhook_lanes set due_at = 'infinity' where endpoint = ${hook.endpoint}`),
  )
  expect(await queueOf(hook)).toEqual({ isDue: true, pending: 1 })
})

test('an endpoint that is disabled while the dispatch waits keeps the event pending', async () => {
  const hook = await waitingEvent()
  await dispatchDuring(hook, (tx) => disableEndpoint(tx, hook, { why: { reason: 'manual' } }))
  expect(await queueOf(hook)).toMatchObject({ pending: 1 })
  await service.deliver()
  expect(await queueOf(hook)).toEqual({ isDue: false, pending: 1 })
})

test('an endpoint that is deleted while the dispatch waits gets no delivery', async () => {
  const hook = await waitingEvent()
  await dispatchDuring(hook, (tx) => tx.run(sql`delete from webhook_endpoints where id = ${hook.endpoint}`))
  expect(await queueOf(hook)).toBeUndefined()
  const deliveries = sql`select count(*)::int as n from webhook_deliveries where endpoint = ${hook.endpoint}`
  expect(await ctx.db.value(deliveries)).toBe(0)
  expect(await ctx.db.many(sql`select from event_pending where org = ${hook.org}`)).toEqual([])
})

test('after a failed statement, events are dispatched in a transaction, and then directly again', async () => {
  const hook = await waitingEvent()
  let calls = 0
  const dispatch = createDispatch(ctx.db, {
    ...{ consumer: 'webhooks', now, sink: endpointSink },
    directSink: async (...given) => {
      if (++calls === 1) throw new Error('the statement fails')
      return directEndpointSink(...given)
    },
  })
  await expect(dispatch.round()).rejects.toThrow('the statement fails')
  while (await dispatch.round());
  expect(await queueOf(hook)).toEqual({ isDue: true, pending: 1 })
  expect(calls).toBeGreaterThan(1)
})
