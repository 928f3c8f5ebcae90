// Reads the numbered migrations of this version, and what their comments declare about older versions. Each is an SQL
// file; the first one is a folder of SQL files, which makes the whole schema.
import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../migrations/', import.meta.url))

/** What a migration requires of older versions that run in parallel with the new version; 0: nothing. */
export interface Demands {
  /** Versions without the migration of this number cannot read any more: they use something that was removed. */
  readsFrom: number
  /** Versions with a lower WRITER cannot write any more (refuse_older_writers). */
  writer: number
}

export interface Migration extends Demands {
  version: number
  name: string
  text: string
  checksum: string
}

const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0)

/** Each declaration is a whole line: `-- reads-from: 0070`, `-- writer: 8`. */
export const demandsOf = (text: string): Demands => ({
  readsFrom: numberIn(text, /^-- reads-from: (\d{4})$/m),
  writer: numberIn(text, /^-- writer: (\d+)$/m),
})

/** The files of a folder are joined in the order of their names. */
async function readText(path: string, isFolder: boolean): Promise<string> {
  if (!isFolder) return readFile(path, 'utf8')
  const names = (await readdir(path)).filter((name) => name.endsWith('.sql')).sort()
  return (await Promise.all(names.map((name) => readFile(join(path, name), 'utf8')))).join('\n')
}

async function readMigration(entry: Dirent): Promise<Migration> {
  const { name } = entry
  const text = await readText(join(FOLDER, name), entry.isDirectory())
  const checksum = createHash('sha256').update(text).digest('hex')
  return { version: Number(name.slice(0, 4)), name, text, checksum, ...demandsOf(text) }
}

/** Excludes backup files of editors. */
const isMigration = (entry: Dirent): boolean =>
  /^\d{4}-/.test(entry.name) && (entry.isDirectory() || entry.name.endsWith('.sql'))

async function readFolder(): Promise<Migration[]> {
  const entries = (await readdir(FOLDER, { withFileTypes: true })).filter(isMigration)
  const migrations = await Promise.all(entries.map(readMigration))
  return migrations.sort((one, other) => one.version - other.version)
}

let known: Promise<readonly Migration[]> | undefined

/** Reads the files once: probes then read no files, and later changes by an upgrade do not affect this process. */
export function readMigrations(): Promise<readonly Migration[]> {
  known ??= readFolder().catch((error: unknown) => {
    known = undefined
    throw error
  })
  return known
}
