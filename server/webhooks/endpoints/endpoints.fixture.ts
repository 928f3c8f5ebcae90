// Creates endpoints for tests, and reads their state from the database.
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import type { Endpoint } from '../../../contract/webhooks.ts'
import type { Reply, Requests } from '../../test/dashboard-client.ts'
import { bodyOf, type Org } from '../../test/factories.ts'
import type { SharedService } from '../../test/shared-service.ts'

export const PATH = '/webhooks/endpoints'
export const NO_SUCH = '0198c0de-0000-7000-8000-000000000001'
export const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

/** Creates an organization with its owner. */
export async function buildWorld(service: SharedService) {
  const org = await service.org()
  return { org, olivia: await org.member('owner') }
}

/** Creates an endpoint with the API. */
export const make = async (who: Requests, input: object = {}): Promise<Endpoint> =>
  bodyOf(await who.post<Endpoint>(PATH, { url: 'https://hooks.example.com/crm', ...input }), 201)

export const problemsOf = (reply: Reply<object>): string[] => {
  const { details } = reply.body as { details?: { errors?: { path: string; code: string }[] } }
  return (details?.errors ?? []).map(({ path, code }) => `${path}: ${code}`)
}

export const idOf = async (org: Org, slug: string) => (await org.get(`/objects/${slug}`)).body['id'] as string

export const countListeners = ({ ctx }: SharedService, { org }: Org): Promise<number> =>
  ctx.db.value<number>(sql`select count(*) as n from event_listeners where org = ${org}`)

/** When the queue is due: now, later or never; undefined: there is no queue. */
export const queueDue = async ({ ctx }: SharedService, { org }: Org, endpoint: string) =>
  (
    await ctx.db.maybeOne<{ due: string }>(sql`
      select case when due_at = 'infinity' then 'never' when due_at <= now() then 'now' else 'later' end as due
      from webhook_lanes where org = ${org} and endpoint = ${endpoint}`)
  )?.due
