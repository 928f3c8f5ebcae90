// Turns of reports on this node: one of each organization at a time, and few together.
import { REPORT_WAIT_SECONDS } from '../../contract/report-states.ts'
import { AppError } from '../errors.ts'

const AT_ONCE = 2

/** Gives the turn back. */
type Release = () => void

export interface Turns {
  /** @throws 429 report_busy after waiting until `deadline` (milliseconds since 1970) */
  take(org: number, deadline: number): Promise<Release>
}

interface Waiter {
  org: number
  start: () => void
}

export const reportBusy = () =>
  new AppError(
    'report_busy',
    'Other reports are running: one runs at a time for an organization, and few for all. Try again shortly',
    { retryAfter: REPORT_WAIT_SECONDS },
  )

export function createTurns(atOnce = AT_ONCE): Turns {
  const running = new Set<number>()
  const waiting: Waiter[] = []

  function admit(): void {
    // Whoever waits for its own organization does not keep others waiting.
    const next = running.size < atOnce ? waiting.findIndex(({ org }) => !running.has(org)) : -1
    const [waiter] = next === -1 ? [] : waiting.splice(next, 1)
    waiter?.start()
    if (waiter) admit()
  }

  function release(org: number): void {
    running.delete(org)
    admit()
  }

  return {
    take(org, deadline) {
      const { promise, resolve, reject } = Promise.withResolvers<Release>()
      const waiter: Waiter = {
        org,
        start() {
          clearTimeout(timer)
          running.add(org)
          resolve(() => release(org))
        },
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(waiter), 1)
        reject(reportBusy())
      }, deadline - Date.now())
      waiting.push(waiter)
      admit()
      return promise
    },
  }
}
