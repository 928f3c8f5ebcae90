// What is done to a database that has just been recovered, and what is known of it.
import type pg from 'pg'
import { ADVANCE_EVENT_ORDER } from '../events/clock.ts'
import type { Manifest } from './manifest.ts'
import { restoreFile } from './stored-files.ts'
import type { Vault } from './vault.ts'

export interface Recovered {
  /** Of the last transaction that was replayed; null: none was. */
  lastCommitAt: string | null
  files: {
    restored: number
    /** Keys of files that the database knows and the store has not, at most 100. */
    missing: string[]
    missingCount: number
  }
}

interface Recovery {
  vault: Vault
  backup: Manifest
  /** Where files lie. */
  root: string
  client: pg.Client
  signal: AbortSignal
}

const NO_FILES: Recovered['files'] = { restored: 0, missing: [], missingCount: 0 }

const NAMED_MAX = 100
const BATCH = 1000

interface FileRow {
  org: number
  id: string
  key: string
  bytes: number
}

async function* filesOf(client: pg.Client): AsyncGenerator<FileRow> {
  let [org, id] = [0, '00000000-0000-0000-0000-000000000000']
  for (;;) {
    const { rows } = await client.query<FileRow>(
      `select org::int, id, key, size::float8 as bytes from files
       where state = 'stored' and (org, id) > ($1, $2) order by org, id limit $3`,
      [org, id, BATCH],
    )
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    ;[org, id] = [last.org, last.id]
  }
}

/** The database says which files there were at that time. */
async function restoreFiles({ vault, backup, root, client, signal }: Recovery): Promise<Recovered['files']> {
  if (backup.files === null) return NO_FILES
  const result = { ...NO_FILES, missing: [...NO_FILES.missing] }
  for await (const file of filesOf(client)) {
    signal.throwIfAborted()
    if (await restoreFile(vault, backup.chain, root, file)) result.restored++
    else if (++result.missingCount <= NAMED_MAX) result.missing.push(file.key)
  }
  return result
}

export async function afterRecovery(recovery: Recovery): Promise<Recovered> {
  const { client } = recovery
  const { rows } = await client.query<{ at: Date | null; isMigrated: boolean }>(
    `select pg_last_xact_replay_timestamp() as at, to_regclass('event_clock') is not null as "isMigrated"`,
  )
  const lastCommitAt = rows[0]?.at?.toISOString() ?? null
  if (!rows[0]?.isMigrated) return { lastCommitAt, files: NO_FILES }
  await client.query(ADVANCE_EVENT_ORDER)
  return { lastCommitAt, files: await restoreFiles(recovery) }
}
