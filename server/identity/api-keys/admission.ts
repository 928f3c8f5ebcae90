// Which admission checks the requests.
import type { BaseContext } from '../../db/base-context.ts'
import type { DiskSpace } from '../../db/disk-space/disk-space.ts'
import type { Admission } from '../../http/admission.ts'
import { DatabaseAdmission } from './database-admission.ts'
import { type Admitting, KeyPlaces } from './key-places.ts'
import { LEASE_MS } from './lease.ts'
import { MemoryAdmission } from './memory-admission.ts'
import type { KeyLeases } from './service.ts'

/** undefined: there are no cells, and the directory checks every key. */
function openPlaces({ config, cells, admission: db, log }: Parts): KeyPlaces | undefined {
  if (config.cells.length === 0) return undefined
  return new KeyPlaces({ db, cells, log, leaseMs: LEASE_MS, monotonic: () => performance.now() })
}

type Parts = Pick<BaseContext, 'config' | 'admission' | 'log' | 'clock'> & {
  diskSpace?: Pick<DiskSpace, 'shortage'>
  cells: Admitting
}

/**
 * The admission that config.rateLimitStore names. Pass it to `deleteKey` too, and close it after the last request.
 * @param notesUses whether it writes from time to time when keys were last used
 */
export function createAdmission(ctx: Parts, notesUses = true): Admission & KeyLeases {
  const { config, admission: db, log, clock, diskSpace } = ctx
  const mayWrite = () => notesUses && diskSpace?.shortage === undefined
  const { rateLimitPerMinute: requestsPerMinute, keyBounds: bounds } = config
  const options = { db, log, clock, requestsPerMinute, bounds, mayWrite, places: openPlaces(ctx) }
  return config.rateLimitStore === 'memory' ? new MemoryAdmission(options) : new DatabaseAdmission(options)
}
