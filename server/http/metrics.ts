// Prometheus metrics of the process: requests, database pool, event loop, memory.
import { hash, timingSafeEqual } from 'node:crypto'
import { BlockList, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { unauthorized } from '../base/errors.ts'
import type { Config } from '../config/config.ts'
import type { Pool } from '../db/pool.ts'
import type { Shares } from '../db/shares.ts'
import type { App } from './request.ts'

const UNAVAILABLE = 503
/** Not counted as unavailable: its 503 is a report, not a refused request. */
const READINESS = '/readyz'
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function measurePool(registry: Registry, { pool, shares }: Pick<Options, 'pool' | 'shares'>): void {
  const gauge = new Gauge({
    name: 'rapport_database_connections',
    help: 'Database connections by state; waiting: requests that wait for a connection',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { total, idle, waiting } = pool.usage
      gauge.set({ state: 'used' }, total - idle)
      gauge.set({ state: 'idle' }, idle)
      gauge.set({ state: 'waiting' }, waiting + shares.usage.waiting)
    },
  })
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Headers of requests that a proxy on this machine forwards for other machines. */
const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']

/** Uses the address of the connection, since a header can contain any address. */
function isLocal({ socket: { remoteAddress = '' }, headers }: FastifyRequest): boolean {
  const isHere = LOOPBACK.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4')
  return isHere && !FORWARDED.some((name) => headers[name] !== undefined)
}

/** Compares hashes in constant time: hashes always have the same length. */
const isSame = (one: string, other: string) =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))

/** Only for operators, because metrics contain names of organizations. @throws 401 unauthorized */
function requireOperator(request: FastifyRequest, { metricsToken }: Options['config']): void {
  if (metricsToken === undefined) {
    if (isLocal(request)) return
    throw unauthorized(
      'Without METRICS_TOKEN, metrics are only available on the service’s own machine: set it, and send it in the header Authorization: Bearer <token>',
    )
  }
  if (!isSame(request.headers.authorization ?? '', `Bearer ${metricsToken}`))
    throw unauthorized('Send METRICS_TOKEN in the header Authorization: Bearer <token>')
}

/** Caches the histogram of each set of labels: finding it by its labels costs more than an observation. */
function rememberLabels(durations: Histogram<'method' | 'route' | 'status'>) {
  const known = new Map<string, Histogram.Internal<string>>()
  return (method: string, route: string, status: number) => {
    const key = `${method} ${route} ${status}`
    let one = known.get(key)
    if (!one) {
      one = durations.labels({ method, route, status })
      known.set(key, one)
    }
    return one
  }
}

/** The readable part of a registry. */
export interface ReadMetrics {
  metrics(): Promise<string>
  getMetricsAsJSON(): ReturnType<Registry['getMetricsAsJSON']>
}

/** Shares metrics with other processes. @returns a function that reads the metrics of all processes as text */
export type ShareMetrics = (own: ReadMetrics) => () => Promise<string>

/** Measures every request of `app` and answers GET /metrics, only to operators. */
interface Options {
  pool: Pool
  shares: Shares
  config: Pick<Config, 'metricsToken'>
  /** Functions that add gauges of other parts of the service. */
  gauges: readonly ((registry: Registry) => void)[]
  /** Adds metrics from other sources when metrics are read. */
  extend: (registry: Registry) => ReadMetrics
  shareMetrics: ShareMetrics | undefined
}

export function measure(app: App, { pool, shares, config, gauges, extend, shareMetrics }: Options): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  measurePool(registry, { pool, shares })
  for (const add of gauges) add(registry)
  const durations = new Histogram({
    name: 'rapport_http_request_duration_seconds',
    help: 'Requests by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  })
  const durationsOf = rememberLabels(durations)
  // Without labels the series exists from the start, so the first refusals of an outage are visible as an increase.
  const refused = new Counter({
    name: 'rapport_http_unavailable_total',
    help: 'Requests that were refused with 503, such as while the database does not respond',
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    if (request.routeOptions.config?.isStream && reply.statusCode === 200) return done()
    // The pattern of the route, not the URL: the number of labels must not depend on requests.
    const route = request.routeOptions.url ?? 'none'
    if (reply.statusCode === UNAVAILABLE && route !== READINESS) refused.inc()
    durationsOf(request.method, route, reply.statusCode).observe(reply.elapsedTime / 1000)
    done()
  })
  const own = extend(registry)
  answerMetrics(app, config, shareMetrics?.(own) ?? (() => own.metrics()))
}

/** Adds GET /metrics, for operators only. @param read returns all metrics as text */
export function answerMetrics(app: App, config: Options['config'], read: () => Promise<string>): void {
  app.get('/metrics', async (request, reply) => {
    requireOperator(request, config)
    reply.type(Registry.PROMETHEUS_CONTENT_TYPE)
    return read()
  })
}
