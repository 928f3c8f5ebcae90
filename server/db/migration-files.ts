// The numbered SQL files that this version knows, and what their comments declare about older versions.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../migrations/', import.meta.url))

/** What a migration asks of the older versions that run beside the new one; 0: nothing. */
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

async function readMigration(name: string): Promise<Migration> {
  const text = await readFile(`${FOLDER}/${name}`, 'utf8')
  const checksum = createHash('sha256').update(text).digest('hex')
  return { version: Number(name.slice(0, 4)), name, text, checksum, ...demandsOf(text) }
}

async function readFolder(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => /^\d{4}-.*\.sql$/.test(name)).sort()
  return Promise.all(names.map(readMigration))
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
