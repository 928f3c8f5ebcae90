// The limit: undici posts the same bodies, signed the same way, over as many connections, and does nothing else.

import { Pool } from 'undici'
import { deliveryHeaders } from '../../server/webhooks/signature.ts'
import { answerMessages } from '../harness/partner.ts'

export interface Posting {
  url: string
  endpoints: number
  /** Concurrent requests to each endpoint. */
  concurrency: number
  count: number
  secret: string
  bodies: { id: string; body: string }[]
}

async function post({ url, endpoints, concurrency, count, secret, bodies }: Posting): Promise<object> {
  const pools = Array.from({ length: endpoints }, () => new Pool(url, { connections: concurrency }))
  let sent = 0
  const work = async (pool: Pool, path: string) => {
    while (sent < count) {
      const next = bodies[sent++ % bodies.length]
      if (!next) return
      const timestamp = Math.floor(Date.now() / 1000)
      const headers = deliveryHeaders({ secrets: [secret], id: next.id, timestamp, body: next.body, own: [] })
      const { body } = await pool.request({ method: 'POST', path, headers, body: next.body })
      await body.dump()
    }
  }
  await Promise.all(
    pools.flatMap((pool, n) => Array.from({ length: concurrency }, () => work(pool, `/${n}`))),
  )
  await Promise.all(pools.map((pool) => pool.close()))
  return { done: true }
}

answerMessages(post)
