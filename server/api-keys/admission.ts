// Which admission stands in front of the requests.
import type { Context } from '../context.ts'
import type { Admission } from '../http/admission.ts'
import { DatabaseAdmission } from './database-admission.ts'
import { MemoryAdmission } from './memory-admission.ts'
import type { KeyLeases } from './service.ts'

/** The admission config.rateLimitStore names; give it to `deleteKey` too, and close it after the last request. */
export function createAdmission({
  config,
  admission: db,
  log,
  clock,
}: Pick<Context, 'config' | 'admission' | 'log' | 'clock'>): Admission & KeyLeases {
  const options = { db, log, clock, requestsPerMinute: config.rateLimitPerMinute }
  return config.rateLimitStore === 'memory' ? new MemoryAdmission(options) : new DatabaseAdmission(options)
}
