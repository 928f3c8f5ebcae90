// Replays of many deliveries: checks the request and queues a job (jobs.ts).
import type { NewReplay, Replay, ReplayList, ReplayQuery } from '../../../contract/webhooks.ts'
import type { Caller } from '../../base/caller.ts'
import { invalidField, notFound } from '../../base/errors.ts'
import { newId } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import { sealOf } from '../../http/cursor.ts'
import { askedPage, pageOf } from '../../http/paging.ts'
import { defineJob } from '../../jobs/queue.ts'
import type { WebhookContext } from '../context.ts'
import { lowestEventId, readTimestamp } from '../timestamps.ts'
import { findEndpoint, holdEndpoint } from './endpoint-store.ts'
import { endpointOf } from './references.ts'
import { countReplays, insertReplay, type ReplayRef, selectReplays } from './replays-store.ts'
import { endpointDisabled } from './service.ts'

export const WORK_ON_REPLAY = defineJob<ReplayRef>('webhooks.replay')

/** @throws 400 validation_error */
function requireTimestamp(path: string, text: string): Date {
  const at = readTimestamp(text)
  if (!at) throw invalidField(path, 'invalid_date', 'must be a timestamp in the years 1 to 9999')
  return at
}

/** `until` is exclusive, and at most now, so that a replay ends. @throws 400 validation_error */
function periodOf({ since, until }: NewReplay, now: Date): { since: Date; until: Date } {
  // Includes events of the current millisecond.
  const end = new Date(now.getTime() + 1)
  const asked = until === undefined ? end : requireTimestamp('until', until)
  const period = { since: requireTimestamp('since', since), until: asked < end ? asked : end }
  if (period.since >= period.until)
    throw invalidField(
      'since',
      'invalid_period',
      until === undefined
        ? 'must not be in the future: send an earlier time'
        : 'must be before until, and not in the future: send an earlier time',
    )
  return period
}

/** @throws 400 validation_error, 404 not_found, 409 endpoint_disabled */
export function startReplay(
  { db, clock, queue }: Pick<WebhookContext, 'db' | 'clock' | 'queue'>,
  { org, userId }: Pick<Caller, 'org' | 'userId'>,
  endpointId: string,
  asked: NewReplay,
): Promise<Replay> {
  const ref = endpointOf(org, endpointId)
  const period = periodOf(asked, clock.now())
  return db.transaction(async (tx) => {
    const endpoint = await holdEndpoint(tx, ref)
    if (!endpoint) throw notFound('endpoint')
    if (!endpoint.isEnabled) throw endpointDisabled()
    const id = newId()
    const row = { id, kind: asked.kind, ...period, position: lowestEventId(period.since), createdBy: userId }
    const replay = await insertReplay(tx, ref, row)
    await queue.enqueue(tx, WORK_ON_REPLAY, { org, id })
    return replay
  })
}

/** Newest first. @throws 400 invalid_parameter, 404 not_found */
export async function listReplays(
  { db }: { db: Db },
  { org }: Pick<Caller, 'org'>,
  endpointId: string,
  query: ReplayQuery,
): Promise<ReplayList> {
  const ref = endpointOf(org, endpointId)
  const asked = askedPage(query, { seal: sealOf(['replays', ref]) })
  if (!(await findEndpoint(db, ref))) throw notFound('endpoint')
  const found = await selectReplays(db, ref, asked)
  const total = asked.count ? await countReplays(db, ref) : undefined
  const { rows: replays, pagination } = pageOf(asked, { found, total })
  return { replays, pagination }
}
