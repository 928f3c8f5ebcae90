// Opens connections: to addresses that were checked, and to no other.
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

/** What is known of the connection that a client has, or is opening. */
export interface Connection {
  phase: Phase
  ip: string | null
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
  /** Requests that were sent over it, with the one under way. */
  requests: number
}

const NOTHING: Connection = { phase: 'dns', ip: null, dnsMs: null, connectMs: null, tlsMs: null, requests: 0 }
export const newConnection = (): Connection => ({ ...NOTHING })

export interface ConnectRules {
  allowPrivate: boolean
  lookup: Lookup
  /** For name, connection and handshake together. */
  connectTimeoutMs: number
}

/** The first address that is not to be asked, explained. */
export function findBlocked(host: string, addresses: readonly IpAddress[]): Explained | undefined {
  for (const { address } of addresses) {
    const kind = specialKind(address)
    if (kind !== undefined) return blocked(host, address, kind)
  }
  return undefined
}

/** @throws NoConnection when one of the host's addresses is not to be asked */
async function checkedAddresses(
  host: string,
  { allowPrivate, lookup }: ConnectRules,
): Promise<readonly IpAddress[]> {
  const addresses = isLiteralAddress(host) ? [{ address: host, family: isIP(host) }] : await lookup(host)
  const refusal = allowPrivate ? undefined : findBlocked(host, addresses)
  if (refusal) throw new NoConnection(refusal)
  return addresses
}

/** Answers every question for an address with those that were checked. */
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

// Reading the authorities' certificates takes a while: once is enough.
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
    // Node asks it only for names; a literal was checked as it is.
    lookup: pinned(addresses),
    autoSelectFamily: addresses.length > 1,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    keepAlive: true,
    noDelay: true,
  }
  if (!isTls) return openTcp(options)
  // The handshake is let through so that its certificate can be explained; `authorized` is checked right after.
  const tls = { rejectUnauthorized: false, ALPNProtocols: ['http/1.1'], secureContext: trusted() }
  return openTls({ ...options, ...tls, servername: isLiteralAddress(host) ? '' : host.replace(/\.$/, '') })
}

/** Notes how far the connection is, and how long each step took. */
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

/** Calls back when the socket may be used: over TLS not before its certificate was found good. */
function whenReady(socket: Socket, done: (error: Error | null) => void): void {
  socket.on('error', done)
  if (!(socket instanceof TLSSocket)) socket.once('connect', () => done(null))
  else
    socket.once('secureConnect', () =>
      done(socket.authorized ? null : new NoConnection(explainCertificate(socket))),
    )
}

/** A connector for undici that reports its steps to `connection`. */
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
