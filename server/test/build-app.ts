// Builds the whole service on a separate database, for requests that are injected without a socket.
import type { InjectOptions, LightMyRequestResponse as Response, RouteOptions } from 'fastify'
import type { ClientConfig } from 'pg'
import pino from 'pino'
import { onTestFinished } from 'vitest'
import type { OpenedCells } from '../cells/cells.ts'
import { type Config, readConfig } from '../config/config.ts'
import type { Context } from '../context.ts'
import { openPool, type Pool } from '../db/pool.ts'
import { createShares, sharesOf } from '../db/shares.ts'
import { buildApi } from '../entry/api.ts'
import { createContext } from '../entry/open-context.ts'
import type { App } from '../http/request.ts'
import { createAdmission } from '../identity/api-keys/admission.ts'
import { createNotificationConsumer } from '../notifications/consumer.ts'
import type { Pages } from '../pages/pages.ts'
import { createWebhookDispatcher } from '../webhooks/delivery/dispatcher.ts'
import { createSvixEngine } from '../webhooks/svix/engine.ts'
import { createWorkflowEngine } from '../workflows/engine/engine.ts'
import { afterFile } from './after-file.ts'
import { createTestCells, TESTS_CELLS, type TestCell, type TestCells } from './cells.ts'
import { createTestClock, type TestClock } from './clock.ts'
import { createTestDatabase } from './database.ts'
import { drainQueue } from './drain.ts'
import { buildOrg, type Org, type OrgOptions } from './factories.ts'
import { withQuickPasswords } from './quick-passwords.ts'

export interface TestService {
  app: App
  ctx: Context
  /** All routes in the order of registration. */
  routes: readonly RouteOptions[]
  /** Makes an organization with a key. `ctx`: the context of its cell. */
  org(options?: OrgOptions & { ctx?: Context }): Promise<Org>
  inject(options: InjectOptions): Promise<Response>
  /** Runs queued jobs until none is left. */
  drain(): Promise<void>
  /** Delivers webhooks until nothing is due. */
  deliver(): Promise<void>
  /** Executes workflows until nothing is due. */
  runWorkflows(): Promise<void>
  /** Makes notifications from events until none is left. */
  notifyMembers(): Promise<void>
  /** Moves the clocks of service and deliveries. */
  advance(ms: number): void
  /** Freezes these clocks until the test ends, so that nothing becomes due without `advance`. */
  freezeClock(): void
  /** A second node of the service on the same database. */
  node(): Promise<App>
}

interface GivenDatabase {
  pool: Pool
  connection: ClientConfig
  cells?: TestCells['cells']
  addresses?: TestCells['addresses']
}

interface TestDatabases extends Omit<GivenDatabase, 'cells' | 'addresses'> {
  clock: TestClock
  /** Additional cells. With cells the database is only the directory. */
  cells: readonly TestCell[]
  /** Closes the service. */
  atEnd: typeof afterFile
}

/** How many of the ten connections of a test's database are for requests. */
const TEST_PLACES = 7

interface Opened {
  ctx: Context
  cells: OpenedCells<Context>
  close(): Promise<void>
}

function openTestContext(
  config: Config,
  { pool, connection }: GivenDatabase,
  clock: TestClock,
  cell?: { cell: number; directory: Context },
): Opened {
  const admission = openPool({ connection, max: 2, statementTimeoutMs: 5000, onError: () => undefined })
  const { ctx, cells, close } = createContext(
    config,
    { connection, isLocal: false, pool, admission, enginePool: pool, readinessPool: pool },
    {
      log: pino({ level: 'silent' }),
      clock,
      // Not a share, because requests in a transaction of the test must not count as nested use.
      db: pool,
      shares: createShares(pool, sharesOf({ ...config, poolSize: TEST_PLACES })),
    },
    cell,
  )
  ctx.auth = withQuickPasswords(ctx.auth)
  return {
    ctx,
    cells,
    async close() {
      await close()
      await admission.close()
    },
  }
}

