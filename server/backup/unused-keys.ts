// The key files of an installation whose service has not started yet, for a backup that a command makes.
import type { Client } from 'pg'
import type { Sql } from 'sql-template-tag'
import { errorCode } from '../db/error-code.ts'
import { checkSecrets } from '../diagnosis/secrets.ts'
import { ensureKeyFiles, type KeyPlace } from '../secrets/key-files.ts'

const NO_SUCH_TABLE = '42P01'

/** A database of an earlier version lacks tables. */
const rowsOf = (client: Pick<Client, 'query'>) => ({
  many: async <Row>(query: Sql): Promise<Row[]> => {
    try {
      return (await client.query(query)).rows as Row[]
    } catch (error) {
      if (errorCode(error) === NO_SUCH_TABLE) return []
      throw error
    }
  },
})

/** Where secrets are sealed with a key that is missing, none is made: a new one would hide that from the next start. */
export async function makeUnusedKeys(client: Pick<Client, 'query'>, place: KeyPlace): Promise<void> {
  const { status } = await checkSecrets(rowsOf(client), place)
  if (status === 'ok') ensureKeyFiles(place)
}
