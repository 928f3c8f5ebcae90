// The set-up before the first case: the service with its records, the limit, and a client.
import type { ClientConfig } from 'pg'
import sql from 'sql-template-tag'
import type { Db } from '../../server/db/pool.ts'
import type { RecordContext } from '../../server/records/context.ts'
import { administrationOf } from '../harness/administration.ts'
import type { BenchOptions } from '../harness/bench.ts'
import type { Lab } from '../harness/lab.ts'
import { attach, type Service, startService } from '../harness/service.ts'
import { startClient } from './client.ts'
import { type DataSet, makeDataSet } from './data-set.ts'
import { type Limit, startLimit } from './limit.ts'
import type { Setting, Sides } from './measure.ts'
import { personAt } from './people.ts'
import { type Question, questionsOf } from './questions.ts'
import type { Address } from './requests.ts'
import { countStatements, LIMIT_STATEMENTS, loadCounting, SERVICE_STATEMENTS } from './statistics.ts'

export interface Stage extends DataSet {
  ctx: RecordContext
  connection: ClientConfig
  service: Service
  limit: Limit
  questions: Question[]
  address: Address
  sides: Sides
  setting: Setting
  /** Ids of a sample of records of all ages. */
  ids: string[]
}

/** Starts the service twice: PostgreSQL loads pg_stat_statements only when it starts. */
async function startCounting(lab: Lab): Promise<Service> {
  const first = await startService(lab)
  const { database, close } = await attach(lab, first)
  await loadCounting(database).finally(close)
  await first.child.stop()
  return startService(lab)
}

const SAMPLE = 64

async function selectSample({ db }: { db: Db }): Promise<string[]> {
  const rows = await db.many<{ id: string }>(
    sql`select id from bench.people order by hashtext(email) limit ${SAMPLE}`,
  )
  return rows.map(({ id }) => id)
}

export async function setStage(lab: Lab, options: BenchOptions): Promise<Stage> {
  const { records, background, seconds, rounds } = options
  const service = await startCounting(lab)
  const { ctx, database, close } = await attach(lab, service)
  lab.onClose(close)
  const { connection } = database
  await countStatements(database)
  lab.tell(`Loading ${records} records, ${background} of other organizations, and the limit …`)
  const administration = administrationOf(database)
  const dataSet = await makeDataSet(
    lab,
    { ctx, connection, administration, service },
    { records, background },
  )
  const address = { key: dataSet.owner.key, slug: dataSet.object.slug }
  const questions = questionsOf(records, personAt(Math.floor(records * 0.75)))
  const { poolSize } = ctx.config
  const limit = await startLimit(
    lab,
    { connection, poolSize, db: ctx.db },
    { url: service.url, address, questions },
  )
  const sides = {
    service: { url: service.url, statements: SERVICE_STATEMENTS },
    limit: { url: limit.url, statements: LIMIT_STATEMENTS },
  }
  const setting = { client: startClient(lab), db: ctx.db, sides, options: { seconds, rounds } }
  const ids = await selectSample(ctx)
  return { ...dataSet, ctx, connection, service, limit, questions, address, sides, setting, ids }
}
