// bench http: the four requests that matter most, each beside a server that does nothing else.
import sql from 'sql-template-tag'
import type { Db } from '../../server/db/pool.ts'
import { administrationOf } from '../harness/administration.ts'
import { type Bench, type BenchOptions, chosen, profileFlags } from '../harness/bench.ts'
import type { Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { type LoadGenerator, startLoadGenerator } from '../harness/load.ts'
import { attach, type Service, startService } from '../harness/service.ts'
import { type BenchOrganization, makeFixture } from './fixture.ts'
import { openLimitDatabase, startLimit } from './limit.ts'
import { type Case, measureCase, type Side } from './measure.ts'
import { BULK_SIZE, openStreams } from './requests.ts'
import { verify } from './verify.ts'

const CASES: readonly Case[] = [
  { name: 'GET one record', stream: 'get', target: 0.7, writes: 0 },
  { name: 'list 50 records', stream: 'list', target: 0.8, writes: 0 },
  { name: 'list 50 records, count=false', stream: 'listUncounted', target: 0.8, writes: 0 },
  { name: 'create one record', stream: 'create', target: 0.6, writes: 1 },
  { name: 'bulk create 100 records', stream: 'bulk', target: 0.6, writes: BULK_SIZE },
]

interface Ready {
  sides: { service: Side; limit: Side }
  organizations: BenchOrganization[]
}

/** Row counts and visibility as a database in use has them. */
const settle = (db: Db) => db.run(sql`vacuum analyze`)

async function prepare(lab: Lab, service: Service, options: BenchOptions): Promise<Ready> {
  const opened = await attach(lab, service)
  lab.onClose(opened.close)
  const organizations = await makeFixture(opened.ctx, service.url)
  const objects = organizations.map(({ people }) => people)
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
    sides: {
      service: { name: 'service', url: service.url, pid: service.pid, postgresPid, db: opened.ctx.db },
      limit: { name: 'limit', ...limit, postgresPid, db: database.pool },
    },
  }
}

const startRequests = (lab: Lab, organizations: BenchOrganization[]): Promise<LoadGenerator> =>
  startLoadGenerator(lab, {
    module: new URL('./requests.ts', import.meta.url),
    params: { organizations, mark: 'load' },
  })

async function run(lab: Lab, options: BenchOptions): Promise<Row[]> {
  const cases = chosen(CASES, options.only)
  lab.tell('Starting the service, making 100 organizations with 1,000 keys and 32,000 records …')
  const service = await startService(lab, { flags: profileFlags(options, 'service') })
  const { sides, organizations } = await prepare(lab, service, options)
  const samples = openStreams({ organizations, mark: 'sample' })
  const urls = { service: sides.service.url, limit: sides.limit.url }
  for (const { stream } of cases) await verify(urls, stream, samples[stream])
  const generator = await startRequests(lab, organizations)
  const rows: Row[] = []
  for (const one of cases) rows.push(...(await measureCase(lab, { generator, sides, options }, one)))
  return rows
}

export const httpBench: Bench = {
  name: 'http',
  summary: 'GET, list, create and bulk create beside Fastify with one prepared statement',
  run,
}
