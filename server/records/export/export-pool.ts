// Separate connections for exports, shared fairly between organizations, and the minimum rate of reading.
import type { ClientConfig } from 'pg'
import { rateLimited, unavailable } from '../../base/errors.ts'
import {
  createKeyedSemaphore,
  type KeyedSemaphore,
  NoPlaceError,
  type Release,
} from '../../base/keyed-semaphore.ts'
import type { Config } from '../../config/config.ts'
import { openPool, type Pool, type PoolOptions } from '../../db/pool.ts'
import type { MinRateStream } from './min-rate-stream.ts'

type Paced = Pick<MinRateStream, 'signal' | 'waitingMs' | 'cutOff'>

interface RunningExport {
  org: number
  paced: Paced
}

export interface ExportPool {
  pool: Pool
  /** Slots by organization. */
  slots: KeyedSemaphore<number>
  places: number
  /** Exports that hold a slot. */
  running: Set<RunningExport>
  /** A client that reads more slowly than this is disconnected, after `stallMs`. */
  bytesPerSecondMin: number
  stallMs: number
}

type ExportConfig = Pick<
  Config,
  'exportsAtOnce' | 'exportsPerOrganization' | 'exportBytesPerSecondMin' | 'exportStallSeconds'
>

const STATEMENT_TIMEOUT_MS = 30_000

/** @param more of the connections; hasLowPriority: where the server of the database is on this machine */
export const openExportPool = (
  connection: ClientConfig,
  config: ExportConfig,
  onError: (error: Error) => void,
  more: Partial<PoolOptions>,
): ExportPool => ({
  pool: openPool({
    connection,
    max: config.exportsAtOnce,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    onError,
    prepares: false,
    ...more,
  }),
  slots: createKeyedSemaphore({ places: config.exportsAtOnce, perKey: config.exportsPerOrganization }),
  places: config.exportsAtOnce,
  running: new Set(),
  bytesPerSecondMin: config.exportBytesPerSecondMin,
  stallMs: config.exportStallSeconds * 1000,
})

const WAIT_MS = 5000
/** The interval between attempts of a waiting request. */
const LOOK_EVERY_MS = 1000
/** An export that has waited this long for its client may be cut off: a piece of 1 MB takes 1.6 s over 5 Mbit/s. */
const UNREAD_MS = 3000
const RETRY_AFTER_SECONDS = 10

function refusal(error: unknown): unknown {
  if (!(error instanceof NoPlaceError)) return error
  return error.reason === 'all'
    ? unavailable('Too many exports are running: try again shortly')
    : rateLimited(
        RETRY_AFTER_SECONDS,
        'Your organization is running the maximum number of exports (EXPORTS_PER_ORGANIZATION): wait until one has finished',
      )
}

/** The export that has waited longest for its client, of organizations with at least two exports more than this one. */
function slowestOfOthers(running: ReadonlySet<RunningExport>, org: number): Paced | undefined {
  const counts = new Map<number, number>()
  for (const one of running) counts.set(one.org, (counts.get(one.org) ?? 0) + 1)
  const own = counts.get(org) ?? 0
  return [...running]
    .filter((one) => (counts.get(one.org) ?? 0) > own + 1 && one.paced.waitingMs >= UNREAD_MS)
    .map(({ paced }) => paced)
    .sort((one, other) => other.waitingMs - one.waitingMs)[0]
}

/**
 * Tries to get a slot immediately, and then every second. If all are taken, it cuts off a waiting export of another
 * organization.
 */
async function acquire(
  { slots, running, places }: ExportPool,
  org: number,
  signal: AbortSignal,
): Promise<Release> {
  for (let leftMs = WAIT_MS; ; leftMs -= LOOK_EVERY_MS)
    try {
      if (slots.usage.taken >= places)
        slowestOfOthers(running, org)?.cutOff('another organization needed its place')
      return await slots.acquire(org, { waitMs: LOOK_EVERY_MS, signal })
    } catch (error) {
      if (!(error instanceof NoPlaceError) || leftMs <= LOOK_EVERY_MS) throw error
    }
}

/**
 * A slot of the organization, held until the client has its export, or has disconnected.
 * @throws 429 rate_limit_exceeded, 503 unavailable
 */
export async function takeSlot(exports: ExportPool, org: number, paced: Paced): Promise<Release> {
  const { running } = exports
  const free = await acquire(exports, org, paced.signal).catch((error: unknown) => {
    throw refusal(error)
  })
  const one = { org, paced }
  running.add(one)
  const release = () => {
    running.delete(one)
    free()
  }
  if (paced.signal.aborted) release()
  else paced.signal.addEventListener('abort', release, { once: true })
  return release
}
