// The source of a backup: the embedded server, the files and the keys of a data folder.
import { join } from 'node:path'
import type { Client, ClientConfig } from 'pg'
import type { KeySettings } from '../../secrets/key-files.ts'

export interface BackupSource {
  dataDir: string
  /** Settings that decide which key files exist. */
  keySettings: KeySettings
  /** Connects as the superuser of the embedded server. */
  administration(database: string): ClientConfig
  /** Whether files are stored in the data folder, not in a bucket. */
  hasFiles: boolean
}

export const clusterOf = (dataDir: string) => join(dataDir, 'postgres')
export const filesFolder = (dataDir: string) => join(dataDir, 'files')

interface Facts {
  now: Date
  postgres: string
  schema: string | null
  segmentBytes: number
}

export async function selectSourceFacts(client: Client): Promise<Facts> {
  const { rows } = await client.query<Facts & { isMigrated: boolean }>(
    `select clock_timestamp() as now, split_part(current_setting('server_version'), ' ', 1) as postgres,
       null as schema, (select setting::int from pg_settings where name = 'wal_segment_size') as "segmentBytes",
       to_regclass('schema_migrations') is not null as "isMigrated"`,
  )
  const [facts] = rows
  if (facts === undefined) throw new Error('the database has no answer')
  const { isMigrated, ...rest } = facts
  if (!isMigrated) return rest
  const last = await client.query<{ name: string }>(
    'select name from schema_migrations order by version desc limit 1',
  )
  return { ...rest, schema: last.rows[0]?.name ?? null }
}

export async function databaseTime(client: Client): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
  return rows[0]?.now ?? new Date()
}
