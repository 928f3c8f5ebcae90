// The administrator's connection to the embedded server: the role of the service lacks rights that benches need.
import type { ClientConfig } from 'pg'
import { DATABASE_NAME, type Database } from '../../server/db/database.ts'

/** @throws Error when the service does not use the embedded PostgreSQL */
export function administrationOf({ embedded }: Pick<Database, 'embedded'>): ClientConfig {
  if (!embedded) throw new Error('Benches run on the embedded PostgreSQL only')
  return embedded.administration(DATABASE_NAME)
}
