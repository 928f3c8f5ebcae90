// The service as an operator runs it: a process, which tests start and kill repeatedly.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { CHILD_ENVIRONMENT } from '../child-environment.ts'

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))

export interface Life {
  pid: number
  /** The address of the service, such as http://127.0.0.1:41234. */
  address: string
  /** SIGKILL; resolves when the process has ended. */
  kill(): Promise<void>
  /** SIGTERM. @returns the exit code */
  stop(): Promise<number | null>
}

interface Options {
  env: Record<string, string>
  /** Receives every line of the service's log. */
  onLog: (line: string) => void
  /** Words of a command before `node`, each of which replaces itself (exec) with the rest. */
  launcher?: readonly string[]
}

const ended = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
  if (ended(child)) return child.exitCode
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
  return child.exitCode
}

export interface Lives {
  /** Starts the service; resolves when it answers. */
  begin(options: Options): Promise<Life>
  /** For the end of a test, which may have failed in the middle: afterwards `begin` throws. */
  killAll(): Promise<void>
}

type Living = Set<ChildProcess>

function launch(living: Living, { env, onLog, launcher = [] }: Options) {
  const [program = '', ...words] = [...launcher, process.execPath, MAIN]
  const child = spawn(program, words, {
    env: { ...CHILD_ENVIRONMENT, ...env },
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
  return { child, address }
}

/** The processes of one test file: test files in the same process also share modules. */
export function createLives(): Lives {
  const living: Living = new Set()
  let isOver = false
  return {
    async begin(options) {
      if (isOver) throw new Error('the test is over')
      const { child, address } = launch(living, options)
      return {
        address: await address,
        pid: child.pid ?? 0,
        kill: async () => {
          await end(child, 'SIGKILL')
        },
        stop: () => end(child, 'SIGTERM'),
      }
    },
    async killAll() {
      isOver = true
      await Promise.all([...living].map((child) => end(child, 'SIGKILL')))
    },
  }
}
