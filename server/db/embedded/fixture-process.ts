import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import type { EmbeddedConnection } from '../embedded.ts'

/** The output of a fixture process: its server, or the error. */
export interface FixtureAnswer {
  owned?: boolean
  connection?: EmbeddedConnection
  error?: string
  notices: string[]
}

export interface FixtureProcess {
  pid: number
  answer: FixtureAnswer
  /** Sends the signal (SIGTERM also stops the server) and waits until this process ends; its children may still run. */
  end(signal?: NodeJS.Signals): Promise<void>
}

export interface FixtureOptions {
  mode?: 'start' | 'attach'
  node?: string
  script?: string
  /** Words of a command before `node`, each of which replaces itself (exec) with the rest. */
  launcher?: readonly string[]
  spawn?: SpawnOptions
}

const running = new Set<ChildProcess>()

/** Runs embedded-fixture.ts until it has printed its answer. */
export async function runFixture(dataDir: string, options: FixtureOptions = {}): Promise<FixtureProcess> {
  const child = spawnFixture(dataDir, options)
  const answer = await readAnswer(child)
  const end = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal)
      await once(child, 'exit')
    }
  }
  return { pid: child.pid ?? 0, answer, end }
}

export function spawnFixture(dataDir: string, options: FixtureOptions): ChildProcess {
  const script = options.script ?? join(import.meta.dirname, 'embedded-fixture.ts')
  const command = [options.node ?? process.execPath, script, options.mode ?? 'start', dataDir]
  const [program = '', ...words] = [...(options.launcher ?? []), ...command]
  const child = spawn(program, words, {
    ...options.spawn,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** Ends every fixture that a failed test left running, and its server. */
export async function endFixtures(): Promise<void> {
  const ended = [...running].map((child) => once(child, 'exit'))
  for (const child of running) child.kill('SIGTERM')
  await Promise.all(ended)
}

async function readAnswer(child: ChildProcess): Promise<FixtureAnswer> {
  if (!child.stdout) throw new Error('The fixture has no output')
  for await (const line of createInterface(child.stdout)) return JSON.parse(line)
  throw new Error('The fixture printed nothing')
}

/** The process ids of the server on a data folder; the postmaster is first. */
export async function serverPids(dataDir: string): Promise<number[]> {
  const postmaster = Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
  const pids = [postmaster]
  for (const name of await readdir('/proc')) {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    if (Number(stat.split(') ')[1]?.split(' ')[1]) === postmaster) pids.push(Number(name))
  }
  return pids
}

/** False for a zombie too: an orphan keeps its pid until init reaps it. */
export async function isRunning(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) !== ''
}

/** Polls a condition without a time limit. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(10)
}
