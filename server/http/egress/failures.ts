// Explains why a request failed, and what to do.
import type { TLSSocket } from 'node:tls'
import { listed } from '../../base/suggestions.ts'
import { errorCode } from '../../db/pool.ts'

/** Why a request got no complete response; a subset of contract/webhook-states.ts FAILURES. */
export type EgressFailure =
  | 'blocked_address'
  | 'dns'
  | 'refused'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'invalid_response'

export interface Explained {
  failure: EgressFailure
  message: string
}

/** The connection failed or is not allowed. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection'
  readonly failure: EgressFailure

  constructor({ failure, message }: Explained) {
    super(message)
    this.failure = failure
  }
}

export interface RequestedHost {
  host: string
  port: number
}

export const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`

/** The message does not contain the address of a name: users must not learn addresses of the service's network. */
export const blocked = (host: string, address: string, kind: string): Explained => ({
  failure: 'blocked_address',
  message: `${host === address ? `${host} is ${kind}` : `${host} resolves to an address that is not public`}: use an address that can be reached from the internet`,
})

const UNRESOLVED = 'check its spelling and its DNS records'

const PASSING = ['EAI_AGAIN', 'ETIMEOUT', 'ESERVFAIL']

function explainLookup(error: unknown, host: string): Explained {
  const message = PASSING.includes(errorCode(error) ?? '')
    ? `the DNS server did not respond for ${host}: this may be temporary`
    : `the name ${host} does not resolve: ${UNRESOLVED}`
  return { failure: 'dns', message }
}

/** A connection that was not ready in time. `phase`: the step that was not finished. */
export function explainSlow(phase: Phase, { host, port }: RequestedHost, ms: number): Explained {
  if (phase === 'dns')
    return {
      failure: 'dns',
      message: `the name ${host} did not resolve within ${seconds(ms)}: ${UNRESOLVED}`,
    }
  const message =
    phase === 'tls'
      ? `no TLS handshake within ${seconds(ms)}: does the server speak HTTPS on port ${port}?`
      : `no connection within ${seconds(ms)}: does a firewall block port ${port}?`
  return { failure: 'timeout', message }
}

export type Phase = 'dns' | 'connect' | 'tls' | 'open'

const UNREACHABLE = ['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL']

function explainConnect(error: unknown, { host, port }: RequestedHost): Explained {
  const code = errorCode(error)
  if (code === 'ECONNREFUSED')
    return { failure: 'refused', message: `connection refused: is the server listening on port ${port}?` }
  if (code === 'ETIMEDOUT')
    return { failure: 'timeout', message: `no connection in time: does a firewall block port ${port}?` }
  if (code !== undefined && UNREACHABLE.includes(code))
    return { failure: 'refused', message: `${host} cannot be reached from here (${code}): check its address` }
  return { failure: 'refused', message: `connection failed (${code ?? 'unknown error'}): check the server` }
}

/** An error before the connection was ready. */
export const explainOpening = (phase: Phase, error: unknown, place: RequestedHost): Explained => {
  if (phase === 'dns') return explainLookup(error, place.host)
  if (phase === 'connect') return explainConnect(error, place)
  const code = errorCode(error)
  const how = code === undefined || code === 'ECONNRESET' ? 'was interrupted' : `failed (${code})`
  return {
    failure: 'tls',
    message: `the TLS handshake ${how}: does the server speak HTTPS on port ${place.port}?`,
  }
}

const CHAIN = [
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_GET_ISSUER_CERT',
]
const SELF_SIGNED = ['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN']
const NAMES_MAX = 5

/** DNS:one.example, IP Address:192.0.2.1 → one.example, 192.0.2.1 */
function namesOf(names: string | undefined): string {
  const all = (names ?? '').split(', ').map((name) => name.replace(/^[^:]*:/, ''))
  return listed(all, NAMES_MAX) || 'none'
}

const day = (text: string) => new Date(text).toISOString().slice(0, 10)

function certificateFault(socket: TLSSocket): string {
  const code = `${socket.authorizationError}`
  const { valid_from: from, valid_to: to, subjectaltname } = socket.getPeerCertificate()
  if (code === 'CERT_HAS_EXPIRED')
    return Date.parse(to) < Date.now()
      ? `certificate expired on ${day(to)}: renew it`
      : 'a certificate in the chain has expired: renew the intermediate certificates'
  if (code === 'CERT_NOT_YET_VALID')
    return `certificate is not valid before ${day(from)}: check the server’s clock`
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `certificate is for other names (${namesOf(subjectaltname)}): use one for this host`
  if (SELF_SIGNED.includes(code))
    return 'certificate is self-signed: use one from a public authority such as Let’s Encrypt'
  if (CHAIN.includes(code))
    return 'certificate is from an unknown authority: does the server send its intermediate certificates?'
  return `certificate is not accepted (${code}): check it with openssl s_client`
}

/** @param socket one whose handshake is complete, and which is not `authorized` */
export const explainCertificate = (socket: TLSSocket): Explained => ({
  failure: 'tls',
  message: certificateFault(socket),
})

/** The reason in an error of undici: from its parser `… (Expected HTTP/)`, or an unrequested upgrade or 100. */
function garbageIn({ name, message }: Error): string | undefined {
  if (/^bad /.test(message)) return message
  return name === 'HTTPParserError' ? /\((.+)\)$/.exec(message)?.[1] : undefined
}

const EARLY_END = 'Invalid EOF state'

/** An error after the connection was ready. `hasAnswer`: a part of the response had arrived. */
export function explainExchange(error: Error, hasAnswer: boolean): Explained {
  if (errorCode(error) === 'UND_ERR_HEADERS_OVERFLOW')
    return { failure: 'invalid_response', message: 'the response headers are larger than 16 KiB' }
  const garbage = garbageIn(error)
  if (garbage !== undefined && garbage !== EARLY_END)
    return { failure: 'invalid_response', message: `the response is not valid HTTP: ${garbage}` }
  return {
    failure: 'reset',
    message: hasAnswer
      ? 'the connection was closed in the middle of the response'
      : 'the connection was closed without a response: check the server’s log',
  }
}
