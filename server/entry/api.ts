// The HTTP service: first the hooks, in the order of their checks, then all routes, in the order of the specification.
import Fastify, { LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { BODY_BYTES_MAX } from '../../contract/limits.ts'
import { notFound } from '../base/errors.ts'
import { withCells } from '../cells/metrics.ts'
import { measureMoves } from '../cells/move/metrics.ts'
import type { Config } from '../config/config.ts'
import type { Context } from '../context.ts'
import { impatient } from '../db/answer-in-time.ts'
import { measureDisks } from '../db/disk-space/metrics.ts'
import type { Pool } from '../db/pool.ts'
import { measureReplicas } from '../db/replicas/metrics.ts'
import { createProbe } from '../db/responds.ts'
import { fileAddresses } from '../files/addresses/routes.ts'
import { measureFiles } from '../files/metrics.ts'
import { logAccess } from '../http/access-log.ts'
import type { Admission } from '../http/admission.ts'
import { authenticate, requireScopes } from '../http/authenticate.ts'
import { beginRequest } from '../http/begin.ts'
import { limitBodyTime } from '../http/body-time.ts'
import { ByteBudget } from '../http/byte-budget.ts'
import { type ByteBudgets, measureBytes } from '../http/byte-owner.ts'
import { compressJson } from '../http/compress-json.ts'
import { readEventually, sendTokens } from '../http/consistency.ts'
import { limitTime } from '../http/deadline.ts'
import { drainConnections } from '../http/drain.ts'
import { healthRoutes } from '../http/health.ts'
import { httpServer } from '../http/http-server.ts'
import { makeIdempotent } from '../http/idempotency.ts'
import { answerMalformed, readableUrl } from '../http/malformed.ts'
import { listMethods } from '../http/methods.ts'
import { measure, type ShareMetrics } from '../http/metrics.ts'
import { describeApi } from '../http/openapi.ts'
import { parseBodies, refuseWrites } from '../http/parse-body.ts'
import { limitPublicRoutes, RateLimits } from '../http/rate-limits.ts'
import { limitReads } from '../http/read-limit.ts'
import { referenceRoutes } from '../http/reference.ts'
import { renderError } from '../http/render-errors.ts'
import type { App } from '../http/request.ts'
import { requestIdOf, sendRequestId } from '../http/request-id.ts'
import { securityTextRoute } from '../http/security-text.ts'
import { compileSerializer } from '../http/serialize.ts'
import { leaveOutUnchanged } from '../http/unchanged.ts'
import { refuseUnknownFields, refuseUnknownParameters } from '../http/unknown-names.ts'
import { limitUnsentAnswers } from '../http/unsent-answers.ts'
import { compileValidator } from '../http/validate.ts'
import type { KeyLeases } from '../identity/api-keys/service.ts'
import { measureClocks } from '../jobs/clock-metrics.ts'
import { measureJobs } from '../jobs/job-metrics.ts'
import { type LiveHubs, measureLive, openLive } from '../live/service.ts'
import { measureMail } from '../mail/metrics.ts'
import { backupMetrics } from '../operations/backup/metrics.ts'
import type { Pages } from '../pages/pages.ts'
import { type Front, pageRoutes, sendPage } from '../pages/routes.ts'
import { asksForPage } from '../pages/send-note.ts'
import { measureIndexes } from '../records/engine/maintenance/metrics.ts'
import { documentedBody } from '../webhooks/examples.ts'
import { measureSvix, measureWebhooks } from '../webhooks/metrics.ts'
import { measureWorkflows } from '../workflows/engine/metrics.ts'
import { dashboardApi } from './dashboard-api.ts'
import { portalApi } from './portal-api.ts'
import { addApiRoutes } from './resources.ts'

function apiV1(app: App, ctx: Context, admission: Admission & KeyLeases): void {
  const methods = listMethods(app)
  app.addHook('onRoute', requireScopes)
  app.addHook('onRoute', limitReads)
  app.addHook('onRoute', readEventually)
  app.addHook('onRoute', makeIdempotent)
  app.addHook('onRoute', refuseUnknownParameters)
  // The API key identifies the organization before any other statement is sent to the database.
  app.addHook('onRequest', beginRequest(ctx, undefined))
  app.addHook('onRequest', authenticate(admission))
  addApiRoutes(app, admission)
  methods.refuseOthers()
  app.setNotFoundHandler(unknownAddress)
}

function unknownAddress(): never {
  throw notFound('address', 'check it for typing errors')
}

interface Measured extends Pick<Surroundings, 'shareMetrics' | 'leaveSocket' | 'metricsMs'> {
  pool: Pool
  bytes: ByteBudgets
  live: LiveHubs
}

/** Collectors of metrics wait only a few seconds for the response. */
const METRICS_MS = 1000

/** Adds the metrics of one cell's database. @param ms how long each response of the database may take */
function measureDatabase(registry: Registry, ctx: Context, ms: number): void {
  const db = impatient(ctx.db, ms)
  measureClocks(registry, { ...ctx, db })
  measureDisks(registry, ctx.diskSpace)
  for (const add of [measureJobs, measureWebhooks, measureWorkflows, measureFiles, measureIndexes])
    add(registry, db)
  if (ctx.svix) measureSvix(registry, db)
  if (ctx.replicas) measureReplicas(registry, ctx.replicas)
}

/** Routes for operators, and the hook after every request. */
function operations(
  app: App,
  ctx: Context,
  { pool, bytes, live, shareMetrics, leaveSocket, metricsMs = METRICS_MS }: Measured,
): void {
  const measureCell = (registry: Registry, cell: Context) => measureDatabase(registry, cell, metricsMs)
  const gauges = [
    (registry: Registry) => measureBytes(registry, bytes),
    (registry: Registry) => measureLive(registry, live),
    (registry: Registry) => backupMetrics.measure(registry),
    measureMail,
    (registry: Registry) => measureMoves(registry, impatient(ctx.directory, metricsMs)),
    (registry: Registry) => measureCell(registry, ctx),
  ]
  const extend = (registry: Registry) => withCells(registry, ctx.cells, measureCell)
  measure(app, { pool, shares: ctx.shares, config: ctx.config, gauges, extend, shareMetrics })
  healthRoutes(app, ctx.readiness)
  drainConnections(app, ctx.config, leaveSocket)
  securityTextRoute(app, ctx)
  app.addHook('onResponse', (request, _reply, done) => {
    const { wakes = 'work' } = request.routeOptions.config ?? {}
    // A request without a context was refused early, and wrote nothing.
    if (request.method !== 'GET' && wakes !== 'none') (request.ctx ?? ctx).wake[wakes](request.caller?.org)
    done()
  })
}

/** Pages may upload files to the service, or to the bucket that stores them. */
const withUploads = ({ files }: Context, pages: Pages): Pages =>
  files.kind === 's3' ? { ...pages, uploadsTo: files.origin } : pages

function frontRoutes(app: App, front: Front | undefined): void {
  app.get('/', (_request, reply) => (front ? sendPage(front, reply) : reply.redirect('/docs')))
  if (front) pageRoutes(app, front.pages)
}

function createServer({ log, config }: Context, admission: Admission): App {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    // A request that arrives while the service stops gets its response; then the connection is closed.
    return503OnClosing: false,
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: config.trustProxy > 0 && ((_address: string, hop: number) => hop < config.trustProxy),
    serverFactory: httpServer(config.connections),
    clientErrorHandler: answerMalformed(admission),
    frameworkErrors: (error, request, reply) => renderError(error, request, reply),
    rewriteUrl: readableUrl,
    // The limit of a whole address: an id that is too long then causes not_found, after the check of the API key.
    routerOptions: { maxParamLength: 64 * 1024, ignoreTrailingSlash: true },
  }) as unknown as App
  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(compileSerializer)
  app.setErrorHandler(renderError)
  return app
}

