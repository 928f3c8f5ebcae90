// Decides from an attempt what happens to the delivery and to the endpoint's worker.
import type { Failure } from '../../../contract/webhook-states.ts'
import { nextAttempt, retryAfterMs } from './retry-policy.ts'

interface Result {
  status: number | null
  failure: Failure | null
  responseHeaders: Readonly<Record<string, string | string[]>> | null
}

export interface Classification {
  state: 'pending' | 'succeeded' | 'failed'
  /** Attempts that failed since the delivery was last started. */
  tries: number
  nextInMs: number | null
  /** The receiver responded 410 Gone. */
  isGone: boolean
  /** The receiver is overloaded or unreachable. */
  isOverwhelmed: boolean
  /** The receiver sent Retry-After. */
  pauseMs: number
}

const PAUSE_MAX_MS = 3_600_000
const GONE = 410
const TOO_MANY = 429
const UNAVAILABLE = 503

/** Responses that mean "not now"; a 404 or a redirect would be the same tomorrow. */
const isOverwhelmed = ({ status, failure }: Result): boolean =>
  status === null
    ? failure !== 'blocked_address' && failure !== 'unreadable_secret'
    : status === TOO_MANY || status >= 500

function askedToWait({ responseHeaders }: Result, now: Date): number | undefined {
  const value = responseHeaders?.['retry-after']
  return retryAfterMs(Array.isArray(value) ? value[0] : value, now)
}

/**
 * @param tries attempts that had failed before, since the delivery was started
 * @param giveUpInMs the remaining time for retries
 */
export function classify(
  result: Result,
  { tries, giveUpInMs }: { tries: number; giveUpInMs: number },
  { now, random }: { now: Date; random: () => number },
): Classification {
  if (result.failure === null)
    return { state: 'succeeded', tries, nextInMs: null, isGone: false, isOverwhelmed: false, pauseMs: 0 }
  const wait = askedToWait(result, now)
  const isGone = result.status === GONE
  const next = isGone
    ? undefined
    : nextAttempt({
        tries: tries + 1,
        now,
        giveUpAt: new Date(now.getTime() + giveUpInMs),
        retryAfterMs: wait,
        random,
      })
  const isPause = result.status === TOO_MANY || result.status === UNAVAILABLE
  return {
    state: next ? 'pending' : 'failed',
    tries: tries + 1,
    nextInMs: next ? next.getTime() - now.getTime() : null,
    isGone,
    isOverwhelmed: isOverwhelmed(result),
    pauseMs: isPause ? Math.min(wait ?? 0, PAUSE_MAX_MS) : 0,
  }
}
