// Whose own writes a request must see on a replica.
import type { FastifyRequest } from 'fastify'
import { POSITION_HEADER } from '../../contract/paging.ts'
import type { Reader } from '../db/replicas/replicas.ts'

const HEADER = POSITION_HEADER.toLowerCase()

/** Of a key or a session. */
export function readerOf({ caller, signedIn, headers }: FastifyRequest): Reader {
  const given = headers[HEADER]
  return {
    id: caller.keyId ?? signedIn?.sessionId ?? caller.userId,
    given: typeof given === 'string' ? given : undefined,
  }
}
