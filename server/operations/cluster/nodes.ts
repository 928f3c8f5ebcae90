// The processes of a cluster, started like an operator starts them: some answer requests, some do background work.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))

export interface ClusterNodeKind {
  /** For messages, such as api-1 or worker-2. */
  name: string
  role: 'api' | 'worker'
  /** The port for requests; 0: any free port. */
  port?: number
}

/** The processes of a cluster. */
export const KINDS = [
  { name: 'api-1', role: 'api' },
  { name: 'api-2', role: 'api' },
  { name: 'worker-1', role: 'worker' },
  { name: 'worker-2', role: 'worker' },
] as const satisfies readonly ClusterNodeKind[]

export interface ClusterNode extends ClusterNodeKind {
  child: ChildProcess
  /** The address for requests; undefined for a worker. */
  address: string | undefined
  /** Resolves with how the process ended: an exit code or a signal. */
  exited: Promise<string>
}

/** A process that ended. It has printed the reason, unless a signal has ended it. */
class NodeError extends Error {
  override readonly name = 'NodeError'
}

/** A line that a process prints when it has started. */
const STARTED = /is running at\s+(http:\S+)|does background work/

export interface StartingNode extends Pick<ClusterNode, 'child' | 'exited'> {
  /** Resolves when the process answers requests, or does background work. @throws NodeError if it ends before that */
  started: Promise<ClusterNode>
}

/** Starts a process, which the caller must stop from then on. */
export function startNode(
  kind: ClusterNodeKind,
  env: Record<string, string | undefined>,
  onError: (line: string) => void,
): StartingNode {
  const { name, role, port = 0 } = kind
  const child = spawn(process.execPath, [MAIN], {
    env: { ...env, ROLE: role, PORT: String(port), API_PROCESSES: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  createInterface(child.stderr).on('line', onError)
  const exited = once(child, 'exit').then(([code, signal]) => String(signal ?? `exit code ${code}`))
  const { promise: answering, resolve } = Promise.withResolvers<string | undefined>()
  createInterface(child.stdout).on('line', (line) => {
    const found = STARTED.exec(line)
    if (found) resolve(found[1])
  })
  const failed = exited.then((how) => {
    throw new NodeError(`The process ${name} could not start (${how})`)
  })
  const started = Promise.race([answering, failed]).then((address) => ({ ...kind, child, address, exited }))
  for (const one of [failed, started]) one.catch(() => undefined)
  return { child, exited, started }
}

/** Longer than any process takes to stop. */
const STOP_MS = 12_000

/** Ends a process like a service manager does. */
export async function stopNode({ child, exited }: Pick<ClusterNode, 'child' | 'exited'>): Promise<void> {
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await exited
  clearTimeout(timer)
}
