// Signals to processes of tests.
import { errorCode } from '../db/error-code.ts'

/** @throws where the pid is not known: with 0, every process of the run would get the signal */
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
