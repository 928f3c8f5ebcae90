// Requests from a second process, measured from the first byte sent to the last one read.
import { fileURLToPath } from 'node:url'
import { ask, startPartner } from '../harness/child.ts'
import type { Lab } from '../harness/lab.ts'

const PROCESS = fileURLToPath(new URL('./client-process.ts', import.meta.url))

export interface ClientRequest {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  headers: Record<string, string>
  body?: string
}

export interface Asking {
  url: string
  /** Sent in turn, from the first again when all were. */
  requests: readonly ClientRequest[]
  /** How many are in flight at the same time. */
  clients: number
  /** The number of requests after which it ends. */
  times: number
  /** Or, before that, the number of seconds, when each request was sent as often as the others. */
  seconds: number
}

export interface Asked {
  latenciesMs: number[]
  elapsedMs: number
}

export interface Client {
  /** @throws Error when any request is not answered with 2xx */
  ask(asking: Asking): Promise<Asked>
}

/** Ends with the lab. */
export function startClient(lab: Lab): Client {
  const child = startPartner(lab, { name: 'The client', file: PROCESS })
  return { ask: (asking) => ask<Asked>(child, asking) }
}
