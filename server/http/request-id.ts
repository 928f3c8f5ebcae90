// Every response has X-Request-Id: the id of the client if it is printable, else a new one.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { REQUEST_ID_MAX } from '../../contract/limits.ts'
import type { App } from './request.ts'

const PRINTABLE = /^[\x21-\x7e]+$/

export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  const usable = typeof given === 'string' && given.length <= REQUEST_ID_MAX && PRINTABLE.test(given)
  return usable ? given : randomUUID()
}

export function sendRequestId(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
}
