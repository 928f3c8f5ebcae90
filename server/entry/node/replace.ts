// Sets the flags of Node for every process of the service: the process sets them itself.
import { accessSync, constants } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Env } from '../../config/environment.ts'
import { storeStrippedSources } from '../../pages/stripped-sources.ts'

/** The flag by which a process loads its modules from the store. */
export const LOADER = `--import=${new URL('load-stripped.js', import.meta.url).href}`
const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))

/** Megabytes. On a machine with much memory, V8 lets the young generation grow to 128 MB and does not release it. */
const SEMI_SPACE_MB = 8
/** Percent by which the old generation may grow between full collections; the default of V8 is up to 300. */
const HEAP_GROWTH = '--heap-growing-percent=100'
const YOUNG_GENERATION = /--(?:max|min)[-_]semi[-_]space[-_]size/

/** Flags that the operator has set are kept. */
function flagsOf({ NODE_OPTIONS = '' }: Env): string[] {
  const given = [NODE_OPTIONS, ...process.execArgv].some((text) => YOUNG_GENERATION.test(text))
  return [LOADER, HEAP_GROWTH, ...(given ? [] : [`--max-semi-space-size=${SEMI_SPACE_MB}`])]
}

// glibc keeps a memory arena for each thread that allocates. In this service these are mostly empty.
const envOf = (env: Env) => ({ MALLOC_ARENA_MAX: '2', ...env }) as Record<string, string>

/**
 * Replaces this process by one with the flags of the service, and the same process id, standard streams and arguments.
 * Returns if this was already done or is not possible: the service then works without the flags, with more memory.
 */
export function replaceProcess(env: Env): void {
  const [, , ...words] = process.argv
  if (process.execArgv.includes(LOADER) || process.channel !== undefined) return
  // Two of the functions are experimental: Node would print a warning at each start.
  process.removeAllListeners('warning')
  try {
    storeStrippedSources()
  } catch {
    // The checkout is read-only: Node strips the types of its sources at each start.
  }
  try {
    // Node ends the process if the system refuses execve, so the usual reason is checked first.
    accessSync(process.execPath, constants.X_OK)
    const flags = [...flagsOf(env), ...process.execArgv]
    process.execve?.(process.execPath, [process.execPath, ...flags, MAIN, ...words], envOf(env))
  } catch {
    // The system has no execve, or Node cannot be executed.
  }
}
