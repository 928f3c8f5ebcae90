// The whole service on a database of its own, asked over HTTP without a socket.
import type { InjectOptions, LightMyRequestResponse as Response, RouteOptions } from 'fastify'
import type { ClientConfig } from 'pg'
import pino from 'pino'
import { afterAll } from 'vitest'
import { unlinkRecords } from '../activities/store.ts'
import { buildApi } from '../api.ts'
import { createAdmission } from '../api-keys/admission.ts'
import { createModels } from '../attributes/models.ts'
import { type Config, readConfig } from '../config.ts'
import type { Context } from '../context.ts'
import { openPool, type Pool } from '../db/pool.ts'
import { createShares, sharesOf } from '../db/shares.ts'
import { createReadiness } from '../diagnosis/readiness.ts'
import { selectWaitingConsumers } from '../events/outbox-entries.ts'
import { createWake } from '../events/wake.ts'
import { openFileStorage } from '../files/open-storage.ts'
import { createEgress } from '../http/egress.ts'
import type { App } from '../http/request.ts'
import { openAuth } from '../identity/open-auth.ts'
import { createQueue } from '../jobs/queue.ts'
import { openMailer } from '../mail/mailer.ts'
import type { Pages } from '../pages/pages.ts'
import { openExportDesk } from '../records/export/desk.ts'
import { openReportDesk } from '../reports/desk.ts'
import { openSecretBox } from '../secrets/box.ts'
import { createWebhookDispatcher } from '../webhooks/delivery/dispatcher.ts'
import { createSvix } from '../webhooks/svix/client.ts'
import { createSvixEngine } from '../webhooks/svix/engine.ts'
import { createWorkflowEngine } from '../workflows/engine/engine.ts'
import { followTimeZone } from '../workflows/triggers/time-zone.ts'
import { createTestClock, type TestClock } from './clock.ts'
import { createTestDatabase } from './database.ts'
import { drainQueue } from './drain.ts'
import { buildOrg, type Org, type OrgOptions } from './factories.ts'

export interface TestService {
  app: App
  ctx: Context
  /** Every route, in the order of registration. */
  routes: readonly RouteOptions[]
  /** An organization of its own, with a key. */
  org(options?: OrgOptions): Promise<Org>
  inject(options: InjectOptions): Promise<Response>
  /** Does the work that requests handed over, until none is left. */
  drain(): Promise<void>
  /** Delivers webhooks until nothing is due. */
  deliver(): Promise<void>
  /** Executes workflows until nothing is due. */
  runWorkflows(): Promise<void>
  /** Moves the clocks of service and deliveries. */
  advance(ms: number): void
  /** A second node of the service on the same database. */
  node(): Promise<App>
}

interface GivenDatabase {
  pool: Pool
  connection: ClientConfig
}

interface TestDatabase extends GivenDatabase {
  clock: TestClock
}

async function buildNode(
  config: Config,
  { pool, connection, clock }: TestDatabase,
  pages?: Pages,
): Promise<Pick<TestService, 'app' | 'ctx' | 'routes'>> {
  const log = pino({ level: 'silent' })
  const mailer = openMailer(config, { db: pool, log })
  const identity = openAuth(connection, { config, log, mailer })
  const queue = createQueue(pool, log)
  const egress = createEgress({ allowPrivate: config.egressAllowPrivate })
  const svix = config.svix && createSvix(config.svix)
  const files = openFileStorage(config)
  const desks = openDesks(config, connection)
  const ctx: Context = {
    config,
    ...openConnections(config, { pool, connection, clock }),
    log,
    clock,
    models: createModels(),
    auth: identity.auth,
    mailer,
    queue,
    wake: createWake(() => selectWaitingConsumers(pool)),
    secrets: openSecretBox(config),
    ...{ files, egress, svix, ...desks },
    readiness: createReadiness({ config, db: pool, now: Date.now }),
    ...{ beforeRecordsGo: unlinkRecords, afterTimeZone: followTimeZone },
  }
  const admission = createAdmission(ctx)
  const app = buildApi(ctx, admission, pool, pages)
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => void routes.push(route))
  await app.ready()
  closing.push(async () => {
    await app.close()
    await admission.close()
    await queue.close()
    await egress.close()
    await svix?.close()
    await files.close()
    await identity.close()
    await mailer.close()
  })
  return { app, ctx, routes }
}

/** Of the ten connections of a test's database. */
const TEST_PLACES = 7

function openDesks(config: Config, connection: ClientConfig) {
  const reports = openReportDesk(connection, () => undefined)
  const exports = openExportDesk(connection, config, () => undefined)
  closing.push(async () => {
    await reports.pool.close()
    await exports.pool.close()
  })
  return { reports, exports }
}

function openConnections(config: Config, { pool, connection }: TestDatabase) {
  const admission = openPool({ connection, max: 2, statementTimeoutMs: 5000, onError: () => undefined })
  closing.push(() => admission.close())
  return {
    // Not a share: what a test does in a transaction of its own is no nested use of the requests it sends.
    db: pool,
    shares: createShares(pool, sharesOf({ ...config, poolSize: TEST_PLACES })),
    admission,
  }
}

const closing: (() => Promise<void>)[] = []

/**
 * At the top of a test file: everything is closed and dropped after its tests.
 * @param given a database that is migrated already, and is the caller's to close
 */
export async function buildTestService(
  overrides: Partial<Config> = {},
  pages?: Pages,
  given?: GivenDatabase,
): Promise<TestService> {
  const database = { ...(given ?? (await createTestDatabase())), clock: createTestClock() }
  afterAll(async () => {
    for (const close of closing.splice(0)) await close()
  })
  const config = {
    ...readConfig({ LOG_LEVEL: 'silent' }),
    rateLimitPerMinute: 1_000_000,
    sessionRates: { user: 1_000_000, organization: 1_000_000, address: 1_000_000 },
    authSecret: 'dashboard-tests-k3J9xTq7Wm2Zc8Rb5Vn1Lp6Hd4Gf0SyA',
    // Receivers of tests are on loopback.
    egressAllowPrivate: true,
    secretsKeys: [Buffer.alloc(32, 7)],
    ...overrides,
  }
  const { app, ctx, routes } = await buildNode(config, database, pages)
  const inject = (options: InjectOptions) => app.inject(options)
  const engine = createWebhookDispatcher(ctx, { now: database.clock.databaseNow, idleTimeoutMs: 0 })
  const workflows = createWorkflowEngine(ctx, { now: database.clock.databaseNow })
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
    advance: (ms) => database.clock.advance(ms),
    drain: () => drainQueue(ctx, database.pool),
    org: (options) => buildOrg(ctx, inject, options),
    node: async () => (await buildNode(config, database)).app,
  }
}
