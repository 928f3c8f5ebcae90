// A server on loopback that receives our requests, and answers as configured: correctly, incorrectly or not at all.
import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { afterFile } from './after-file.ts'
import type { Certificate } from './certificates.ts'

export interface Received {
  method: string
  /** Includes the query. */
  path: string
  headers: IncomingHttpHeaders
  /** The unchanged bytes. */
  body: Buffer
  /** By the receiver's clock. */
  arrivedAtMs: number
  /** The number of the connection, from 1. */
  connection: number
}

interface Answer {
  /** 200 by default. */
  status?: number
  headers?: Record<string, string | string[]>
  body?: string | Buffer
  delayMs?: number
}

/**
 * never: the request stays open. reset: the connection breaks before a byte of the answer; with `after`, after these
 * bytes. drip: one byte of the body immediately, then one every `everyMs`, without an end. flood: this number of bytes
 * of body as fast as the client accepts them. raw: these bytes in place of an answer, then the end.
 */
export type Reply =
  | (Answer & { kind?: 'answer' })
  | { kind: 'never' }
  | { kind: 'reset'; after?: string }
  | { kind: 'drip'; everyMs: number }
  | { kind: 'flood'; bytes: number }
  | { kind: 'raw'; bytes: string | Buffer }

export type Script = Reply | ((request: Received, count: number) => Reply)

export interface ReceiverOptions {
  /** The certificate for HTTPS; unset: HTTP. */
  tls?: Certificate
  /** 127.0.0.1 by default. */
  host?: '127.0.0.1' | '::1' | 'localhost'
  /** false: requests are counted, not stored. */
  isRecording?: boolean
}

export interface Receiver {
  /** Its origin, such as http://127.0.0.1:41234, without a slash at the end. */
  url: string
  port: number
  /** In the order of arrival, oldest first. */
  requests: Received[]
  count(): number
  /** The number of connections opened so far; over TLS, only those with a successful handshake. */
  connections(): number
  /** Sets the answer to later requests; initially 200 without a body. A function also gets the number of requests. */
  answer(script: Script): void
  /** Resolves when `count` requests have arrived in total. */
  received(count: number): Promise<void>
  /** Resets every open connection. */
  resetConnections(): void
  /** Before the end of the tests, so that later requests are refused. */
  close(): Promise<void>
}

const FLOOD_CHUNK = Buffer.alloc(64 * 1024, 'x')

function* flood(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= FLOOD_CHUNK.length) yield FLOOD_CHUNK.subarray(0, left)
}

function drip(response: ServerResponse, everyMs: number): void {
  response.writeHead(200).write('.')
  const timer = setInterval(() => response.write('.'), everyMs)
  response.once('close', () => clearInterval(timer))
}

function reset(socket: Socket, after: string): void {
  if (after === '') socket.resetAndDestroy()
  // Not an immediate reset, which would discard bytes that the client has not read yet.
  else socket.write(after, () => socket.destroy())
}

function answer(response: ServerResponse, { status = 200, headers = {}, body = '', delayMs = 0 }: Answer) {
  const send = () => response.writeHead(status, headers).end(body)
  if (delayMs === 0) return send()
  const timer = setTimeout(send, delayMs)
  return response.once('close', () => clearTimeout(timer))
}

function give(response: ServerResponse, reply: Reply): void {
  const { socket } = response
  if (socket === null) return
  if (reply.kind === undefined || reply.kind === 'answer') answer(response, reply)
  if (reply.kind === 'reset') reset(socket, reply.after ?? '')
  if (reply.kind === 'raw') socket.end(reply.bytes)
  if (reply.kind === 'drip') drip(response, reply.everyMs)
  // A flooded client disconnects before the end, which is not an error here.
  if (reply.kind === 'flood') pipeline(Readable.from(flood(reply.bytes)), response, () => undefined)
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const listen = (listener: RequestListener, tls: Certificate | undefined): Server =>
  tls ? createTlsServer(tls, listener) : createServer(listener)

/** Counts requests, so that tests can wait for a number of them. */
function createGate() {
  let count = 0
  let waiting: { for: number; go: () => void }[] = []
  return {
    count: () => count,
    pass() {
      count++
      waiting = waiting.filter((one) => {
        if (one.for <= count) one.go()
        return one.for > count
      })
      return count
    },
    received: (wanted: number) =>
      new Promise<void>((go) => {
        if (count >= wanted) go()
        else waiting.push({ for: wanted, go })
      }),
  }
}

/** Numbers connections, and keeps them only while they are open. */
function createRegister(server: Server, isTls: boolean) {
  const open = new Set<Socket>()
  const numbers = new WeakMap<Socket, number>()
  let count = 0
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => numbers.set(socket, ++count))
  return {
    count: () => count,
    numberOf: (socket: Socket) => numbers.get(socket) ?? 0,
    resetAll: () => {
      for (const socket of open) socket.resetAndDestroy()
    },
  }
}

/** Starts to listen on a free port until the tests of the file end, or `close`. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const requests: Received[] = []
  const gate = createGate()
  let script: Script = {}
  const server = listen((request, response) => void take(request, response), options.tls)
  const register = createRegister(server, options.tls !== undefined)
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '', headers, socket } = request
    const connection = register.numberOf(socket)
    const body = await bodyOf(request).catch(() => undefined)
    if (body === undefined) return
    const received = { method, path, headers, body, arrivedAtMs: Date.now(), connection }
    if (options.isRecording ?? true) requests.push(received)
    const count = gate.pass()
    give(response, typeof script === 'function' ? script(received, count) : script)
  }
  const host = options.host ?? '127.0.0.1'
  server.listen(0, host)
  await once(server, 'listening')
  const close = async () => {
    if (!server.listening) return
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  afterFile(close)
  const { port } = server.address() as AddressInfo
  const authority = host === '::1' ? `[::1]:${port}` : `${host}:${port}`
  return {
    url: `${options.tls ? 'https' : 'http'}://${authority}`,
    port,
    requests,
    count: gate.count,
    connections: register.count,
    answer: (next) => {
      script = next
    },
    received: gate.received,
    resetConnections: register.resetAll,
    close,
  }
}
