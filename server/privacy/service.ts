// Starts and lists erasures.
import { isUuid } from '../../contract/common.ts'
import type { PrivacyQuery, PrivacyRequest, PrivacyRequestList } from '../../contract/privacy.ts'
import type { Caller } from '../base/caller.ts'
import { invalidField, notFound } from '../base/errors.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { sealOf } from '../http/cursor.ts'
import { askedPage, pageOf } from '../http/paging.ts'
import { defineJob, type Queue } from '../jobs/queue.ts'
import { getObject } from '../model/objects/store.ts'
import { ERASURE_STEPS } from './erase/steps.ts'
import { requirePrivacySubject } from './preview.ts'
import {
  countRequests,
  findOpenErasure,
  findRequest,
  insertErasure,
  type RequestRef,
  resumeErasure,
  selectRequests,
} from './store.ts'

export const WORK_ON_ERASURE = defineJob<RequestRef>('privacy.erase')

/** @throws 404 not_found */
export async function getRequest({ db }: { db: Db }, org: number, id: string): Promise<PrivacyRequest> {
  const found = isUuid(id) ? await findRequest(db, { org, id }, ERASURE_STEPS.length) : undefined
  if (!found) throw notFound('request')
  return found
}

interface Asked {
  obj: number
  objectId: string
  recordId: string
  /** False if the record was deleted, by a running or failed erasure or otherwise. */
  isThere: boolean
}

/** @throws 404 not_found for a record that has no data, and no erasure to continue */
async function findAsked(
  ctx: Context,
  org: number,
  place: { objectId: string; recordId: string },
): Promise<Asked> {
  try {
    const { model, id, isPurged } = await requirePrivacySubject(ctx, org, place)
    return { obj: model.obj, objectId: model.id, recordId: id, isThere: !isPurged }
  } catch (error) {
    const recordId = place.recordId.toLowerCase()
    const open = isUuid(recordId) ? await findOpenErasure(ctx.db, org, recordId) : undefined
    if (!open) throw error
    const { obj, id: objectId } = await getObject(ctx.db, org, place.objectId)
    if (open.objectId !== objectId) throw error
    return { obj, objectId, recordId, isThere: false }
  }
}

/** Continues a failed erasure, so that copies of the data that it has removed are found too. */
async function startErasure(
  { queue }: { queue: Queue },
  tx: Db,
  { caller: { org, userId, keyId }, asked }: { caller: Caller; asked: Asked },
): Promise<string> {
  const { recordId, isThere, ...object } = asked
  const open = await findOpenErasure(tx, org, recordId)
  if (open?.state === 'running') return open.id
  const isResumed = open && (await resumeErasure(tx, { org, id: open.id }, isThere)) > 0
  const row = { ...object, recordIds: [recordId], reason: 'request', userId, keyId } as const
  const id = isResumed ? open.id : await insertErasure(tx, org, row)
  await queue.enqueue(tx, WORK_ON_ERASURE, { org, id })
  return id
}

/**
 * A record that is being erased has only one erasure. A failed erasure continues.
 * @throws 400 validation_error, 404 not_found
 */
export async function eraseRecord(
  ctx: Context,
  caller: Caller,
  { confirm, ...place }: { objectId: string; recordId: string; confirm: string },
): Promise<PrivacyRequest> {
  const asked = await findAsked(ctx, caller.org, place)
  const { recordId } = asked
  if (confirm.toLowerCase() !== recordId)
    throw invalidField('confirm', 'invalid_value', `must be the id of the record, ${recordId}`)
  return ctx.db.transaction(async (tx) => {
    const id = await startErasure(ctx, tx, { caller, asked })
    return getRequest({ db: tx }, caller.org, id)
  })
}

/** Newest first. @throws 400 invalid_parameter */
export async function listRequests(
  { db }: { db: Db },
  { org }: Pick<Caller, 'org'>,
  query: PrivacyQuery,
): Promise<PrivacyRequestList> {
  const asked = askedPage(query, { seal: sealOf(['privacy requests', org]) })
  const found = await selectRequests(db, org, ERASURE_STEPS.length, asked)
  const total = asked.count ? await countRequests(db, org) : undefined
  const { rows: requests, pagination } = pageOf(asked, { found, total })
  return { requests, pagination }
}
