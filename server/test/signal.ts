// Sends signals to processes of tests.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../base/error-code.ts'

/** @throws if the pid is unknown: with 0, every process of the run would get the signal */
export function signalProcess(pid: number | undefined, signal: NodeJS.Signals): void {
  if (!pid) throw new Error(`there is no process that could get ${signal}`)
  process.kill(pid, signal)
}

export function signalUnlessEnded(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    signalProcess(pid, signal)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

/** The pid of the embedded PostgreSQL. */
export async function postmasterOf(dataDir: string): Promise<number> {
  const file = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')
  return Number(file.split('\n')[0])
}