interface Surroundings {
  /** Undefined if the process serves no dashboard. */
  pages?: Pages | undefined
  /** For several processes: GET /metrics of one returns the metrics of all. */
  shareMetrics?: ShareMetrics | undefined
  /** For several processes: waits until the first process has released the listening socket. */
  leaveSocket?: (() => Promise<void>) | undefined
  /** How long GET /metrics waits for each response of the database, in milliseconds; tests use more. */
  metricsMs?: number
  /** Undefined: requests are not logged. */
  accessLog?: Logger | undefined
}

const byteBudgets = ({ bodyBytes, responseBytes }: Context['config']): ByteBudgets => ({
  bodies: new ByteBudget(
    { setting: 'BODY_BYTES', describe: (who) => `The request bodies of ${who} in progress` },
    bodyBytes,
  ),
  answers: new ByteBudget(
    { setting: 'RESPONSE_BYTES', describe: (who) => `The responses waiting for ${who}` },
    responseBytes,
  ),
})

const YEAR_SECONDS = 365 * 24 * 3600

/** Browsers that reached the service over https use only https later, for this host but not for its subdomains. */
function requireHttps(app: App, { baseUrl }: Pick<Config, 'baseUrl'>): void {
  if (!baseUrl.startsWith('https:')) return
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('strict-transport-security', `max-age=${YEAR_SECONDS}`)
    done()
  })
}

/** The service as a Fastify instance, not yet listening. */
export function buildApi(
  ctx: Context,
  admission: Admission & KeyLeases,
  pool: Pool,
  { pages: built, accessLog, ...measured }: Surroundings = {},
): App {
  // Uses a separate connection: the database may be available while all others are in use.
  const front = built && { pages: withUploads(ctx, built), responds: createProbe(() => pool.ask()) }
  const app = createServer(ctx, admission)
  app.setNotFoundHandler((request, reply) => {
    if (front && asksForPage(request)) return sendPage(front, reply)
    return unknownAddress()
  })
  limitBodyTime(app)
  limitTime(app, ctx.config)
  const limits = new RateLimits(ctx.config.sessionRates, ctx.clock)
  const bytes = byteBudgets(ctx.config)
  refuseWrites(app, ctx)
  parseBodies(app, bytes.bodies)
  leaveOutUnchanged(app)
  compressJson(app)
  limitUnsentAnswers(app, bytes.answers)
  sendRequestId(app)
  if (accessLog) logAccess(app, accessLog)
  sendTokens(app, ctx)
  requireHttps(app, ctx.config)
  app.addHook('onRequest', limitPublicRoutes(limits))
  app.decorateRequest('rawBody', '')
  for (const name of ['ctx', 'caller', 'signedIn', 'role', 'portalUntil', 'scope']) app.decorateRequest(name)
  app.addHook('onRoute', refuseUnknownFields)
  describeApi(app, { config: ctx.config, exampleOf: documentedBody }, admission)
  referenceRoutes(app)
  const live = openLive(app, ctx.config.liveStreams)
  operations(app, ctx, { pool, bytes, live, ...measured })
  frontRoutes(app, front)
  app.register(async (scope) => apiV1(scope as App, ctx, admission), { prefix: '/api/v1' })
  app.register(async (scope) => dashboardApi(scope as App, ctx, { leases: admission, limits, live }), {
    prefix: '/dashboard/api',
  })
  app.register(async (scope) => portalApi(scope as App, ctx, limits), { prefix: '/portal/api' })
  app.register(async (scope) => fileAddresses(scope as App, ctx), { prefix: '/files' })
  return app
}
