// Separate connections for exports, shared fairly between organizations, and the minimum rate of reading.
import type { ClientConfig } from 'pg'
import type { Config } from '../../config.ts'
import { openPool, type Pool, type PoolOptions } from '../../db/pool.ts'
import { rateLimited, unavailable } from '../../errors.ts'
import {
  createKeyedSemaphore,
  type KeyedSemaphore,
  NoPlaceError,
  type Release,
} from '../../keyed-semaphore.ts'

export interface ExportPool {
  pool: Pool
  /** By organization. */
  slots: KeyedSemaphore<number>
  /** A client that reads more slowly is disconnected, after this time. */
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
  bytesPerSecondMin: config.exportBytesPerSecondMin,
  stallMs: config.exportStallSeconds * 1000,
})

const WAIT_MS = 5000
const RETRY_AFTER_SECONDS = 10

/** A slot of the organization. @throws 429 rate_limit_exceeded, 503 unavailable */
export function takeSlot({ slots }: ExportPool, org: number, signal: AbortSignal): Promise<Release> {
  return slots.acquire(org, { waitMs: WAIT_MS, signal }).catch((error: unknown) => {
    if (!(error instanceof NoPlaceError)) throw error
    throw error.reason === 'all'
      ? unavailable('Too many exports are running: try again shortly')
      : rateLimited(
          RETRY_AFTER_SECONDS,
          'Your organization is running the maximum number of exports (EXPORTS_PER_ORGANIZATION): wait until one has finished',
        )
  })
}
