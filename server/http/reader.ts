// Identifies the client whose own writes a request must see on a replica. Programs send the token of their last write
// in a header. Browsers have it in a cookie, for one organization and for as long as a replica may lack the write.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { POSITION_HEADER } from '../../contract/paging.ts'
import type { Config } from '../config/config.ts'
import type { Reader } from '../db/replicas/own-writes.ts'

const HEADER = POSITION_HEADER.toLowerCase()
const COOKIE = /(?:^|; *)rapport\.write_position=([^;]*)/

/** Extra lifetime of the cookie, since browsers count whole seconds. */
const SPARE_SECONDS = 5

const ofCookie = ({ signedIn, headers }: FastifyRequest): string | undefined =>
  signedIn === undefined ? undefined : COOKIE.exec(headers.cookie ?? '')?.[1]

/** The reader is a key or a session. */
export function readerOf(request: FastifyRequest): Reader {
  const { caller, signedIn, headers } = request
  const given = headers[HEADER]
  return {
    id: caller.keyId ?? signedIn?.sessionId ?? caller.userId,
    given: typeof given === 'string' ? given : ofCookie(request),
  }
}

/** Sends the token of a write to the client, which returns it with later reads. */
export function sendToken(
  { signedIn, params }: FastifyRequest,
  reply: FastifyReply,
  { config, token }: { config: Pick<Config, 'baseUrl' | 'replicaLagMaxMs'>; token: string },
): void {
  reply.header(HEADER, token)
  const { organization } = params as { organization?: string }
  if (signedIn === undefined || organization === undefined) return
  const seconds = Math.ceil(config.replicaLagMaxMs / 1000) + SPARE_SECONDS
  const secure = config.baseUrl.startsWith('https:') ? '; Secure' : ''
  const path = `/dashboard/api/organizations/${encodeURIComponent(organization)}`
  reply.header(
    'set-cookie',
    `rapport.write_position=${token}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  )
}
