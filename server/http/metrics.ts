// Prometheus metrics of the process: requests, pool, event loop, memory.
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Pool } from '../db/pool.ts'
import { unauthorized } from '../errors.ts'
import type { App } from './request.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

function measurePool(registry: Registry, pool: Pool): void {
  const gauge = new Gauge({
    name: 'rapport_database_connections',
    help: 'Database connections by state; waiting counts requests that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { total, idle, waiting } = pool.usage
      gauge.set({ state: 'used' }, total - idle)
      gauge.set({ state: 'idle' }, idle)
      gauge.set({ state: 'waiting' }, waiting)
    },
  })
}

/** Measures every request of `app` and answers GET /metrics, behind `token` when one is configured. */
interface Options {
  pool: Pool
  token: string | undefined
  /** What resources measure of themselves. */
  gauges: readonly ((registry: Registry) => void)[]
}

export function measure(app: App, { pool, token, gauges }: Options): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  measurePool(registry, pool)
  for (const add of gauges) add(registry)
  const durations = new Histogram({
    name: 'rapport_http_request_duration_seconds',
    help: 'Requests by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    // The route's pattern, never the address: labels must not grow with what callers send.
    const route = request.routeOptions.url ?? 'none'
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`)
      throw unauthorized('Send the token of METRICS_TOKEN in the header Authorization: Bearer <token>')
    reply.type(registry.contentType)
    return registry.metrics()
  })
}
