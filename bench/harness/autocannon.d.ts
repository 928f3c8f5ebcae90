// The part of autocannon that the load process uses; the package has no types.
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events'

  export interface Request {
    method: string
    path: string
    headers: Record<string, string>
    body?: string
  }
  export interface Options {
    url: string
    connections: number
    /** Seconds */
    duration: number
    /** Milliseconds between two checks whether the time is over. */
    sampleInt: number
    requests: { setupRequest: (request: Request) => Request }[]
  }
  export interface Result {
    /** Seconds */
    duration: number
    '2xx': number
    non2xx: number
    errors: number
    statusCodeStats: Record<string, { count: number }>
  }
  type Tracker = EventEmitter<{ response: [client: unknown, status: number, bytes: number, ms: number] }>
  export default function autocannon(
    options: Options,
    done: (error: Error | null, result: Result) => void,
  ): Tracker
}
