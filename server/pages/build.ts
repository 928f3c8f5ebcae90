// Builds the dashboard at the first start, and again after its sources have changed.
import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type FileStamps, isUnchanged, stampsOf } from './file-stamps.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCES = [
  'dashboard/**/*.{ts,tsx,css,html,js,svg}',
  'contract/**/*.ts',
  'server/pages/build.ts',
  'package-lock.json',
]
const NOT_SOURCES = ['dashboard/dist*/**', 'dashboard/e2e/**', '**/*.test.{ts,tsx}', '**/*.verify.ts']
/** The file in the folder of the pages with the fingerprint and the stamps of their sources. */
const MADE_FROM = 'made-from.json'

interface MadeFrom {
  fingerprint: string
  /** Stamps of the sources and of their folders; the stamp of a folder shows an added file. */
  stamps: FileStamps
}

export const PAGES_DIR = join(ROOT, 'dashboard/dist')

/** Reads the fingerprint, which changes with every byte of the sources, and the stamps. */
export async function readSources(): Promise<MadeFrom> {
  const files = (await Array.fromAsync(glob(SOURCES, { cwd: ROOT, exclude: NOT_SOURCES }))).sort()
  const stamps = stampsOf(ROOT, [...new Set(files.map((file) => dirname(file))), ...files])
  // One file after the other: a process may be allowed fewer open files than there are sources.
  const contents = await Array.fromAsync(files, async (file) => [
    file,
    hash('sha256', await readFile(join(ROOT, file))),
  ])
  return { fingerprint: hash('sha256', JSON.stringify(contents)), stamps }
}

async function readMadeFrom(): Promise<MadeFrom | undefined> {
  try {
    return JSON.parse(await readFile(join(PAGES_DIR, MADE_FROM), 'utf8'))
  } catch {
    return undefined
  }
}

async function writeMadeFrom(dir: string, madeFrom: MadeFrom): Promise<void> {
  const draft = join(dir, `${MADE_FROM}-${process.pid}`)
  await writeFile(draft, JSON.stringify(madeFrom))
  await rename(draft, join(dir, MADE_FROM))
}

/** Runs Vite in a separate process, so that its memory is freed afterwards. */
function runVite(outDir: string): Promise<void> {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const child = spawn(
    process.execPath,
    [vite, 'build', 'dashboard', '--outDir', outDir, '--logLevel', 'warn'],
    {
      cwd: ROOT,
      // Also in a test run: React's development build is larger and slower.
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`vite build: ${output.trim()}`))))
  })
}

async function build(sources: MadeFrom): Promise<void> {
  const draft = `${PAGES_DIR}-${process.pid}`
  try {
    await runVite(draft)
    await mkdir(draft, { recursive: true })
    await writeMadeFrom(draft, sources)
    await rm(PAGES_DIR, { recursive: true, force: true })
    await rename(draft, PAGES_DIR)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** A container image has the built pages without their sources. */
const hasSources = existsSync(join(ROOT, 'dashboard/index.html'))

/**
 * Builds the dashboard, unless the existing pages were built from the same sources.
 * @returns whether it was built
 */
export async function buildPages(): Promise<boolean> {
  if (!hasSources) {
    await access(join(PAGES_DIR, 'index.html'))
    return false
  }
  const built = await readMadeFrom()
  if (built && isUnchanged(ROOT, built.stamps)) return false
  const sources = await readSources()
  if (built?.fingerprint !== sources.fingerprint) {
    await build(sources)
    return true
  }
  // Saves time at the next start. In a read-only checkout, each start reads the sources.
  await writeMadeFrom(PAGES_DIR, sources).catch(() => undefined)
  return false
}
