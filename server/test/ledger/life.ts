// The service as an operator runs it: a process, started and killed again and again.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))

export interface Life {
  /** Where it answers, such as http://127.0.0.1:41234. */
  address: string
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>
  /** SIGTERM. @returns the exit code */
  stop(): Promise<number | null>
}

interface Options {
  env: Record<string, string>
  /** Hears every line of the service's log. */
  onLog: (line: string) => void
}

const ended = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
  if (ended(child)) return child.exitCode
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
  return child.exitCode
}

const living = new Set<ChildProcess>()
let isOver = false

/** For the end of a test, that may have failed half-way: nothing begins any more. */
export async function killAll(): Promise<void> {
  isOver = true
  await Promise.all([...living].map((child) => end(child, 'SIGKILL')))
}

function launch({ env, onLog }: Options): ChildProcess & { address: Promise<string> } {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  living.add(child)
  const { promise: address, resolve, reject } = Promise.withResolvers<string>()
  createInterface(child.stdout).on('line', (line) => {
    const [, found] = /running at\s+(http:\S+)/.exec(line) ?? []
    if (found) resolve(found)
  })
  createInterface(child.stderr).on('line', onLog)
  child.once('exit', () => {
    living.delete(child)
    reject(new Error('the service ended before it answered: its log says why'))
  })
  return Object.assign(child, { address })
}

/** Starts the service; resolves when it answers. */
export async function beginLife(options: Options): Promise<Life> {
  if (isOver) throw new Error('the test is over')
  const child = launch(options)
  return {
    address: await child.address,
    kill: async () => {
      await end(child, 'SIGKILL')
    },
    stop: () => end(child, 'SIGTERM'),
  }
}
