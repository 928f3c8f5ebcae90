// The flags of Node that every process of the service has, set in one place: by the process itself.
import { accessSync, constants } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Env } from '../../config/environment.ts'
import { storeStrippedSources } from '../../pages/stripped-sources.ts'

/** The flag by which a process loads its modules from the store. */
export const LOADER = `--import=${new URL('load-stripped.js', import.meta.url).href}`
const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))

/** Megabytes. V8 lets the young generation of a machine with much memory grow to 128 MB, and does not give it back. */
const SEMI_SPACE_MB = 8
/** Percent that the old generation may grow by between full collections: V8's own choice is up to 300. */
const HEAP_GROWTH = '--heap-growing-percent=100'
const YOUNG_GENERATION = /--(?:max|min)[-_]semi[-_]space[-_]size/

/** What the operator has set stays. */
function flagsOf({ NODE_OPTIONS = '' }: Env): string[] {
  const given = [NODE_OPTIONS, ...process.execArgv].some((text) => YOUNG_GENERATION.test(text))
  return [LOADER, HEAP_GROWTH, ...(given ? [] : [`--max-semi-space-size=${SEMI_SPACE_MB}`])]
}

// glibc keeps an arena for each thread that has allocated: here they are mostly empty.
const envOf = (env: Env) => ({ MALLOC_ARENA_MAX: '2', ...env }) as Record<string, string>

/**
 * Replaces this process by one with the flags of the service: it keeps its process id, standard streams and arguments.
 * Returns where that has happened already, and where it cannot be done: the service works without, in more memory.
 */
export function replaceProcess(env: Env): void {
  const [, , ...words] = process.argv
  if (process.execArgv.includes(LOADER) || process.channel !== undefined) return
  // Two functions are experimental: Node would print that at each start.
  process.removeAllListeners('warning')
  try {
    storeStrippedSources()
  } catch {
    // A checkout that cannot be written: Node compiles its sources at each start.
  }
  try {
    // Node ends where the system refuses: the usual reason is looked for first.
    accessSync(process.execPath, constants.X_OK)
    const flags = [...flagsOf(env), ...process.execArgv]
    process.execve?.(process.execPath, [process.execPath, ...flags, MAIN, ...words], envOf(env))
  } catch {
    // Not on this system.
  }
}
