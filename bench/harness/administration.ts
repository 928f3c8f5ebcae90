// The administrator's connection to the embedded server: the service's own role may not do what a bench prepares.
import type { ClientConfig } from 'pg'
import { DATABASE_NAME, type Database } from '../../server/db/database.ts'

/** @throws where PostgreSQL is another server than the embedded one */
export function administrationOf({ embedded }: Pick<Database, 'embedded'>): ClientConfig {
  if (!embedded) throw new Error('Benches run on the embedded PostgreSQL only')
  return embedded.administration(DATABASE_NAME)
}
