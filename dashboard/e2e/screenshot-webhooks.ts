// Data for screenshots of webhooks: a healthy endpoint, a failing one, and events for both.
import type { APIRequestContext } from 'playwright-core'
import { startReceiver } from '../../server/test/receiver.ts'

export interface WebhookPlaces {
  /** Path of an endpoint's page, with an open delivery. */
  delivery: string
  /** Path of the portal, with a token. */
  portal: string
  close(): Promise<void>
}

const EVENTS = 8

/** @param organization path of the organization in the dashboard's API; page: path of its pages */
export async function makeWebhooks(
  request: APIRequestContext,
  { organization, page }: { organization: string; page: string },
): Promise<WebhookPlaces> {
  const [well, badly] = [await startReceiver(), await startReceiver()]
  well.answer({ body: '{"received":true}', headers: { 'content-type': 'application/json' } })
  badly.answer({ status: 503, body: 'down for maintenance' })
  const post = async (path: string, data: object) =>
    (await request.post(`${organization}${path}`, { data })).json()
  const { id } = await post('/webhooks/endpoints', { url: `${well.url}/crm`, description: 'Data warehouse' })
  const eventTypes = ['record.updated']
  await post('/webhooks/endpoints', { url: `${badly.url}/hooks`, description: 'Invoices', eventTypes })
  const { records } = await (
    await request.get(`${organization}/objects/deals/records?limit=${EVENTS}&filter[stage][equals]=Lead`)
  ).json()
  for (const record of records)
    await request.patch(`${organization}/objects/deals/records/${record.id}`, {
      data: { data: { stage: 'Qualified' } },
    })
  await Promise.all([well.received(records.length), badly.received(1)])
  const { deliveries } = await (
    await request.get(`${organization}/webhooks/endpoints/${id}/deliveries?limit=1`)
  ).json()
  const { key } = await post('/api-keys', { name: 'Portal', scopes: ['webhooks:manage'] })
  const { portalUrl } = await (
    await request.get('/api/v1/webhooks', { headers: { authorization: `Bearer ${key}` } })
  ).json()
  return {
    portal: portalUrl.slice(new URL(portalUrl).origin.length),
    delivery: `${page}/settings/webhooks/${id}?delivery=${deliveries[0].id}`,
    close: async () => {
      await Promise.all([well.close(), badly.close()])
    },
  }
}
