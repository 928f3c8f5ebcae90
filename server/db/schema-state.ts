// Compares a database with this version: finds pending migrations, and migrations of newer versions.
import sql from 'sql-template-tag'
import { type Demands, type Migration, readMigrations } from './migration-files.ts'
import type { Db } from './pool.ts'
import { WRITER } from './writer.ts'

/** Demands are null if the version that applied the migration recorded none. */
export interface Applied extends Readonly<Record<keyof Demands, number | null>> {
  version: number
  name: string
  checksum: string
}

export interface SchemaState {
  /** Migrations of this version that are not applied. */
  pending: readonly Migration[]
  /** Names of migrations that a newer version has applied. */
  newer: readonly string[]
  /** Why this version cannot use the database; undefined: it can. */
  unusable: string | undefined
  /** Whether the database accepts writes of this version. */
  mayWrite: boolean
}

const START_NEWER = 'start that version, or restore a backup from before the upgrade'

export const belongsToNewer = (name: string | undefined, why = '') =>
  `The database belongs to a newer version of Rapport (it has ${name}${why}): ${START_NEWER}`

/** The checksum of 0068-run-cancellations.sql, the last file that the baseline replaced. The schema is the same after
 * both, except the text of refuse_older_writers, which refuses the same sessions. */
export const CHECKSUM_BEFORE_BASELINE = '2f45d3c511fb27736b7c8ea03220ede918f636200c6c67cfb2703735189eb0ce'

/** The last commit that has the migrations before the baseline. */
const LAST_BEFORE_BASELINE = '814981a7'

const isSame = (migration: Migration, checksum: string) =>
  checksum === migration.checksum || checksum === CHECKSUM_BEFORE_BASELINE

/** @param applied migrations from the baseline on, also newer ones. A version is as new as its last migration. */
function findUnusable(
  known: ReadonlyMap<number, Migration>,
  applied: readonly Applied[],
): string | undefined {
  const last = Math.max(0, ...known.keys())
  for (const { version, name, checksum, readsFrom } of applied) {
    const migration = known.get(version)
    if (!migration && (readsFrom === null || readsFrom > last)) return belongsToNewer(name)
    if (migration && !isSame(migration, checksum))
      return `${name} was applied with different content, so this version does not match the database: start the version that applied it`
  }
  return undefined
}

const belongsToOlder = (name: string) =>
  `The database belongs to an older version of Rapport (its last migration is ${name}): start the version of commit ${LAST_BEFORE_BASELINE} on it once, then this one`

export function judgeSchema(
  migrations: readonly Migration[],
  rows: readonly Applied[],
  writer = WRITER,
): SchemaState {
  const known = new Map(migrations.map((one) => [one.version, one]))
  const done = new Set(rows.map(({ version }) => version))
  const first = Math.min(...known.keys())
  const lastOlder = rows.findLast(({ version }) => version < first)
  const applied = rows.filter(({ version }) => version >= first)
  const newer = applied.filter(({ version }) => !known.has(version))
  return {
    pending: migrations.filter(({ version }) => !done.has(version)),
    newer: newer.map(({ name }) => name),
    unusable: lastOlder && !done.has(first) ? belongsToOlder(lastOlder.name) : findUnusable(known, applied),
    mayWrite: newer.every((one) => one.writer !== null && one.writer <= writer),
  }
}

async function selectApplied(db: Db): Promise<Applied[]> {
  const { present } = await db.one<{ present: boolean }>(
    sql`select to_regclass('schema_migrations') is not null as present`,
  )
  if (!present) return []
  // to_jsonb, because a table from before the baseline may lack these columns.
  return db.many(sql`
    select version, name, checksum, (to_jsonb(m) ->> 'reads_from')::int as "readsFrom",
      (to_jsonb(m) ->> 'writer')::int as writer
    from schema_migrations m order by version`)
}

export const schemaState = async (db: Db): Promise<SchemaState> =>
  judgeSchema(await readMigrations(), await selectApplied(db))
