// The built dashboard: made by the first start, and again whenever its sources changed.
import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCES = [
  'dashboard/**/*.{ts,tsx,css,html,js,svg}',
  'contract/**/*.ts',
  'server/pages/build.ts',
  'package-lock.json',
]
const NOT_SOURCES = ['dashboard/dist*/**', 'dashboard/e2e/**', '**/*.test.{ts,tsx}', '**/*.verify.ts']
const FINGERPRINT = 'fingerprint'

export const PAGES_DIR = join(ROOT, 'dashboard/dist')

/** Changes with every byte that the pages are made from. */
async function fingerprintOfSources(): Promise<string> {
  const files = await Array.fromAsync(glob(SOURCES, { cwd: ROOT, exclude: NOT_SOURCES }))
  const contents = files.sort().map(async (file) => [file, hash('sha256', await readFile(join(ROOT, file)))])
  return hash('sha256', JSON.stringify(await Promise.all(contents)))
}

const builtFingerprint = () => readFile(join(PAGES_DIR, FINGERPRINT), 'utf8').catch(() => undefined)

/** Vite in a process of its own: its memory is gone when it is done. */
function runVite(outDir: string): Promise<void> {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const child = spawn(
    process.execPath,
    [vite, 'build', 'dashboard', '--outDir', outDir, '--logLevel', 'warn'],
    {
      cwd: ROOT,
      // Also when a test run starts it: React's development build is larger and slower.
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

async function build(fingerprint: string): Promise<void> {
  const draft = `${PAGES_DIR}-${process.pid}`
  try {
    await runVite(draft)
    await mkdir(draft, { recursive: true })
    await writeFile(join(draft, FINGERPRINT), fingerprint)
    await rm(PAGES_DIR, { recursive: true, force: true })
    await rename(draft, PAGES_DIR)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** A container image has the built pages without what they are made from. */
const hasSources = existsSync(join(ROOT, 'dashboard/index.html'))

/**
 * Builds the dashboard unless what is there was made from the same sources.
 * @returns whether it had to be built
 */
export async function buildPages(): Promise<boolean> {
  if (!hasSources) {
    await access(join(PAGES_DIR, 'index.html'))
    return false
  }
  const fingerprint = await fingerprintOfSources()
  if ((await builtFingerprint()) === fingerprint) return false
  await build(fingerprint)
  return true
}