/** @returns `ctx`: the context of the cell in which organizations are made */
async function buildNode(
  config: Config,
  { cells, clock, atEnd, ...database }: TestDatabases,
  pages?: Pages,
): Promise<Pick<TestService, 'app' | 'ctx' | 'routes'>> {
  const directory = openTestContext(config, database, clock)
  const opened = cells.map((one) =>
    openTestContext(
      { ...config, replicas: config.replicas.filter(({ cell }) => cell === one.name) },
      one,
      clock,
      { cell: one.cell, directory: directory.ctx },
    ),
  )
  for (const { ctx } of opened) directory.cells.add(ctx)
  // false: does not record uses of keys, because background work would wait for such older transactions.
  const admission = createAdmission(directory.ctx, false)
  // On a slow machine a query can take longer than the second that GET /metrics waits by default.
  const metricsMs = config.requestDeadlineSeconds * 500
  const app = buildApi(directory.ctx, admission, database.pool, { pages, metricsMs })
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => void routes.push(route))
  await app.ready()
  atEnd(async () => {
    // A stop would wait almost two seconds for clients with keep-alive connections, such as a browser.
    app.server.closeAllConnections()
    await app.close()
    await admission.close()
    for (const { close } of [...opened, directory]) await close()
  })
  return { app, ctx: opened[0]?.ctx ?? directory.ctx, routes }
}

/**
 * Builds a service that is closed after the tests of the file; its databases are dropped.
 * @param given migrated databases, which the caller closes
 */
export async function buildTestService(
  overrides: Partial<Config> = {},
  pages?: Pages,
  given?: GivenDatabase,
): Promise<TestService> {
  const made: GivenDatabase = given ?? (await (TESTS_CELLS ? createTestCells() : createTestDatabase()))
  return serveTests(made, overrides, pages)
}

export async function serveTests(
  made: GivenDatabase,
  overrides: Partial<Config>,
  pages?: Pages,
  atEnd = afterFile,
): Promise<TestService> {
  const { cells = [], addresses = [] } = made
  const database = { ...made, cells, clock: createTestClock(), atEnd }
  const config = {
    // Lists and searches must not reach their time limit on a busy machine.
    ...readConfig({ LOG_LEVEL: 'silent', QUICK_SEARCH_SECONDS: '30', SEARCH_SECONDS_MAX: '30' }),
    rateLimitPerMinute: 1_000_000,
    keyBounds: { rate: 1_000_000_000, organizationRate: 1_000_000_000, count: 1000 },
    sessionRates: { user: 1_000_000, organization: 1_000_000, address: 1_000_000 },
    authSecret: 'dashboard-tests-k3J9xTq7Wm2Zc8Rb5Vn1Lp6Hd4Gf0SyA',
    // Receivers in tests have loopback addresses.
    egressAllowPrivate: true,
    secretsKeys: [Buffer.alloc(32, 7)],
    cells: addresses,
    ...overrides,
  }
  const { app, ctx, routes } = await buildNode(config, database, pages)
  const inject = (options: InjectOptions) => app.inject(options)
  const engine = createWebhookDispatcher(ctx, { now: database.clock.databaseNow, idleTimeoutMs: 0 })
  const workflows = createWorkflowEngine(ctx, {
    now: database.clock.databaseNow,
    monotonic: database.clock.monotonic,
  })
  const notifications = createNotificationConsumer(ctx, ctx.db)
  const svixEngine = createSvixEngine(ctx, { now: database.clock.databaseNow })
  return {
    app,
    ctx,
    routes,
    inject,
    async deliver() {
      await engine.drain()
      await svixEngine.drain()
    },
    runWorkflows: () => workflows.drain(),
    notifyMembers: () => notifications.drain(),
    advance: (ms) => database.clock.advance(ms),
    freezeClock() {
      database.clock.freeze()
      onTestFinished(() => database.clock.unfreeze())
    },
    drain: () => drainQueue(ctx, cells[0]?.pool ?? database.pool),
    org: ({ ctx: at = ctx, ...options } = {}) => buildOrg(at, inject, options),
    node: async () => (await buildNode(config, database)).app,
  }
}
