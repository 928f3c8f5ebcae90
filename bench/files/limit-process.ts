// The limit: node:http streams bodies to files and files to bodies, and does nothing else.
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { answerMessages } from '../harness/partner.ts'

export interface Limit {
  folder: string
}

async function answer(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://limit')
  const path = join(folder, basename(url.pathname))
  if (request.method === 'GET') return pipeline(createReadStream(path), response)
  // With ?flush the file is on the disk before the answer, as with the service.
  await pipeline(request, createWriteStream(path, { flush: url.search === '?flush' }))
  response.end('{}')
}

answerMessages(async ({ folder }: Limit) => {
  const server = createServer((request, response) => {
    answer(folder, request, response).catch(() => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
})
