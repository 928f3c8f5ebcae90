// Numbered SQL files, applied once each, in order, forward only. Knows no table but its own.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import sql, { raw } from 'sql-template-tag'
import type { Db } from './pool.ts'

const FOLDER = fileURLToPath(new URL('../../migrations/', import.meta.url))

interface Migration {
  version: number
  name: string
  text: string
  checksum: string
}

/** A database this version cannot run on; the message says what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

let known: Promise<readonly Migration[]> | undefined

/** Those of this process: read once, so that a probe needs no file and an upgrade beside it changes nothing. */
export function readMigrations(): Promise<readonly Migration[]> {
  known ??= readFolder().catch((error: unknown) => {
    known = undefined
    throw error
  })
  return known
}

async function readFolder(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => /^\d{4}-.*\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(`${FOLDER}/${name}`, 'utf8')
      return {
        version: Number(name.slice(0, 4)),
        name,
        text,
        checksum: createHash('sha256').update(text).digest('hex'),
      }
    }),
  )
}

interface Applied {
  version: number
  name: string
  checksum: string
}

function check(migrations: readonly Migration[], applied: Applied[]): void {
  const known = new Map(migrations.map((one) => [one.version, one]))
  for (const { version, name, checksum } of applied) {
    const migration = known.get(version)
    if (!migration)
      throw new MigrationError(
        `The database belongs to a newer version of Rapport (it has ${name}): start that version, or restore a backup from before the upgrade`,
      )
    if (migration.checksum !== checksum)
      throw new MigrationError(
        `${name} was applied with different content, so this version does not match the database: start the version that applied it`,
      )
  }
}

async function appliedMigrations(db: Db): Promise<Applied[]> {
  const { present } = await db.one<{ present: boolean }>(
    sql`select to_regclass('schema_migrations') is not null as present`,
  )
  return present ? db.many(sql`select version, name, checksum from schema_migrations order by version`) : []
}

/** Migrations not yet applied. @throws MigrationError when the database is of a newer version */
export async function pendingMigrations(db: Db): Promise<Migration[]> {
  const migrations = await readMigrations()
  const applied = await appliedMigrations(db)
  check(migrations, applied)
  const done = new Set(applied.map(({ version }) => version))
  return migrations.filter(({ version }) => !done.has(version))
}

const namesOf = (migrations: readonly Migration[]) => migrations.map(({ name }) => name)

/**
 * Brings the schema up to date, all of it or nothing; processes that start
 * together wait for each other.
 * @param onPending hears what is to be applied, before that begins
 * @returns the names applied, none when the schema was current
 */
export async function migrate(
  db: Db,
  onPending: (names: string[]) => void = () => undefined,
): Promise<string[]> {
  const before = await pendingMigrations(db)
  if (before.length === 0) return []
  onPending(namesOf(before))
  return db.transaction(async (tx) => {
    // A new index on a big table takes longer than any request may.
    await tx.takeAnyTime()
    await tx.run(sql`select pg_advisory_xact_lock(7402155390210)`)
    await tx.run(sql`create table if not exists schema_migrations (
      version int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`)
    const pending = await pendingMigrations(tx)
    for (const { version, name, text, checksum } of pending) {
      await tx.run(raw(text))
      await tx.run(
        sql`insert into schema_migrations (version, name, checksum) values (${version}, ${name}, ${checksum})`,
      )
    }
    return namesOf(pending)
  })
}
