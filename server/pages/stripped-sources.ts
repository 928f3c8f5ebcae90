// The service's modules without their types, stored for load-stripped.js.
import { hash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const STORE = join(ROOT, 'node_modules/.cache/rapport/sources.json')
const SOURCES = ['contract/**/*.ts', 'server/**/*.ts']
const NOT_SERVED = [
  '**/*.test.ts',
  '**/*.verify.ts',
  '**/*.fixture.ts',
  'server/test/**',
  'server/entry/dev/**',
]

/** Path in the checkout → hash of the source under this version of Node, and the source without types. */
type Stored = Readonly<Record<string, readonly [string, string]>>

function readStored(): Stored {
  try {
    return JSON.parse(readFileSync(STORE, 'utf8'))
  } catch {
    return {}
  }
}

function write(stored: Stored): void {
  const draft = `${STORE}-${process.pid}`
  mkdirSync(dirname(STORE), { recursive: true })
  writeFileSync(draft, JSON.stringify(stored))
  renameSync(draft, STORE)
}

/** Strips what has changed since the last start. @throws Error where the folder cannot be written */
export function storeStrippedSources(): void {
  const before = readStored()
  let changes = 0
  const after = globSync(SOURCES, { cwd: ROOT, exclude: NOT_SERVED }).map((path) => {
    const source = readFileSync(join(ROOT, path), 'utf8')
    const fingerprint = hash('sha256', process.version + source)
    const known = before[path]
    if (known?.[0] === fingerprint) return [path, known] as const
    changes += 1
    return [path, [fingerprint, stripTypeScriptTypes(source)]] as const
  })
  if (changes > 0 || after.length !== Object.keys(before).length) write(Object.fromEntries(after))
}
