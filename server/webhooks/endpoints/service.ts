// Rules and transactions of webhook endpoints and their secrets.
import { ENDPOINTS_MAX } from '../../../contract/webhook-states.ts'
import type { Endpoint, EndpointPatch, EndpointSecret, NewEndpoint } from '../../../contract/webhooks.ts'
import type { Author } from '../../base/caller.ts'
import { AppError } from '../../base/errors.ts'
import { newId } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import { addListener, lockListener, removeListener } from '../../events/outbox-entries.ts'
import { requireMatch } from '../../http/etag.ts'
import type { WebhookContext } from '../context.ts'
import { disableEndpoint } from '../delivery/health-store.ts'
import { ifReadable, newSecret, openSecret, sealSecret } from '../target.ts'
import { readFields } from './fields.ts'
import { readEndpoint } from './reading.ts'
import {
  countEndpoints,
  deleteEndpointRow,
  type EndpointRow,
  enableEndpoint,
  endpointEtag,
  getEndpoint,
  insertEndpoint,
  lockEndpoint,
  replaceSecret,
  updateEndpoint,
} from './store.ts'

type WritingContext = Pick<WebhookContext, 'db' | 'clock' | 'secrets' | 'egress'>

const EVERYTHING = {
  description: '',
  eventTypes: null,
  objs: null,
  changedAttributes: null,
  headers: null,
  rateLimit: null,
}

/** The caller has locked the listener: no other endpoint is created before the transaction ends. */
async function requireRoom(tx: Db, org: number): Promise<void> {
  if ((await countEndpoints(tx, org)) < ENDPOINTS_MAX) return
  throw new AppError(
    'limit_reached',
    `There are already ${ENDPOINTS_MAX} endpoints, the maximum for an organization: delete one first`,
  )
}

/**
 * The endpoint is enabled and gets a new secret. `userId` is null when a command creates it.
 * @throws 400 validation_error, 409 limit_reached
 */
export async function createEndpoint(
  ctx: WritingContext,
  { org, userId }: Pick<Author, 'org' | 'userId'>,
  input: NewEndpoint,
): Promise<Endpoint> {
  const id = newId()
  const fields = { ...EVERYTHING, url: input.url, ...(await readFields(ctx, { org, id }, input)) }
  const secret = sealSecret(ctx.secrets, { org, id }, newSecret())
  await ctx.db.transaction(async (tx) => {
    await addListener(tx, org, 'webhooks')
    await requireRoom(tx, org)
    await insertEndpoint(tx, org, { ...fields, id, secret, createdBy: userId })
  })
  return readEndpoint(ctx, org, id)
}

async function switchEndpoint(tx: Db, { org, id, isEnabled }: EndpointRow, wanted: boolean): Promise<void> {
  if (wanted === isEnabled) return
  if (wanted) await enableEndpoint(tx, org, id)
  else await disableEndpoint(tx, { org, endpoint: id }, { why: { reason: 'manual' } })
}

interface Change {
  endpointId: string
  ifMatch?: string | undefined
}

/** Changes only the given fields. @throws 400 validation_error, 404 not_found, 412 precondition_failed */
export async function patchEndpoint(
  ctx: WritingContext,
  org: number,
  { endpointId, ifMatch, patch: { isEnabled, ...patch } }: Change & { patch: EndpointPatch },
): Promise<Endpoint> {
  const { id } = await getEndpoint(ctx.db, org, endpointId)
  const fields = await readFields(ctx, { org, id }, patch)
  await ctx.db.transaction(async (tx) => {
    const before = await lockEndpoint(tx, org, id)
    requireMatch(ifMatch, endpointEtag(before))
    if (Object.keys(fields).length > 0) await updateEndpoint(tx, org, { ...before, ...fields })
    if (isEnabled !== undefined) await switchEndpoint(tx, before, isEnabled)
  })
  return readEndpoint(ctx, org, id)
}

/** Deleting the last endpoint removes the listener: changes then write no outbox entries. @throws 404, 412 */
export const deleteEndpoint = (
  { db }: { db: Db },
  org: number,
  { endpointId, ifMatch }: Change,
): Promise<string> =>
  db.transaction(async (tx) => {
    await lockListener(tx, org, 'webhooks')
    const endpoint = await lockEndpoint(tx, org, endpointId)
    requireMatch(ifMatch, endpointEtag(endpoint))
    const { id } = endpoint
    await deleteEndpointRow(tx, org, id)
    if ((await countEndpoints(tx, org)) === 0) await removeListener(tx, org, 'webhooks')
    return id
  })

/** @throws 404 not_found, 409 unreadable_secret */
export async function readSecret(
  { db, secrets }: Pick<WebhookContext, 'db' | 'secrets'>,
  org: number,
  endpointId: string,
): Promise<EndpointSecret> {
  const row = await getEndpoint(db, org, endpointId)
  const secret = ifReadable(() => openSecret(secrets, row, row.secret))
  if (secret !== undefined) return { secret, previousUntil: row.previousUntil }
  throw new AppError(
    'unreadable_secret',
    'This secret was encrypted with a key that this installation no longer has: rotate it, or restore the key',
  )
}

/** The former secret also signs for ROTATION_GRACE_HOURS. Older secrets no longer sign. @throws 404 */
export async function rotateSecret(
  { db, secrets }: Pick<WebhookContext, 'db' | 'secrets'>,
  org: number,
  endpointId: string,
): Promise<EndpointSecret> {
  const secret = newSecret()
  return db.transaction(async (tx) => {
    const row = await lockEndpoint(tx, org, endpointId)
    const keepPrevious = ifReadable(() => openSecret(secrets, row, row.secret)) !== undefined
    const sealed = sealSecret(secrets, row, secret)
    const { previousUntil } = await replaceSecret(tx, org, { id: row.id, secret: sealed, keepPrevious })
    return { secret, previousUntil }
  })
}
