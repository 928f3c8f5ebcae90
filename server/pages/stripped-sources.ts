// Stores the modules of the service and the command line without their types, for load-stripped.js: an index, and one
// file with the code of all modules.
import { hash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type FileStamps, isUnchanged, stampsOf } from './file-stamps.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDER = join(ROOT, 'node_modules/.cache/rapport')
// A new format of the index needs a new name.
const INDEX = join(FOLDER, 'stripped.json')
const SOURCES = ['contract/**/*.ts', 'server/**/*.ts', 'cli/**/*.ts']
const NOT_SERVED = [
  '**/*.test.ts',
  '**/*.verify.ts',
  '**/*.fixture.ts',
  'server/test/**',
  'server/entry/dev/**',
]

/** The hash of the source, and the start and end of its code in bytes. */
type Entry = readonly [fingerprint: string, start: number, end: number]

interface Index {
  /** The version of Node that stripped the types. */
  version: string
  /** Name of the file with the code. */
  code: string
  /** Stamps of the sources, by path in the checkout. */
  stamps: FileStamps
  modules: Readonly<Record<string, Entry>>
}

function readIndex(): Index | undefined {
  try {
    const index: Index = JSON.parse(readFileSync(INDEX, 'utf8'))
    return index.version === process.version ? index : undefined
  } catch {
    return undefined
  }
}

function replace(path: string, content: string | Uint8Array): void {
  const draft = `${path}-${process.pid}`
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(draft, content)
  renameSync(draft, path)
}

/** @returns an index of all modules, and their code */
function strip(): { index: Index; code: Buffer } {
  const paths = globSync(SOURCES, { cwd: ROOT, exclude: NOT_SERVED })
  const stamps = stampsOf(ROOT, paths)
  const pieces: Buffer[] = []
  let end = 0
  const modules = paths.map((path) => {
    const source = readFileSync(join(ROOT, path), 'utf8')
    const piece = Buffer.from(stripTypeScriptTypes(source))
    pieces.push(piece)
    const start = end
    end += piece.length
    return [path, [hash('sha256', source), start, end]] as const
  })
  const code = Buffer.concat(pieces)
  const name = `stripped-${hash('sha256', code)}.js`
  return {
    index: { version: process.version, code: name, stamps, modules: Object.fromEntries(modules) },
    code,
  }
}

/** Strips all modules if one has changed since the last start. @throws Error if the folder cannot be written */
export function storeStrippedSources(): void {
  const before = readIndex()
  // Added modules need no check: a changed module imports them.
  if (before && isUnchanged(ROOT, before.stamps)) return
  const { index, code } = strip()
  replace(join(FOLDER, index.code), code)
  replace(INDEX, JSON.stringify(index))
  if (before && before.code !== index.code) rmSync(join(FOLDER, before.code), { force: true })
}
