// Compares a database with this version: which migrations are not applied yet, and which a newer version has applied.
import sql from 'sql-template-tag'
import { type Demands, type Migration, readMigrations } from './migration-files.ts'
import type { Db } from './pool.ts'
import { WRITER } from './writer.ts'

/** Demands are null where the version that applied it declared none. */
export interface Applied extends Readonly<Record<keyof Demands, number | null>> {
  version: number
  name: string
  checksum: string
}

export interface SchemaState {
  /** Known to this version, and not applied. */
  pending: readonly Migration[]
  /** Names of those that a newer version has applied. */
  newer: readonly string[]
  /** Why this version cannot use the database. */
  unusable: string | undefined
  /** Whether what this version writes is accepted. */
  mayWrite: boolean
}

const START_NEWER = 'start that version, or restore a backup from before the upgrade'

export const belongsToNewer = (name: string | undefined, why = '') =>
  `The database belongs to a newer version of Rapport (it has ${name}${why}): ${START_NEWER}`

/** A version is as new as the last migration that it knows. */
function findUnusable(
  known: ReadonlyMap<number, Migration>,
  applied: readonly Applied[],
): string | undefined {
  const last = Math.max(0, ...known.keys())
  for (const { version, name, checksum, readsFrom } of applied) {
    const migration = known.get(version)
    if (!migration && (readsFrom === null || readsFrom > last)) return belongsToNewer(name)
    if (migration && migration.checksum !== checksum)
      return `${name} was applied with different content, so this version does not match the database: start the version that applied it`
  }
  return undefined
}

export function judgeSchema(
  migrations: readonly Migration[],
  applied: readonly Applied[],
  writer = WRITER,
): SchemaState {
  const known = new Map(migrations.map((one) => [one.version, one]))
  const done = new Set(applied.map(({ version }) => version))
  const newer = applied.filter(({ version }) => !known.has(version))
  return {
    pending: migrations.filter(({ version }) => !done.has(version)),
    newer: newer.map(({ name }) => name),
    unusable: findUnusable(known, applied),
    mayWrite: newer.every((one) => one.writer !== null && one.writer <= writer),
  }
}

async function selectApplied(db: Db): Promise<Applied[]> {
  const { present } = await db.one<{ present: boolean }>(
    sql`select to_regclass('schema_migrations') is not null as present`,
  )
  if (!present) return []
  // By their names in the row: tables that were made by earlier versions lack these columns.
  return db.many(sql`
    select version, name, checksum, (to_jsonb(m) ->> 'reads_from')::int as "readsFrom",
      (to_jsonb(m) ->> 'writer')::int as writer
    from schema_migrations m order by version`)
}

export const schemaState = async (db: Db): Promise<SchemaState> =>
  judgeSchema(await readMigrations(), await selectApplied(db))
