// Webhooks and the feed of events.
import sql from 'sql-template-tag'
import { vi } from 'vitest'
import {
  create,
  fresh,
  idOf,
  none,
  only,
  type Party,
  type RouteCase,
  type RouteRequest,
  withBody,
} from './party.ts'
import { makeCompany } from './records.ts'

/** The id of the party's oldest event. Transactions of other tests can delay the feed, so it waits. */
function oldestEvent({ org }: Party): Promise<string> {
  return vi.waitFor(async () => {
    const { body } = await org.get<{ events: [{ id: string }?] }>('/events?limit=1')
    const [first] = body.events
    if (first === undefined) throw new Error('no event yet')
    return first.id
  }, 60_000)
}

async function followingEvents(party: Party): Promise<RouteRequest> {
  await makeCompany(party)
  return { params: {}, query: { after: await oldestEvent(party), types: 'record.created,activity.created' } }
}

const ENDPOINTS = '/webhooks/endpoints'

/** An endpoint at a port where nothing listens. */
const newEndpoint = ({ mark }: Party) => ({
  url: `http://127.0.0.1:9/${mark}/${fresh()}`,
  description: mark,
  eventTypes: ['workflow.failed'],
})

/** Removes endpoints of earlier requests: an organization may have 100. */
async function makeRoom({ org }: Party): Promise<void> {
  const { body } = await org.get<{ endpoints: { id: string }[] }>(ENDPOINTS)
  if (body.endpoints.length < 90) return
  for (const { id } of body.endpoints.slice(0, 60)) await org.delete(`${ENDPOINTS}/${id}`)
}

async function roomFor(party: Party): Promise<object> {
  await makeRoom(party)
  return newEndpoint(party)
}

const ofEndpoint = async (party: Party) => ({
  endpointId: idOf(await create(party, ENDPOINTS, await roomFor(party))),
})

async function ofDelivery(party: Party) {
  const { endpointId } = await ofEndpoint(party)
  const sent = await party.org.post(`${ENDPOINTS}/${endpointId}/test`, { type: 'record.created' })
  if (sent.status !== 200) throw new Error(`The test was refused: ${JSON.stringify(sent.body)}`)
  return { deliveryId: idOf(sent.body) }
}

/** Changes a test delivery to one of an event, because test deliveries cannot be replayed. */
async function ofReplayable(party: Party) {
  const { deliveryId } = await ofDelivery(party)
  await party.ctx.db.run(sql`
    update webhook_deliveries set trigger = 'event' where org = ${party.org.org} and trigger = 'test'`)
  return { deliveryId }
}

const minutesAgo = () => new Date(Date.now() - Number(fresh()) * 60_000).toISOString()

const endpointCases = {
  'GET /webhooks/catalogue': { good: only(none) },
  'GET /webhooks/endpoints': { good: only(none) },
  'POST /webhooks/endpoints': { good: withBody(none, roomFor) },
  'GET /webhooks/endpoints/:endpointId': { good: only(ofEndpoint) },
  'PATCH /webhooks/endpoints/:endpointId': {
    good: withBody(ofEndpoint, ({ mark }) => ({ description: `${mark} ${fresh()}`, isEnabled: false })),
  },
  'DELETE /webhooks/endpoints/:endpointId': { good: only(ofEndpoint) },
  'GET /webhooks/endpoints/:endpointId/secret': { good: only(ofEndpoint) },
  'POST /webhooks/endpoints/:endpointId/secret/rotate': { good: only(ofEndpoint) },
  'POST /webhooks/endpoints/:endpointId/test': {
    good: withBody(ofEndpoint, () => ({ type: 'record.created' })),
  },
  'GET /webhooks/endpoints/:endpointId/deliveries': {
    good: async (party) => ({ params: await ofEndpoint(party), query: { state: 'failed', limit: '5' } }),
  },
  'GET /webhooks/deliveries/:deliveryId': { good: only(ofDelivery) },
  'POST /webhooks/deliveries/:deliveryId/replay': { good: only(ofReplayable) },
  'GET /webhooks/endpoints/:endpointId/replays': { good: only(ofEndpoint) },
  'POST /webhooks/endpoints/:endpointId/replays': {
    good: withBody(ofEndpoint, () => ({ kind: 'failed', since: minutesAgo() })),
  },
} satisfies Readonly<Record<string, RouteCase>>

export const eventCases = {
  'GET /webhooks': { good: only(none) },
  ...endpointCases,
  'GET /events': { good: followingEvents },
} satisfies Readonly<Record<string, RouteCase>>
