// Opens connections, only to checked addresses.
import { isIP, type LookupFunction, connect as openTcp, type Socket } from 'node:net'
import { createSecureContext, connect as openTls, type SecureContext, TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'
import { specialKind } from './addresses.ts'
import {
  blocked,
  type Explained,
  explainCertificate,
  explainOpening,
  explainSlow,
  NoConnection,
  type Phase,
  type RequestedHost,
} from './failures.ts'
import type { IpAddress, Lookup } from './lookup.ts'
import { isLiteralAddress } from './target.ts'

/** The state of the connection that a client has or is opening. */
export interface Connection {
  phase: Phase
  ip: string | null
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
  /** The number of requests on this connection, including the current one. */
  requests: number
}

const NOTHING: Connection = { phase: 'dns', ip: null, dnsMs: null, connectMs: null, tlsMs: null, requests: 0 }
export const newConnection = (): Connection => ({ ...NOTHING })

export interface ConnectRules {
  allowPrivate: boolean
  lookup: Lookup
  /** For lookup, connection and handshake together. */
  connectTimeoutMs: number
}

/** Explains the first address that is blocked; undefined if none is. */
export function findBlocked(host: string, addresses: readonly IpAddress[]): Explained | undefined {
  for (const { address } of addresses) {
    const kind = specialKind(address)
    if (kind !== undefined) return blocked(host, address, kind)
  }
  return undefined
}

/** @throws NoConnection if one of the host's addresses is blocked */
async function checkedAddresses(
  host: string,
  { allowPrivate, lookup }: ConnectRules,
): Promise<readonly IpAddress[]> {
  const addresses = isLiteralAddress(host) ? [{ address: host, family: isIP(host) }] : await lookup(host)
  const refusal = allowPrivate ? undefined : findBlocked(host, addresses)
  if (refusal) throw new NoConnection(refusal)
  return addresses
}

/** A lookup function for Node that always returns the checked addresses. */
const pinned =
  (addresses: readonly IpAddress[]): LookupFunction =>
  (host, { all }, callback) => {
    const [first] = addresses
    if (first === undefined) callback(new Error(`${host} has no address`), [])
    else if (all) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }

// How long one address may take before the next is tried.
const NEXT_ADDRESS_MS = 1000

// Cached, because reading the certificates of the authorities is slow.
let trust: SecureContext | undefined
function trusted(): SecureContext {
  trust ??= createSecureContext()
  return trust
}

function dial(host: string, target: buildConnector.Options, addresses: readonly IpAddress[]): Socket {
  const isTls = target.protocol === 'https:'
  const options = {
    host,
    port: Number(target.port || (isTls ? 443 : 80)),
    // Node calls it only for names; a literal address was checked before.
    lookup: pinned(addresses),
    autoSelectFamily: addresses.length > 1,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    keepAlive: true,
    noDelay: true,
  }
  if (!isTls) return openTcp(options)
  // Any certificate is accepted here, so that an error can be explained; `authorized` is checked after the handshake.
  const tls = { rejectUnauthorized: false, ALPNProtocols: ['http/1.1'], secureContext: trusted() }
  return openTls({ ...options, ...tls, servername: isLiteralAddress(host) ? '' : host.replace(/\.$/, '') })
}

/** Records the phase of the connection and the time of each step. */
function follow(socket: Socket, connection: Connection, from: number): void {
  let last = from
  const lap = () => {
    const ms = performance.now() - last
    last += ms
    return ms
  }
  socket.once('connect', () => {
    connection.connectMs = lap()
    connection.ip = socket.remoteAddress ?? null
    connection.phase = socket instanceof TLSSocket ? 'tls' : 'open'
  })
  socket.once('secureConnect', () => {
    connection.tlsMs = lap()
    connection.phase = 'open'
  })
}

/** Calls back when the socket may be used; with TLS after its certificate was checked. */
function whenReady(socket: Socket, done: (error: Error | null) => void): void {
  socket.on('error', done)
  if (!(socket instanceof TLSSocket)) socket.once('connect', () => done(null))
  else
    socket.once('secureConnect', () =>
      done(socket.authorized ? null : new NoConnection(explainCertificate(socket))),
    )
}

/** A connector for undici that records its steps in `connection`. */
export function createConnect(rules: ConnectRules, connection: Connection): buildConnector.connector {
  return (target, callback) => {
    const host = target.hostname
    const place: RequestedHost = {
      host,
      port: Number(target.port || (target.protocol === 'https:' ? 443 : 80)),
    }
    const startedAt = performance.now()
    Object.assign(connection, NOTHING)
    let socket: Socket | undefined
    let isDone = false
    const done = (error: Error | null) => {
      if (isDone) return
      isDone = true
      clearTimeout(timer)
      if (socket && error === null) return callback(null, socket)
      socket?.destroy()
      const isExplained = error instanceof NoConnection
      callback(isExplained ? error : new NoConnection(explainOpening(connection.phase, error, place)), null)
    }
    const timer = setTimeout(
      () => done(new NoConnection(explainSlow(connection.phase, place, rules.connectTimeoutMs))),
      rules.connectTimeoutMs,
    )
    const open = (addresses: readonly IpAddress[]) => {
      if (isDone) return
      const resolvedAt = performance.now()
      if (!isLiteralAddress(host)) connection.dnsMs = resolvedAt - startedAt
      connection.phase = 'connect'
      socket = dial(host, target, addresses)
      follow(socket, connection, resolvedAt)
      whenReady(socket, done)
    }
    checkedAddresses(host, rules).then(open).catch(done)
  }
}
