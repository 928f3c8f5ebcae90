// Erasures: asked for, listed.
import { isUuid } from '../../contract/common.ts'
import { PAGE_LIMIT_DEFAULT } from '../../contract/limits.ts'
import type { PrivacyQuery, PrivacyRequest, PrivacyRequestList } from '../../contract/privacy.ts'
import type { Caller, Context } from '../context.ts'
import { invalidField, notFound } from '../errors.ts'
import { decodeCursor, encodeCursor, sealOf } from '../http/cursor.ts'
import { defineJob } from '../jobs/queue.ts'
import { STEPS } from './erase/steps.ts'
import { requireSubject } from './preview.ts'
import { findRequest, findRunning, insertErasure, type RequestRef, selectRequests } from './store.ts'

export const WORK_ON_ERASURE = defineJob<RequestRef>('privacy.erase')

/** @throws 404 not_found */
export async function getRequest(
  { db }: Pick<Context, 'db'>,
  org: number,
  id: string,
): Promise<PrivacyRequest> {
  const found = isUuid(id) ? await findRequest(db, { org, id }, STEPS.length) : undefined
  if (!found) throw notFound('request')
  return found
}

/** A record that is being erased already has one erasure. @throws 400 validation_error, 404 not_found */
export async function eraseRecord(
  ctx: Context,
  caller: Caller,
  { confirm, ...place }: { objectId: string; recordId: string; confirm: string },
): Promise<PrivacyRequest> {
  const { model, id } = await requireSubject(ctx, caller.org, place)
  if (confirm.toLowerCase() !== id)
    throw invalidField('confirm', 'invalid_value', `must be the id of the record, ${id}`)
  const { org, userId, keyId } = caller
  return ctx.db.transaction(async (tx) => {
    const running = await findRunning(tx, org, id)
    if (running) return getRequest({ db: tx }, org, running)
    const row = {
      obj: model.obj,
      objectId: model.id,
      recordIds: [id],
      reason: 'request',
      userId,
      keyId,
    } as const
    const request = await insertErasure(tx, org, row)
    await ctx.queue.enqueue(tx, WORK_ON_ERASURE, { org, id: request })
    return getRequest({ db: tx }, org, request)
  })
}

const SEAL = sealOf('privacy requests')

/** @throws 400 invalid_parameter */
export async function listRequests(
  { db }: Pick<Context, 'db'>,
  { org }: Pick<Caller, 'org'>,
  { cursor, limit = PAGE_LIMIT_DEFAULT }: PrivacyQuery,
): Promise<PrivacyRequestList> {
  const before = cursor === undefined ? null : decodeCursor(cursor, SEAL, (key) => key === null).id
  const found = await selectRequests(db, org, { steps: STEPS.length, before, limit: limit + 1 })
  const requests = found.slice(0, limit)
  const last = found.length > limit ? requests.at(-1) : undefined
  const nextCursor = last && encodeCursor(SEAL, { key: null, id: last.id })
  return { requests, pagination: { limit, ...(nextCursor && { nextCursor }) } }
}
