// Routes of the API that wake only some workers, or none, leave no work for other workers, which find it only by
// polling.
import sql from 'sql-template-tag'
import { expect, test, vi } from 'vitest'
import { apiRoutes } from './api-routes.ts'
import { createAsk } from './ask.ts'
import { buildTestService } from './build-app.ts'
import { dataOf } from './organization-data.ts'
import { newParty, ROUTE_CASES } from './route-cases.ts'

const service = await buildTestService()
const { db } = service.ctx
const { ask } = await createAsk(service)
const party = await newParty(service)

const wakesOf = new Map(service.routes.map(({ method, url, config }) => [`${method} ${url}`, config?.wakes]))
const routes = apiRoutes(service.routes).flatMap((route) => {
  const wakes = wakesOf.get(`${route.method} /api/v1${route.path}`)
  return wakes ? [{ ...route, wakes }] : []
})

const enqueue = vi.spyOn(service.ctx.queue, 'enqueue')

/** Work that workers find without events. */
const countWork = () =>
  db.one(sql`
    select (select count(*) from workflow_runs where org = ${party.org.org}) as runs,
           (select count(*) from webhook_messages where org = ${party.org.org}) as messages,
           (select count(*) from outgoing_mail where organization_id = ${party.org.id}) as mail`)

const eventsOf = () => db.one(sql`select count(*) from events where org = ${party.org.org}`)

test('some routes wake only some workers', () => expect(routes.length).toBeGreaterThan(5))

test.each(routes)('$key wakes $wakes, and leaves no other work', async ({ wakes, ...route }) => {
  const request = await ROUTE_CASES[route.key]?.good(party)
  if (!request) throw new Error('There is no case')
  const [work, events, data] = [await countWork(), await eventsOf(), await dataOf(db, party.org.org)]
  enqueue.mockClear()
  const response = await ask(route, request, { key: party.org.key })
  expect(response.statusCode, response.payload).toBe(route.success)
  expect(await countWork()).toEqual(work)
  expect(enqueue).not.toHaveBeenCalled()
  if (wakes === 'events') expect(await eventsOf()).not.toEqual(events)
  else expect(await dataOf(db, party.org.org)).toEqual(data)
})
