// Interface of the load generator, a second process that sends requests over many connections.
import { fileURLToPath } from 'node:url'
import { ask, startPartner } from './child.ts'
import type { Lab } from './lab.ts'

const PROCESS = fileURLToPath(new URL('./load-process.ts', import.meta.url))

export interface LoadRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

/** Endless requests of one kind; each call returns the next one. */
export type Stream = () => LoadRequest

/** The function `openStreams` that a module of requests exports. It runs in the load process. */
export type OpenStreams<Params, Name extends string> = (params: Params) => Record<Name, Stream>

export interface Load {
  /** Base URL of the server, such as http://127.0.0.1:3000. */
  url: string
  connections: number
  seconds: number
  stream: string
}

export interface LoadResult {
  requestsPerSecond: number
  /** Requests that were answered. */
  requests: number
  p50Ms: number
  p99Ms: number
}

export interface LoadGenerator {
  /** @throws Error when any request fails or is not answered with 2xx */
  run(load: Load): Promise<LoadResult>
}

/** Starts the load process; it ends with the lab. `openStreams` of `module` receives `params` as JSON. */
export async function startLoadGenerator(
  lab: Lab,
  { module, params }: { module: URL; params: object },
): Promise<LoadGenerator> {
  const child = startPartner(lab, { name: 'The load generator', file: PROCESS })
  await ask(child, { open: { module: module.href, params } })
  return { run: (load) => ask<LoadResult>(child, { run: load }) }
}
