// The service as a separate process behind the fault proxy, under the load of the ledger.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ClientConfig } from 'pg'
import { Pool } from 'undici'
import type { Db } from '../../db/pool.ts'
import { createRandom } from '../../demo/random.ts'
import type { TestService } from '../build-app.ts'
import { createGate, type Gate } from '../ledger/gate.ts'
import { createInbox, type Inbox } from '../ledger/inbox.ts'
import type { Life, Lives } from '../ledger/life.ts'
import { buildWorld, type World } from '../ledger/world.ts'
import { type Log, runWriter } from '../ledger/writer.ts'
import type { startReceiver } from '../receiver.ts'
import { removeFolder } from '../temporary-folder.ts'
import { type FaultProxy, startFaultProxy } from './proxy.ts'

const PRELOAD = fileURLToPath(new URL('preload.mjs', import.meta.url))
export const DEADLINE_SECONDS = 5
const WRITERS = 8

/** Faults inside the service, which preload.mjs reads. */
export interface InnerFaults {
  dns?: boolean
  /** How far the service's clock is ahead, after its next start. */
  clockMs?: number
}

export interface Stage {
  db: Db
  world: World
  inbox: Inbox
  log: Log
  gate: Gate
  life: Life
  /** Ends the writers; resolves when each has the answer to its last request. */
  rest(): Promise<void>
}

export interface ProxiedStage extends Stage {
  proxy: FaultProxy
  /** The database, without the proxy. */
  connection: ClientConfig
  /** Sets the faults inside the service. */
  inside(faults: InnerFaults): Promise<void>
  close(): Promise<void>
}

/** The settings that all stages share. */
export interface Setting {
  lives: Lives
  receiver: Awaited<ReturnType<typeof startReceiver>>
  secretsKey: Buffer
  seed: number
}

export interface StageOptions extends Setting {
  service: TestService
  connection: ClientConfig & { database: string }
  /** Words of a command before `node`, such as a limit of the shell. */
  launcher?: readonly string[]
  inner?: InnerFaults
}

/** Names the host, so that the service has to look it up. */
function addressOf({ user, password, database }: ClientConfig, { port }: FaultProxy): string {
  const url = new URL(`postgresql://localhost:${port}/${database}`)
  url.username = String(user)
  url.password = String(password)
  return url.href
}

export const environment = (folder: string, secretsKey: Buffer) => ({
  DATA_DIR: join(folder, 'data'),
  SECRETS_KEY: secretsKey.toString('base64'),
  ...{ PORT: '0', ROLE: 'all', LOG_LEVEL: 'error', EGRESS_ALLOW_PRIVATE: 'true', RAPPORT_DEMO: 'off' },
  RATE_LIMIT_PER_MINUTE: '1000000000',
  // On a slow machine the writers of an organization keep the database busy permanently. None must wait for that.
  DATABASE_SUSTAINED_CONNECTIONS_PER_ORGANIZATION: '500',
  RATE_LIMIT_STORE: 'memory',
  REQUEST_DEADLINE_SECONDS: String(DEADLINE_SECONDS),
})

function startWriters({ orgs }: World, gate: Gate, log: Log, seed: number) {
  const stop = new AbortController()
  const shared = new Map(orgs.map((org) => [org, [] as string[]]))
  const writing = Promise.all(
    Array.from({ length: WRITERS }, (_, number) => {
      const org = orgs[number % orgs.length]
      const records = org && shared.get(org)
      return records && runWriter({ org, gate, log, shared: records, number, seed, stop: stop.signal })
    }),
  )
  return { stop, writing }
}

/** Starts writers against a running service; resolves when one of them has its first answer. */
export async function beginLoad(world: World, life: Life, seed: number) {
  const gate = createGate()
  const log: Log = { entries: [], repeated: 0, purged: [] }
  const opened = gate.open(life.address)
  const { stop, writing } = startWriters(world, gate, log, seed)
  await Promise.race([opened, writing])
  const rest = async () => {
    stop.abort()
    await writing
  }
  return { gate, log, rest }
}

/** Creates organizations and their webhooks, whose events the inbox receives. */
export async function furnish(service: TestService, { receiver, seed }: Setting) {
  const world = await buildWorld(service, receiver.url)
  const inbox = createInbox(world.hooks, createRandom(seed, 101))
  receiver.answer(inbox.answer)
  return { world, inbox }
}

export async function openStage(options: StageOptions): Promise<ProxiedStage> {
  const { service, connection, seed, launcher } = options
  const folder = await mkdtemp(join(tmpdir(), 'rapport-faults-'))
  const proxy = await startFaultProxy(connection)
  const file = join(folder, 'faults.json')
  const inside = (faults: InnerFaults) => writeFile(file, JSON.stringify(faults))
  await inside(options.inner ?? {})
  const furniture = await furnish(service, options)
  const env = {
    ...environment(folder, options.secretsKey),
    ...{ DATABASE_URL: addressOf(connection, proxy), FAULTS_FILE: file, NODE_OPTIONS: `--import=${PRELOAD}` },
  }
  const life = await options.lives.begin({ env, onLog: () => undefined, ...(launcher && { launcher }) })
  const load = await beginLoad(furniture.world, life, seed)
  const close = async () => {
    load.gate.close()
    await life.kill()
    await proxy.close()
    await removeFolder(folder)
  }
  return { db: service.ctx.db, ...furniture, ...load, life, proxy, connection, inside, close }
}

export interface Probe {
  status: number
  body: { message?: string; details?: { conditions?: { check: string }[] }; conditions?: { check: string }[] }
  ms: number
}

/** Requests a path of the service without a key, on a separate connection. */
export async function probe(address: string, path: string): Promise<Probe> {
  const pool = new Pool(address, { connections: 1 })
  const startedAt = performance.now()
  try {
    const { statusCode, body } = await pool.request({ method: 'GET', path })
    return {
      status: statusCode,
      body: (await body.json()) as Probe['body'],
      ms: performance.now() - startedAt,
    }
  } finally {
    await pool.close()
  }
}

/** Checks that /readyz names. */
export const namedBy = ({ body }: Probe): string[] =>
  (body.details?.conditions ?? body.conditions ?? []).map(({ check }) => check)
