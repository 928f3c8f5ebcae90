// Another organization during the load: it writes and reads a few records a second, and gets its own events.
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { SAMPLE } from './fixture.ts'

export interface Percentiles {
  p50Ms: number
  p99Ms: number
}

interface Bystander {
  /** @returns milliseconds of each request */
  end(): Promise<number[]>
  readonly written: number
}

/** Time between a create and a read. */
const APART_MS = 20

/** @param bystanderKey undefined: the bystander sends no requests */
export function createBystander({ url, bystanderKey }: { url: string; bystanderKey?: string }): Bystander {
  const pool = new Pool(url, { connections: 8 })
  const headers = { authorization: `Bearer ${bystanderKey}`, 'content-type': 'application/json' }
  const { domain: _, ...data } = SAMPLE
  const body = JSON.stringify({ data })
  const [requestsMs, open]: [number[], Set<Promise<void>>] = [[], new Set()]
  const counts = { written: 0 }
  const request = async (method: 'GET' | 'POST') => {
    const path = `/api/v1/objects/companies/records${method === 'GET' ? '?limit=1&count=false' : ''}`
    const sentAt = performance.now()
    const answer = await pool.request({ method, path, headers, ...(method === 'POST' && { body }) })
    await answer.body.dump()
    requestsMs.push(performance.now() - sentAt)
    if (answer.statusCode >= 300)
      throw new Error(`${method} of the bystander was answered with ${answer.statusCode}`)
    if (method === 'POST') counts.written++
  }
  const stopping = new AbortController()
  const loop = async () => {
    for (let n = 0; bystanderKey !== undefined && !stopping.signal.aborted; n++) {
      const sending = request(n % 2 === 0 ? 'POST' : 'GET').then(() => void open.delete(sending))
      sending.catch(() => undefined)
      open.add(sending)
      await delay(APART_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const looping = loop()
  return {
    async end() {
      stopping.abort()
      await looping
      await Promise.all(open)
      await pool.close()
      return requestsMs
    },
    get written() {
      return counts.written
    },
  }
}
