// Starts a peer's process, and sends requests to it during the set-up.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Child, type NodeProgram, startProgram } from '../harness/child.ts'
import type { Lab } from '../harness/lab.ts'

const START_MS = 180_000
const POLL_MS = 250

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('There is no free port')
  return address.port
}

async function untilAnswered(url: string): Promise<void> {
  const until = Date.now() + START_MS
  while (Date.now() < until) {
    const response = await fetch(url).catch(() => undefined)
    await response?.text()
    if (response?.ok) return
    await delay(POLL_MS)
  }
  throw new Error(`${url} did not answer within ${START_MS / 1000} seconds`)
}

/** @param health URL that answers 2xx when the peer is ready; undefined: returns immediately */
export async function startPeer(lab: Lab, program: NodeProgram, health?: string): Promise<Child> {
  const env = { NODE_ENV: 'production', DATABASE_URL: '', ...program.env }
  const child = startProgram(lab, { ...program, env })
  child.process.stdout?.resume()
  if (health !== undefined) await Promise.race([untilAnswered(health), child.failed])
  return child
}

/** Runs a command of a peer to its end. @throws Error when the command fails */
export async function runPeer(lab: Lab, program: NodeProgram): Promise<void> {
  const child = await startPeer(lab, program)
  await new Promise<void>((resolve, reject) => {
    child.process.once('exit', (code) => code === 0 && resolve())
    child.failed.catch(reject)
  })
}

/** @throws Error where the answer is not 2xx */
export async function send<Answer = Record<string, unknown>>(
  url: string,
  {
    headers = {},
    body,
    method = body === undefined ? 'GET' : 'POST',
  }: {
    headers?: Record<string, string>
    body?: object | string
    method?: string
  } = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url} was answered ${response.status}: ${text.slice(0, 500)}`)
  return JSON.parse(text) as Answer
}
