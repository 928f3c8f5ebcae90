// bench http: common requests of integrations, each compared with a server that only runs a prepared statement.
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Db } from '../../server/db/pool.ts'
import { administrationOf } from '../harness/administration.ts'
import { type Bench, type BenchOptions, chosen, profileFlags } from '../harness/bench.ts'
import type { Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { startLoadGenerator } from '../harness/load.ts'
import { allowed } from '../harness/rows.ts'
import { attach, type Service, startService } from '../harness/service.ts'
import { residentMb } from '../harness/usage.ts'
import { type BenchOrganization, makeFixture, makeLarge } from './fixture.ts'
import { openLimitDatabase, startLimit } from './limit.ts'
import { type Case, measureCase, type Side } from './measure.ts'
import { BULK_SIZE, openStreams } from './requests.ts'
import { verify } from './verify.ts'

const CASES: readonly Case[] = [
  { name: 'GET one record', stream: 'get', target: 0.8, writes: 0 },
  { name: 'list 50 records', stream: 'list', target: 0.8, writes: 0 },
  { name: 'list 50 records in zstd', stream: 'listZstd', writes: 0 },
  { name: 'list 50 records in br', stream: 'listBrotli', writes: 0 },
  { name: 'list 50 records in gzip', stream: 'listGzip', writes: 0 },
  { name: 'list 50 records, count=false', stream: 'listUncounted', target: 0.8, writes: 0 },
  { name: 'list 50 records of 100,000', stream: 'listLarge', target: 0.8, writes: 0 },
  // Patch and upsert come before the creates, which make the objects large, with index rows to build and write.
  { name: 'patch one record', stream: 'patch', timesMax: 1.2, writes: 1 },
  { name: 'upsert 100 records by email', stream: 'upsert', target: 0.4, writes: BULK_SIZE },
  { name: 'create one record', stream: 'create', target: 0.65, writes: 1 },
  { name: 'bulk create 100 records', stream: 'bulk', target: 0.5, cpuMsMax: 5, writes: BULK_SIZE },
]
const MEMORY = { name: 'memory of Node' } as const
const IDLE_MB_MAX = 150
const AFTER_MB_MAX = 300
const IDLE_MS = 5000

interface Ready {
  sides: { service: Side; limit: Side }
  organizations: BenchOrganization[]
  large: BenchOrganization[]
}

/** Updates statistics and visibility maps, as autovacuum does in a database in use. */
const settle = (db: Db) => db.run(sql`vacuum analyze`)

async function prepare(
  lab: Lab,
  service: Service,
  { options, hasLarge }: { options: BenchOptions; hasLarge: boolean },
): Promise<Ready> {
  const opened = await attach(lab, service)
  lab.onClose(opened.close)
  const organizations = await makeFixture(opened.ctx, service.url)
  const large = hasLarge ? [await makeLarge(opened.ctx, service.url)] : []
  const objects = [...organizations, ...large].map(({ people }) => people)
  const database = await openLimitDatabase(lab, administrationOf(opened.database), {
    from: opened.ctx.db,
    orgs: objects.map(({ org }) => org),
  })
  const { postgresPid } = service
  const limit = await startLimit(lab, {
    connection: database.connection,
    poolSize: opened.ctx.config.poolSize,
    objects,
    flags: profileFlags(options, 'limit'),
  })
  await settle(opened.ctx.db)
  await settle(database.pool)
  return {
    organizations,
    large,
    sides: {
      service: { name: 'service', url: service.url, pid: service.pid, postgresPid, db: opened.ctx.db },
      limit: { name: 'limit', ...limit, postgresPid, db: database.pool },
    },
  }
}

/** Measures memory after a pause without requests. */
async function idleRow({ pid }: Service, when: string, mostMb: number): Promise<Row> {
  await delay(IDLE_MS)
  return allowed(MEMORY.name, `MB, ${when}`, await residentMb(pid), mostMb)
}

async function run(lab: Lab, options: BenchOptions): Promise<Row[]> {
  const chosenCases = chosen([...CASES, MEMORY], options.only)
  const cases = chosenCases.filter((one) => 'stream' in one)
  const rows: Row[] = []
  lab.tell('Starting the service, making 100 organizations with 1,000 keys and 32,000 records …')
  const service = await startService(lab, { flags: profileFlags(options, 'service') })
  const hasMemory = chosenCases.includes(MEMORY)
  if (hasMemory) rows.push(await idleRow(service, 'idle after the first start', IDLE_MB_MAX))
  const hasLarge = cases.some(({ stream }) => stream === 'listLarge')
  const { sides, organizations, large } = await prepare(lab, service, { options, hasLarge })
  const samples = openStreams({ organizations, large, mark: 'sample' })
  const urls = { service: sides.service.url, limit: sides.limit.url }
  for (const { stream } of cases) await verify(urls, stream, samples[stream])
  const generator = await startLoadGenerator(lab, {
    module: new URL('./requests.ts', import.meta.url),
    params: { organizations, large, mark: 'load' },
  })
  for (const one of cases) rows.push(...(await measureCase(lab, { generator, sides, options }, one)))
  if (hasMemory) rows.push(await idleRow(service, 'after the bench', AFTER_MB_MAX))
  return rows
}

export const httpBench: Bench = {
  name: 'http',
  summary:
    'GET, list, create, patch, bulk create and upsert, compared with Fastify and one prepared statement',
  run,
}
