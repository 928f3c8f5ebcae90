// A TLS proxy for PostgreSQL, whose test socket has no TLS.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { ClientConfig } from 'pg'
import { onTestFinished } from 'vitest'
import type { Certificate } from '../test/certificates.ts'
import { targetOf } from '../test/faults/proxy.ts'

interface TlsServer {
  port: number
  /** How each connection began, in order. */
  begun: ('plain' | 'encrypted')[]
}

/** The first message of a client that requests TLS (SSLRequest in PostgreSQL's message formats). */
const isTlsRequest = (bytes: Buffer) => bytes.length === 8 && bytes.readInt32BE(4) === 80877103

function passOn(client: Socket, target: ClientConfig, first?: Buffer): void {
  const server = connect(targetOf(target))
  for (const one of [client, server]) one.on('error', () => undefined)
  if (first) server.write(first)
  client.pipe(server).pipe(client)
}

/** @param certificate undefined: without TLS @param whenOver Vitest's `onTestFinished` or `afterAll` */
export async function startTlsServer(
  target: ClientConfig,
  certificate: Certificate | undefined,
  whenOver: (end: () => void) => void = onTestFinished,
): Promise<TlsServer> {
  const begun: TlsServer['begun'] = []
  const server = createServer((socket) => {
    // A client that refuses the certificate resets the connection.
    socket.on('error', () => undefined)
    socket.once('data', (first) => {
      if (!isTlsRequest(first)) {
        begun.push('plain')
        passOn(socket, target, first)
      } else if (certificate) {
        begun.push('encrypted')
        socket.write('S')
        passOn(new TLSSocket(socket, { isServer: true, ...certificate }), target)
      } else socket.end('N')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenOver(() => void server.close())
  return { port: (server.address() as AddressInfo).port, begun }
}
