// What follows from Svix's answer to a message.
import { nextAttempt, retryAfterMs } from '../delivery/retry-policy.ts'
import type { SvixAnswer } from './client.ts'

/** taken: Svix has it. again: later. refused: it never will take this one. expired: the time for retries is over. */
export type Classification =
  | { kind: 'taken' }
  | { kind: 'again'; inMs: number }
  | { kind: 'refused' }
  | { kind: 'expired' }

interface Waiting {
  /** Tries that failed before. */
  tries: number
  giveUpInMs: number
}

const CONFLICT = 409
/** Said of the message, not of Svix, the token or the application: as wrong tomorrow, and others must not wait. */
const REFUSALS = new Set([400, 413, 422])
/**
 * From there the schedule goes on in its steps of 10 minutes: all messages of an organization wait for the first
 * one, and after an outage of Svix none should wait for hours.
 */
const LAST_STEP = 4

const isTaken = ({ status }: SvixAnswer) =>
  // It was taken before, and the answer was lost.
  status === CONFLICT || (status !== null && status >= 200 && status < 300)

export function classify(
  answer: SvixAnswer,
  { tries, giveUpInMs }: Waiting,
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
