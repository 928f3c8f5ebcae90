// What the processes that tests start have in their environment, in addition to what each test gives them.
import { fileURLToPath } from 'node:url'

/** Compiled code is kept between processes: loading the service takes half of the time with it. */
const CODE = fileURLToPath(new URL('../../node_modules/.cache/rapport-code', import.meta.url))

/** The addresses of databases that tests make lead to PgBouncer, where there is one (database.ts). */
export const POOLER_ENVIRONMENT: Record<string, string> = process.env['TEST_PGBOUNCER']
  ? { DATABASE_POOLER: 'transaction' }
  : {}

// The service is one process on every machine, unless a test asks for more.
export const CHILD_ENVIRONMENT = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: CODE,
  API_PROCESSES: '1',
  ...POOLER_ENVIRONMENT,
}
