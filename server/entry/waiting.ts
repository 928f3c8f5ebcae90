// The start of a process while its external database is away: the port answers 503 until the database responds.
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { unavailable } from '../base/errors.ts'
import type { Config } from '../config/config.ts'
import { isAway } from '../db/database.ts'
import { unavailableReason } from '../db/unavailable.ts'
import { healthRoutes } from '../http/health.ts'
import { sendError, withOutcome } from '../http/render-errors.ts'
import type { App } from '../http/request.ts'
import { findAway } from '../operations/diagnosis/readiness.ts'
import { DATABASE_AWAY } from '../pages/note.ts'
import { asksForPage, sendNote } from '../pages/send-note.ts'
import type { ReservedPort } from './reserved-port.ts'
import { createPlainServer } from './worker-api.ts'

interface Waiting {
  log: Logger
  /** `name`: of a process among several. */
  part: { name: string | undefined }
  reserved: ReservedPort
  /** Settles when the process is to stop. */
  signal: Promise<unknown>
}

const NOT_COMMITTED = { mayHaveCommitted: false }

const isBrowser = (request: FastifyRequest) =>
  asksForPage(request) && request.headers.accept?.includes('text/html') === true

/** Answers as the service does when its database goes away later. */
function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isBrowser(request)) return sendNote(DATABASE_AWAY, reply)
  const refusal = unavailable(unavailableReason(error))
  return sendError(withOutcome(refusal, { method: request.method, scope: NOT_COMMITTED }), request, reply)
}

/** @param state the last error of the connection */
export function buildWaitingApi(log: Logger, config: Config, state: { error: unknown }): App {
  const app = createPlainServer({ log, config }, true)
  app.addHook('onRequest', async (request, reply) => {
    // The connections end with this server.
    reply.header('connection', 'close')
    if (request.routeOptions.url === undefined) return refuse(state.error, request, reply)
  })
  healthRoutes(app, async () => ({ isReady: false, conditions: [findAway(state.error)] }))
  return app
}

const PAUSE_MS = 500
const PAUSE_MAX_MS = 5000

/** Random, so that processes that wait for the same database do not all connect at the same moment. @param tries from 0 */
export const pauseAfter = (tries: number, random = Math.random()): number =>
  Math.min(PAUSE_MS * 2 ** tries, PAUSE_MAX_MS) * (0.5 + random / 2)

/** A worker among several processes has no port. */
const hasPort = ({ part, reserved }: Waiting) => part.name === undefined || reserved.config.role !== 'worker'

/** Logs each new reason once. */
function createWait(waiting: Waiting): (error: Error) => Promise<void> {
  const { log, reserved } = waiting
  const state: { error: unknown } = { error: undefined }
  let [address, last]: (string | undefined)[] = []
  return async (error) => {
    state.error = error.cause
    if (hasPort(waiting)) address ??= await reserved.listen(buildWaitingApi(log, reserved.config, state))
    if (error.message !== last) log.warn({ address }, `the start waits for the database: ${error.message}`)
    last = error.message
  }
}

/**
 * Opens the database, as soon as it responds.
 * @param open may be called again after a DatabaseError
 * @returns undefined if the process is to stop before
 */
export async function whenThere<Opened>(
  open: () => Promise<Opened>,
  waiting: Waiting,
): Promise<Opened | undefined> {
  const { log, signal } = waiting
  const wait = createWait(waiting)
  const stopped = signal.then(() => undefined)
  for (let tries = 0; ; tries++) {
    try {
      // A try that is left behind ends with the process: a migration is one transaction.
      const opened = await (tries === 0 ? open() : Promise.race([open(), stopped]))
      if (tries > 0 && opened) log.info('the database responds, and the start continues')
      return opened
    } catch (error) {
      if (!isAway(error)) throw error
      await wait(error)
      const isStopped = await Promise.race([delay(pauseAfter(tries)), stopped.then(() => true)])
      if (isStopped) return undefined
    }
  }
}
