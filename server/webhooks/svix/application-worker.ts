// Sends the messages of one organization to Svix, one after the other, while this process holds the lease of its
// application.
import type { Sql } from 'sql-template-tag'
import type { BaseContext } from '../../db/base-context.ts'
import { nextAttempt, retryAfterMs } from '../delivery/retry-policy.ts'
import { createApplication } from './applications.ts'
import type { Svix, SvixAnswer } from './client.ts'
import {
  deleteMessage,
  releaseSvixLease,
  type SvixLease,
  selectWaiting,
  stopExpired,
  stopMessage,
  type WaitingMessage,
} from './store.ts'

export interface ApplicationContext {
  ctx: Pick<BaseContext, 'db' | 'log' | 'clock'>
  svix: Svix
  /** The database's clock. */
  now: Sql
  random: () => number
  /** Aborted: no new request is started. */
  stopping: AbortSignal
  /** Aborted: the request in flight ends immediately, and counts as never sent. */
  aborting: AbortSignal
}

/** Few, because a message may have hundreds of kilobytes, and messages of many organizations are in memory. */
const BATCH = 10
/** After this time the lease is released, so that other organizations are served. */
const TURN_MS = 10_000
const NOT_FOUND = 404

async function send(
  lease: SvixLease,
  message: WaitingMessage,
  context: ApplicationContext,
): Promise<SvixAnswer> {
  const { svix, aborting } = context
  const answer = await svix.createMessage(lease.orgId, message, aborting)
  // The application was deleted at Svix: creates it again for the next try.
  if (answer.status === NOT_FOUND)
    await createApplication(svix, { uid: lease.orgId, name: lease.name }, aborting)
  return answer
}

function log({ ctx }: ApplicationContext, lease: SvixLease, { message, answer, verdict }: Result): void {
  const facts = { organization: lease.orgId, event: message.event, problem: answer.problem }
  if (verdict.kind === 'again') ctx.log.warn(facts, 'Svix did not accept a message: it is tried again')
  if (verdict.kind === 'refused') ctx.log.error(facts, 'Svix rejected a message: it is not tried again')
  if (verdict.kind === 'expired')
    ctx.log.error(facts, 'Svix did not accept a message for 72 hours: it is not tried again')
}

/** taken: Svix has it. again: retry later. refused: Svix rejects this message. expired: the retry window is over. */
export type Classification =
  | { kind: 'taken' }
  | { kind: 'again'; inMs: number }
  | { kind: 'refused' }
  | { kind: 'expired' }

const CONFLICT = 409
/** Errors of the message itself: Svix would always reject it, and other messages must not wait for it. */
const REFUSALS = new Set([400, 413, 422])
/**
 * From this try on, the delay stays 10 minutes. All messages of an organization wait for the first one, and they should
 * not wait for hours after an outage of Svix.
 */
const LAST_STEP = 4

const isTaken = ({ status }: SvixAnswer) =>
  // On a conflict, Svix accepted the message before, and the response was lost.
  status === CONFLICT || (status !== null && status >= 200 && status < 300)

/** Decides what happens to a message after the response of Svix. */
export function classifySvixError(
  answer: SvixAnswer,
  { tries, giveUpInMs }: Pick<WaitingMessage, 'tries' | 'giveUpInMs'>,
  { now, random }: { now: Date; random: () => number },
): Classification {
  if (isTaken(answer)) return { kind: 'taken' }
  if (answer.status !== null && REFUSALS.has(answer.status)) return { kind: 'refused' }
  const next = nextAttempt({
    tries: Math.min(tries + 1, LAST_STEP),
    now,
    giveUpAt: new Date(now.getTime() + giveUpInMs),
    retryAfterMs: retryAfterMs(answer.retryAfter, now),
    random,
  })
  return next ? { kind: 'again', inMs: next.getTime() - now.getTime() } : { kind: 'expired' }
}

interface Result {
  message: WaitingMessage
  answer: SvixAnswer
  verdict: Classification
}

/** Writes the result of a message. @returns whether the next message can be sent */
async function commit(lease: SvixLease, result: Result, context: ApplicationContext): Promise<boolean> {
  const { ctx, now } = context
  const { message, answer, verdict } = result
  log(context, lease, result)
  if (verdict.kind === 'taken') return deleteMessage(ctx.db, lease, message.event, now)
  const { status, problem } = answer
  if (verdict.kind !== 'again')
    return stopMessage(ctx.db, lease, { event: message.event, status, problem, now })
  const postponed = { event: message.event, inMs: verdict.inMs, status, problem }
  await releaseSvixLease(ctx.db, lease, { now, postponed })
  return false
}

/** @returns whether this process still holds the lease */
async function work(lease: SvixLease, context: ApplicationContext): Promise<boolean> {
  const { ctx, random } = context
  const until = performance.now() + TURN_MS
  const isOver = () => context.stopping.aborted || performance.now() > until
  const late = await stopExpired(ctx.db, lease, context.now)
  if (late > 0)
    ctx.log.error({ organization: lease.orgId, messages: late }, 'messages for Svix waited for 72 hours')
  for (let isMore = true; isMore; ) {
    const waiting = await selectWaiting(ctx.db, lease, { limit: BATCH, now: context.now })
    for (const message of waiting) {
      if (isOver()) return true
      const answer = await send(lease, message, context)
      const verdict = classifySvixError(answer, message, { now: ctx.clock.now(), random })
      if (!(await commit(lease, { message, answer, verdict }, context))) return false
    }
    isMore = waiting.length === BATCH
  }
  return true
}

/** Ends when no message waits, when a message must be retried later, or after TURN_MS. */
export async function runApplicationWorker(lease: SvixLease, context: ApplicationContext): Promise<void> {
  const isOurs = await work(lease, context).catch((error: unknown) => {
    if (context.aborting.aborted) return true
    throw error
  })
  if (isOurs) await releaseSvixLease(context.ctx.db, lease, { now: context.now })
}
