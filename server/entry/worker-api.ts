// The HTTP service of a process for background work (ROLE=worker), on PORT: probes and metrics.
import Fastify, { LogController } from 'fastify'
import { notFound } from '../base/errors.ts'
import type { Context } from '../context.ts'
import type { Pool } from '../db/pool.ts'
import { healthRoutes, type NamedCondition, type Readiness } from '../http/health.ts'
import { httpServer } from '../http/http-server.ts'
import { answerMetrics, measurePool } from '../http/metrics.ts'
import { renderError } from '../http/render-errors.ts'
import type { App } from '../http/request.ts'
import { requestIdOf } from '../http/request-id.ts'
import { workerMetrics } from './worker.ts'

const BEGINNING: NamedCondition = {
  ...{ check: 'worker', status: 'fail', detail: 'Background work has not begun yet' },
}

/** The readiness of a process that serves requests; in addition, the work must have begun. */
const readinessOf =
  ({ readiness }: Pick<Context, 'readiness'>, state: { isWorking: boolean }): Readiness =>
  async () => {
    const found = await readiness()
    if (state.isWorking) return found
    return { isReady: false, conditions: [BEGINNING, ...found.conditions] }
  }

/**
 * A server without the hooks and the routes of the API.
 * @param isCutOff its end closes all connections, also those that sent no request
 */
export function createPlainServer({ log, config }: Pick<Context, 'log' | 'config'>, isCutOff = false): App {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    serverFactory: httpServer(config.connections),
    return503OnClosing: false,
    ...(isCutOff && { forceCloseConnections: true }),
  }) as unknown as App
  app.setErrorHandler(renderError)
  return app
}

/** @param state `isWorking` is set when the work has begun */
export function buildWorkerApi(ctx: Context, pool: Pool, state: { isWorking: boolean }): App {
  const { config, shares } = ctx
  const app = createPlainServer(ctx)
  app.setNotFoundHandler(() => {
    throw notFound('address', 'use one of /healthz, /readyz and /metrics')
  })
  const registry = workerMetrics()
  measurePool(registry, { pool, shares })
  answerMetrics(app, config, () => registry.metrics())
  healthRoutes(app, readinessOf(ctx, state))
  return app
}
