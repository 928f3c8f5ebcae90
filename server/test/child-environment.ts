// Environment variables of processes that tests start, in addition to those of each test.
import { fileURLToPath } from 'node:url'

/** A cache of compiled code between processes, which halves the time to load the service. */
const CODE = fileURLToPath(new URL('../../node_modules/.cache/rapport-code', import.meta.url))

/** With PgBouncer the addresses of test databases lead to it (database.ts). */
export const POOLER_ENVIRONMENT: Record<string, string> = process.env['TEST_PGBOUNCER']
  ? { DATABASE_POOLER: 'transaction' }
  : {}

// The service has one API process on every machine, unless a test sets more.
export const CHILD_ENVIRONMENT = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: CODE,
  API_PROCESSES: '1',
  ...POOLER_ENVIRONMENT,
}
