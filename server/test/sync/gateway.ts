// A proxy between a program and the service. A test can interrupt it at one request.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface Interruption {
  /** The number of the request since the call of `interrupt`, from 1. */
  at: number
  /** Called before the service gets the request. */
  before?: () => unknown
  /** Called after the service has answered. The answer is lost. */
  after?: () => unknown
}

export interface Gateway {
  url: string
  /** Sets the address of the service. */
  forwardTo(address: string): void
  interrupt(interruption: Interruption): void
  /** The methods of the requests since the previous call. */
  methods(): string[]
  close(): Promise<void>
}

/** Headers that belong to one connection. */
const OWN = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive']

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !OWN.includes(name))
  return {
    ...Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
    'accept-encoding': 'identity',
  }
}

async function forward(address: string, request: IncomingMessage) {
  const body = await buffer(request)
  const response = await fetch(`${address}${request.url}`, {
    method: request.method ?? 'GET',
    headers: headersOf(request),
    ...(body.length > 0 && { body }),
  })
  return {
    status: response.status,
    headers: response.headers,
    body: Buffer.from(await response.arrayBuffer()),
  }
}

export async function openGateway(): Promise<Gateway> {
  let address = ''
  let passed = 0
  let interruption: Interruption = { at: 0 }
  let methods: string[] = []
  async function pass(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const isIt = ++passed === interruption.at
    methods.push(request.method ?? '')
    if (isIt) await interruption.before?.()
    const { status, headers, body } = await forward(address, request)
    if (isIt && interruption.after) {
      await interruption.after()
      reply.destroy()
      return
    }
    reply
      .writeHead(status, Object.fromEntries([...headers].filter(([name]) => !OWN.includes(name))))
      .end(body)
  }
  const server = createServer((request, reply) => {
    // The service or the program was killed.
    pass(request, reply).catch(() => reply.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forwardTo(to) {
      address = to
    },
    interrupt(next) {
      passed = 0
      interruption = next
    },
    methods() {
      const before = methods
      methods = []
      return before
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
