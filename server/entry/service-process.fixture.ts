// Runs the service in a separate process, which ends after the test that started it, or after its file.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { CHILD_ENVIRONMENT } from '../test/child-environment.ts'
import { temporaryFolder } from '../test/temporary-folder.ts'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))
const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))

export interface ServiceProcess {
  child: ChildProcess
  /** Standard output so far. */
  output(): string
  errors(): string
  /** Resolves when the process has ended and all its output has been read. */
  exited: Promise<number | null>
}

/** Vitest's `onTestFinished` or `afterAll`. */
export type WhenOver = (end: () => Promise<void>) => void

/** @param command instead of `node server/main.ts` */
export function startService(
  env: Record<string, string>,
  command: readonly string[] = [process.execPath, MAIN],
  whenOver: WhenOver = onTestFinished,
): ServiceProcess {
  const [program = '', ...words] = command
  const child = spawn(program, words, {
    cwd: CHECKOUT,
    env: { ...CHILD_ENVIRONMENT, LOG_LEVEL: 'warn', ...env },
  })
  const heard = { output: '', errors: '' }
  child.stdout.on('data', (text) => (heard.output += text))
  child.stderr.on('data', (text) => (heard.errors += text))
  const exited = once(child, 'close').then(([code]) => code as number | null)
  exited.catch(() => undefined)
  whenOver(async () => {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL'))
      await once(child, 'exit')
  })
  return { child, output: () => heard.output, errors: () => heard.errors, exited }
}

/** The address that the service prints when it is ready. */
export async function addressOf({ child, output, errors, exited }: ServiceProcess): Promise<string> {
  for (;;) {
    const [, address] = /running at\s+(https?:\S+)/.exec(output()) ?? []
    if (address) return address
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`ended before it answered: ${errors()}`)
    await Promise.race([once(child.stdout ?? child, 'data'), exited])
  }
}

/** The environment of a service with the embedded database, in a separate folder. */
export const embeddedEnv = async () => ({
  DATA_DIR: await temporaryFolder(),
  PORT: '0',
  RAPPORT_DEMO: 'off',
})
