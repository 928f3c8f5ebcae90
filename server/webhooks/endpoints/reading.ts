// Reads endpoints for responses: without secrets, with counts.
import type { Endpoint } from '../../../contract/webhooks.ts'
import type { SecretBox } from '../../secrets/box.ts'
import type { WebhookContext } from '../context.ts'
import { ifReadable, openHeaders, openTarget } from '../target.ts'
import { lastHours, statsOf } from './stats.ts'
import {
  countWaitingByEndpoint,
  type EndpointRow,
  getEndpoint,
  selectEndpoints,
  selectHours,
} from './store.ts'

type ReadingContext = Pick<WebhookContext, 'db' | 'clock' | 'secrets'>

const fieldsOf = (row: EndpointRow) => ({
  id: row.id,
  url: row.url,
  description: row.description,
  eventTypes: row.eventTypes,
  objectIds: row.objectIds,
  changedAttributes: row.changedAttributes,
  rateLimit: row.rateLimit,
  isEnabled: row.isEnabled,
  disabledReason: row.disabledReason,
  disabledAt: row.disabledAt,
  failingSince: row.failingSince,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

function sealedPartsOf(row: EndpointRow, box: SecretBox) {
  const headers = ifReadable(() => openHeaders(box, row, row.headers))
  return { headers: headers ?? [], areSecretsReadable: openTarget(box, row).keys !== null }
}

/** @param id counts only this endpoint */
async function withCounts(
  { db, clock, secrets }: ReadingContext,
  org: number,
  rows: readonly EndpointRow[],
  id?: string,
): Promise<Endpoint[]> {
  const hours = lastHours(clock.now())
  const [since = ''] = hours
  const [counts, attempts] = await Promise.all([
    countWaitingByEndpoint(db, org, id),
    selectHours(db, org, { since, id }),
  ])
  const waiting = new Map(counts.map((one) => [one.endpoint, one.waiting]))
  const byEndpoint = Map.groupBy(attempts, ({ endpoint }) => endpoint)
  return rows.map((row) => ({
    ...fieldsOf(row),
    ...sealedPartsOf(row, secrets),
    waiting: waiting.get(row.id) ?? 0,
    stats: statsOf(byEndpoint.get(row.id) ?? [], hours),
  }))
}

/** Oldest first. */
export const listEndpoints = async (ctx: ReadingContext, org: number): Promise<Endpoint[]> =>
  withCounts(ctx, org, await selectEndpoints(ctx.db, org))

/** @throws 404 not_found */
export async function readEndpoint(ctx: ReadingContext, org: number, id: string): Promise<Endpoint> {
  const row = await getEndpoint(ctx.db, org, id)
  const [endpoint] = await withCounts(ctx, org, [row], row.id)
  if (!endpoint) throw new Error('One row is one endpoint')
  return endpoint
}
