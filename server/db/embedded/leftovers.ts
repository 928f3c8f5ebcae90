import { execFile } from 'node:child_process'
import { readdir, readFile, realpath, rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { EmbeddedError } from './error.ts'
import { type EmbeddedFolder, readOwner, removeSocket } from './folder.ts'
import { postmasterPath, readPostmasterFile } from './postmaster-file.ts'

interface Process {
  pid: number
  /**
   * The words of the command line, each followed by a space, or the process title that PostgreSQL sets:
   * "postgres: rapport-…: checkpointer ".
   */
  command: string
}

const pollMs = 20
const fastShutdownMs = 8_000
// After SIGQUIT the postmaster waits up to 5 s for its children.
const immediateShutdownMs = 6_000
// A killed process may still wait for a disk.
const giveUpMs = 30_000

/**
 * Ends the processes that an earlier owner of the folder left behind. Requires the owner lock: a server of ours that
 * still runs then has no owner. It is ended and not adopted, because only the end of a child process is reported to us,
 * and because it must have the current settings. It shuts down with a checkpoint: no data is lost, and the next start
 * is fast.
 * @throws {EmbeddedError} when a server that Rapport did not start runs on the folder
 */
export async function endLeftovers(folder: EmbeddedFolder): Promise<void> {
  await endProcesses(folder)
  const recorded = await readPostmasterFile(folder)
  if (recorded && isAlive(recorded.pid)) await removeStalePidFile(folder, recorded.pid)
  const owner = await readOwner(folder)
  await removeSocket(folder, owner?.socketDirectory ?? folder.run)
}

/**
 * PostgreSQL takes any live process with the recorded pid for a running server and refuses to start, also in a user
 * namespace. The file is removed only when no process works on the folder. PostgreSQL itself handles a pid that is not
 * in use: it then also checks its shared memory.
 */
async function removeStalePidFile(folder: EmbeddedFolder, pid: number): Promise<void> {
  const command = (await listProcesses()).find((other) => other.pid === pid)?.command ?? ''
  if (/\bpostgres\b/.test(command) && (await worksOn(folder, pid, command))) {
    throw new EmbeddedError(
      `A PostgreSQL server that Rapport did not start (process ${pid}) runs on ${folder.cluster}: stop it first.`,
    )
  }
  await rm(postmasterPath(folder), { force: true })
}

async function worksOn(folder: EmbeddedFolder, pid: number, command: string): Promise<boolean> {
  const workingDirectory = await realpath(`/proc/${pid}/cwd`).catch(() => '')
  return workingDirectory === folder.cluster || command.includes(`${folder.cluster} `)
}

async function endProcesses(folder: EmbeddedFolder): Promise<void> {
  const startedAt = Date.now()
  const signalled = new Map<number, NodeJS.Signals>()
  for (;;) {
    const processes = await serverProcesses(folder)
    if (processes.length === 0) return
    const waitedMs = Date.now() - startedAt
    if (waitedMs > giveUpMs) throw stillRunning(folder, processes)
    for (const [pid, signal] of signalsFor(processes, waitedMs)) {
      if (signalled.get(pid) !== signal) sendSignal(pid, signal)
      signalled.set(pid, signal)
    }
    await delay(pollMs)
  }
}

function stillRunning(folder: EmbeddedFolder, processes: Process[]): EmbeddedError {
  const pids = processes.map(({ pid }) => pid).join(', ')
  return new EmbeddedError(
    `An earlier PostgreSQL on ${folder.cluster} does not stop: end the processes ${pids}.`,
  )
}

/** The postmaster is signalled first; children without a postmaster serve no client and are ended immediately. */
function signalsFor(processes: Process[], waitedMs: number): [pid: number, NodeJS.Signals][] {
  if (waitedMs > fastShutdownMs + immediateShutdownMs) return processes.map(({ pid }) => [pid, 'SIGKILL'])
  const postmasters = processes.filter(({ command }) => !command.startsWith('postgres: '))
  if (postmasters.length === 0) return processes.map(({ pid }) => [pid, 'SIGQUIT'])
  return postmasters.map(({ pid }) => [pid, waitedMs > fastShutdownMs ? 'SIGQUIT' : 'SIGINT'])
}

/** Ignores a process that has already ended. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has ended.
  }
}

/** The processes that carry the folder's cluster name: its server, running or stopping. */
async function serverProcesses(folder: EmbeddedFolder): Promise<Process[]> {
  const all = await listProcesses()
  const { clusterName } = folder
  return all.filter(({ command }) => {
    return (
      command.startsWith(`postgres: ${clusterName}: `) || command.includes(`cluster_name=${clusterName} `)
    )
  })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Reads /proc on Linux, since slim containers lack ps; runs ps on other systems. */
async function listProcesses(): Promise<Process[]> {
  if (process.platform !== 'linux') return listWithPs()
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  return Promise.all(pids.map(async (pid) => ({ pid, command: await readCommand(pid) })))
}

async function readCommand(pid: number): Promise<string> {
  const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return words.replaceAll('\0', ' ')
}

async function listWithPs(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,command='], {
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout.split('\n').map((line) => {
    const [, pid, command] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? []
    return { pid: Number(pid ?? 0), command: `${command ?? ''} ` }
  })
}
