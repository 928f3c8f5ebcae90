// The numbered migrations that this version knows, and what their comments declare about older versions. Each is an SQL
// file; the first is a folder of them, which makes the whole schema.
import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../migrations/', import.meta.url))

/** What a migration asks of the older versions that run in parallel with the new one; 0: nothing. */
export interface Demands {
  /** Only versions that know this migration can read afterwards: the others use what it removes. */
  readsFrom: number
  /** Only versions that write as much as this number says can write afterwards (WRITER, refuse_older_writers). */
  writer: number
}

export interface Migration extends Demands {
  version: number
  name: string
  text: string
  checksum: string
}

const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0)

/** Each is a whole line: `-- reads-from: 0070`, `-- writer: 8`. */
export const demandsOf = (text: string): Demands => ({
  readsFrom: numberIn(text, /^-- reads-from: (\d{4})$/m),
  writer: numberIn(text, /^-- writer: (\d+)$/m),
})

/** The files of a folder, in the order of their names, are applied as one. */
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

/** A file that an editor leaves is none. */
const isMigration = (entry: Dirent): boolean =>
  /^\d{4}-/.test(entry.name) && (entry.isDirectory() || entry.name.endsWith('.sql'))

async function readFolder(): Promise<Migration[]> {
  const entries = (await readdir(FOLDER, { withFileTypes: true })).filter(isMigration)
  const migrations = await Promise.all(entries.map(readMigration))
  return migrations.sort((one, other) => one.version - other.version)
}

let known: Promise<readonly Migration[]> | undefined

/** Read once: probes read no file, and files that an upgrade changes later do not matter to this process. */
export function readMigrations(): Promise<readonly Migration[]> {
  known ??= readFolder().catch((error: unknown) => {
    known = undefined
    throw error
  })
  return known
}
