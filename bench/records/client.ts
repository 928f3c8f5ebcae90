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
  /** Sent in turn. After the last request, the first is sent again. */
  requests: readonly ClientRequest[]
  /** How many are in flight at the same time. */
  clients: number
  /** Maximum number of requests. */
  times: number
  /** Ends earlier after this number of seconds, when all requests were sent equally often. */
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

/** Starts the client's process, which ends with the lab. */
export function startClient(lab: Lab): Client {
  const child = startPartner(lab, { name: 'The client', file: PROCESS })
  return { ask: (asking) => ask<Asked>(child, asking) }
}
