// The steps after the recovery of a database, and their results.
import type pg from 'pg'
import { ADVANCE_EVENT_ORDER } from '../../events/clock.ts'
import type { BackupManifest } from './manifest.ts'
import { restoreFile } from './stored-files.ts'
import type { Vault } from './vault.ts'

export interface Recovered {
  /** The time of the last replayed transaction; null: there was none. */
  lastCommitAt: string | null
  /** The end of the last record that was replayed. */
  replayedTo: string | null
  files: {
    restored: number
    /** Keys of files that are in the database but missing or damaged in the store, at most 100. */
    missing: string[]
    missingCount: number
    /** How many of the missing files were stored after the last pass of the archiver. */
    lateCount: number
  }
}

interface Recovery {
  vault: Vault
  backup: BackupManifest
  /** Files stored before this time are in the backup; undefined: not known. */
  filesAt: string | undefined
  /** The folder of files. */
  root: string
  client: pg.Client
  signal: AbortSignal
}

const NO_FILES: Recovered['files'] = { restored: 0, missing: [], missingCount: 0, lateCount: 0 }

const NAMED_MAX = 100
const BATCH = 1000

interface FileRow {
  org: number
  id: string
  key: string
  bytes: number
  storedAt: Date | null
}

async function* filesOf(client: pg.Client): AsyncGenerator<FileRow> {
  let [org, id] = [0, '00000000-0000-0000-0000-000000000000']
  for (;;) {
    const { rows } = await client.query<FileRow>(
      `select org::int, id, key, size::float8 as bytes, stored_at as "storedAt" from files
       where state = 'stored' and (org, id) > ($1, $2) order by org, id limit $3`,
      [org, id, BATCH],
    )
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    ;[org, id] = [last.org, last.id]
  }
}

const isLate = ({ storedAt }: FileRow, filesAt: string | undefined): boolean =>
  storedAt !== null && filesAt !== undefined && storedAt.toISOString() > filesAt

/** Restores the files that the recovered database lists. */
async function restoreFiles(recovery: Recovery): Promise<Recovered['files']> {
  const { vault, backup, root } = recovery
  if (backup.files === null) return NO_FILES
  const result = { ...NO_FILES, missing: [...NO_FILES.missing] }
  for await (const file of filesOf(recovery.client)) {
    recovery.signal.throwIfAborted()
    if (await restoreFile(vault, backup.chain, root, file)) {
      result.restored++
      continue
    }
    if (++result.missingCount <= NAMED_MAX) result.missing.push(file.key)
    if (isLate(file, recovery.filesAt)) result.lateCount++
  }
  return result
}

interface Replay {
  at: Date | null
  replayedTo: string | null
  isMigrated: boolean
}

export async function afterRecovery(recovery: Recovery): Promise<Recovered> {
  const { client } = recovery
  const { rows } = await client.query<Replay>(
    `select pg_last_xact_replay_timestamp() as at, pg_last_wal_replay_lsn()::text as "replayedTo",
       to_regclass('event_clock') is not null as "isMigrated"`,
  )
  const { at = null, replayedTo = null, isMigrated } = rows[0] ?? {}
  const reach = { lastCommitAt: at?.toISOString() ?? null, replayedTo }
  if (!isMigrated) return { ...reach, files: NO_FILES }
  await client.query(ADVANCE_EVENT_ORDER)
  return { ...reach, files: await restoreFiles(recovery) }
}
