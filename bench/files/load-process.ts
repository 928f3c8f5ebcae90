// Uploads or downloads files over several connections. Counts every downloaded byte.

import { Pool } from 'undici'
import { answerMessages } from '../harness/partner.ts'

export interface Transfers {
  method: 'PUT' | 'GET'
  /** Base URL of the server. */
  url: string
  /** One for each transfer. */
  paths: string[]
  connections: number
  bytes: number
}

export interface TransferResult {
  seconds: number
}

type Send = (path: string) => Promise<void>

function sender(pool: Pool, { method, bytes }: Transfers): Send {
  const body = Buffer.alloc(bytes, 'x')
  return async (path) => {
    const sent = method === 'PUT' ? { body, headers: { 'content-type': 'text/plain' } } : {}
    const answer = await pool.request({ method, path, ...sent })
    let received = 0
    for await (const chunk of answer.body) received += (chunk as Buffer).length
    const isWhole = method === 'PUT' || received === bytes
    if (answer.statusCode !== 200 || !isWhole)
      throw new Error(`${method} was answered ${answer.statusCode} with ${received} bytes`)
  }
}

async function transfer(transfers: Transfers): Promise<TransferResult> {
  const { url, paths, connections } = transfers
  const pool = new Pool(url, { connections, headersTimeout: 0, bodyTimeout: 0 })
  const send = sender(pool, transfers)
  const left = [...paths]
  const work = async () => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) await send(path)
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: connections }, work))
  const seconds = (performance.now() - startedAt) / 1000
  await pool.close()
  return { seconds }
}

answerMessages(transfer)
