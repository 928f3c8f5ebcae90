// The queue of reports on this node: one report of each organization at a time, and few in total.
import { REPORT_WAIT_SECONDS } from '../../contract/report-states.ts'
import { AppError } from '../base/errors.ts'
import { createKeyedSemaphore, NoPlaceError, type Release } from '../base/keyed-semaphore.ts'

const AT_ONCE = 2

export interface ReportQueue {
  /** @throws 429 report_busy after waiting until `deadline` (milliseconds since 1970) */
  take(org: number, deadline: number): Promise<Release>
  readonly waiting: number
}

export const reportBusy = () =>
  new AppError(
    'report_busy',
    'Other reports are running: an organization runs one report at a time. Try again shortly',
    { retryAfter: REPORT_WAIT_SECONDS },
  )

export function createReportQueue(atOnce = AT_ONCE): ReportQueue {
  const semaphore = createKeyedSemaphore<number>({ places: atOnce, perKey: 1 })
  return {
    take: (org, deadline) =>
      semaphore.acquire(org, { waitMs: deadline - Date.now() }).catch((error: unknown) => {
        throw error instanceof NoPlaceError ? reportBusy() : error
      }),
    get waiting() {
      return semaphore.usage.waiting
    },
  }
}
