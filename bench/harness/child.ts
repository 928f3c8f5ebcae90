// Processes that a bench starts. They end with the bench. Their stderr is kept for the error message of a failure.
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Lab } from './lab.ts'

const GRACE_MS = 15_000
const COMPLAINT_CHARS_MAX = 4000

export interface Child {
  process: ChildProcess
  pid: number
  /** Rejects with the last output on stderr when the process ends without `stop`. */
  failed: Promise<never>
  stop(): Promise<void>
}

function watch(lab: Lab, name: string, process: ChildProcess): Child {
  let complaint = ''
  let stopping = false
  process.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-COMPLAINT_CHARS_MAX)
  })
  const exited = new Promise<string>((resolve) => {
    process.once('error', (error) => resolve(error.message))
    process.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  const failed = exited.then((how) => {
    if (stopping) return new Promise<never>(() => undefined)
    throw new Error(`${name} ended (${how}): ${complaint}`)
  })
  failed.catch(() => undefined)
  const stop = async () => {
    stopping = true
    process.kill('SIGTERM')
    const timer = setTimeout(() => process.kill('SIGKILL'), GRACE_MS)
    await exited
    clearTimeout(timer)
  }
  lab.onClose(stop)
  return { process, pid: process.pid ?? 0, failed, stop }
}

export interface NodeProgram {
  /** Name in error messages. */
  name: string
  file: string
  /** Arguments after the file. */
  args?: readonly string[]
  cwd?: string
  /** Flags of Node. */
  flags?: readonly string[]
  env?: Record<string, string>
}

/** Starts a Node process whose standard output the bench reads. */
export const startProgram = (
  lab: Lab,
  { name, file, args = [], cwd, flags = [], env = {} }: NodeProgram,
): Child =>
  watch(
    lab,
    name,
    spawn(process.execPath, [...flags, file, ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )

/** Starts a Node process that exchanges IPC messages with the bench. It must end when the channel closes. */
export const startPartner = (lab: Lab, { name, file, flags = [], env = {} }: NodeProgram): Child =>
  watch(
    lab,
    name,
    fork(file, {
      execArgv: [...flags],
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    }),
  )

/** Sends one message and waits for the answer. @throws Error when the answer is an error, or the process ends */
export async function ask<Answer extends object>(
  { process, failed }: Child,
  question: object,
): Promise<Answer> {
  const answered = once(process, 'message') as Promise<[Answer | { error: string }]>
  process.send(question)
  const [answer] = await Promise.race([answered, failed])
  if ('error' in answer) throw new Error(answer.error)
  return answer
}
