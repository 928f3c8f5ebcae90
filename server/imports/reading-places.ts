// Limits requests that read a whole file: two at the same time in a process, and one for each organization.
import { rateLimited, unavailable } from '../base/errors.ts'
import { createKeyedSemaphore, NoPlaceError } from '../base/keyed-semaphore.ts'

/** Keyed by organization. */
export const readingPlaces = createKeyedSemaphore<number>({ places: 2, perKey: 1 })

const WAIT_MS = 20_000
const WAITING_MAX = 3
const RETRY_AFTER_SECONDS = 10

/** @throws 429 rate_limit_exceeded, 503 unavailable, and what `work` throws */
export async function withReadingPlace<Result>(org: number, work: () => Promise<Result>): Promise<Result> {
  const patience = { waitMs: WAIT_MS, waitingMax: WAITING_MAX }
  const release = await readingPlaces.acquire(org, patience).catch((error: unknown) => {
    if (!(error instanceof NoPlaceError)) throw error
    throw error.reason === 'all'
      ? unavailable('Too many files are being read: try again shortly')
      : rateLimited(
          RETRY_AFTER_SECONDS,
          'Other files of your organization are being read, one after the other: try again shortly',
        )
  })
  try {
    return await work()
  } finally {
    release()
  }
}
