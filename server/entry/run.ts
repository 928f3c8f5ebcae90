// Runs one process of the service until a signal stops it: a single process, the first of several, or a later one.
import { type Config, ConfigError, type Env, readConfig } from '../config/config.ts'
import { DatabaseError } from '../db/database.ts'
import { EmbeddedError } from '../db/embedded.ts'
import { MigrationError } from '../db/migrate.ts'
import { errorCode } from '../db/pool.ts'
import { ChildError } from '../operations/processes/children.ts'
import { KeyFileError } from '../secrets/key-file.ts'
import type { Part } from './start.ts'

/** Problems that an operator can solve: printed in one line, without a stack. */
const EXPECTED = [ConfigError, DatabaseError, EmbeddedError, KeyFileError, MigrationError, ChildError]

function explainStart(error: unknown, config: Pick<Config, 'port' | 'host'> | undefined): string | undefined {
  if (error instanceof Error && EXPECTED.some((kind) => error instanceof kind)) return error.message
  const where = `${config?.host}:${config?.port}`
  if (errorCode(error) === 'EADDRINUSE')
    return `${where} is in use: stop the program that listens there, or set PORT to another port`
  if (errorCode(error) === 'EACCES')
    return `This user is not allowed to listen on ${where}: set PORT to 1024 or above`
  if (errorCode(error) === 'EADDRNOTAVAIL')
    return `${config?.host} is not an address of this machine: set HOST to one that is`
  return undefined
}

/** Settles with the first signal to stop. Process 1 of a container ignores signals without a listener. */
const firstSignal = (): Promise<string> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(signal))
  })

const stackOf = (error: unknown) => (error instanceof Error ? error.stack : String(error))

const hasSeveral = ({ role, apiProcesses, workerProcess }: Config, { isDevelopment, name }: Part): boolean =>
  !isDevelopment &&
  name === undefined &&
  role !== 'worker' &&
  (apiProcesses > 1 || (role === 'all' && workerProcess))

// The first of several processes loads only the modules that it needs.
async function start(config: Config, part: Part, signal: Promise<string>): Promise<void> {
  if (!hasSeveral(config, part)) return (await import('./start.ts')).start(config, part, signal)
  return (await import('./main-process.ts')).runProcesses(config, part.env, signal)
}

/** Runs the service. If it cannot start, prints the reason and ends the process. */
export async function run(env: Env, part: Omit<Part, 'env'>): Promise<void> {
  const signal = firstSignal()
  let config: Config | undefined
  try {
    config = readConfig(env)
    await start(config, { ...part, env }, signal)
  } catch (error) {
    const line = explainStart(error, config)
    process.stderr.write(line ? `rapport: ${line}\n` : `rapport could not start: ${stackOf(error)}\n`)
    process.exit(1)
  }
}
