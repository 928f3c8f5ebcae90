// The data set: an organization with one large object, many small ones of others, and the limit's table.
import pg, { type ClientConfig } from 'pg'
import type { RecordContext } from '../../server/records/context.ts'
import { waitUntilIndexed } from '../../server/records/engine/maintenance/finish.ts'
import type { Lab } from '../harness/lab.ts'
import type { Service } from '../harness/service.ts'
import { makeCompanies, makeLimitCompanies } from './companies.ts'
import { LIMIT_INDEXES, makeLimitTable } from './limit-table.ts'
import { loadPeople } from './loading.ts'
import {
  findObject,
  makeBackground,
  makeObject,
  makeOwner,
  type Owner,
  type PeopleObject,
} from './objects.ts'

export interface DataSet {
  owner: Owner
  object: PeopleObject
  records: number
  /** Those that people work for: companyId(0) and so on. */
  companies: number
}

export interface DataSetSize {
  records: number
  /** Records of other organizations. */
  background: number
}

const RECORDS_EACH = 500
const PEOPLE_EACH_COMPANY = 10

/** Statements without a bound of time, one after the other. */
async function runUnbounded(
  connection: ClientConfig,
  statements: readonly string[],
  tell: (line: string) => void,
): Promise<void> {
  const client = new pg.Client({ ...connection, options: '-c statement_timeout=0' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    for (const statement of statements) {
      const startedAt = performance.now()
      await client.query(statement)
      tell(`${((performance.now() - startedAt) / 1000).toFixed(1)} s: ${statement.split('\n')[0]}`)
    }
  } finally {
    await client.end()
  }
}

/** Row counts and visibility as a database in use has them, and nothing left to be written. */
const SETTLING = ['vacuum (analyze, parallel 0)', 'checkpoint']

interface Place {
  ctx: RecordContext
  connection: ClientConfig
  /** May write a checkpoint. */
  administration: ClientConfig
  service: Service
}

export async function makeDataSet(
  lab: Lab,
  { ctx, connection, administration, service }: Place,
  { records, background: backgroundRecords }: DataSetSize,
): Promise<DataSet> {
  const tell = (line: string) => lab.tell(`  ${line}`)
  const owner = await makeOwner(ctx)
  const object = await makeObject(ctx, { url: service.url, owner, slug: 'contacts' })
  const companies = Math.ceil(records / PEOPLE_EACH_COMPANY)
  await makeCompanies(ctx, owner.caller, companies)
  const background = await makeBackground(ctx, object, Math.ceil(backgroundRecords / RECORDS_EACH))
  await makeLimitTable(ctx.db)
  await makeLimitCompanies(ctx.db, owner.caller.org)
  const { userId } = owner.caller
  await loadPeople(connection, { object, records, companies, background, backgroundRecords, userId }, tell)
  await runUnbounded(connection, LIMIT_INDEXES, tell)
  const startedAt = performance.now()
  for (const indexed of [object, await findObject(ctx.db, owner.caller.org, 'companies')])
    await waitUntilIndexed(ctx, indexed)
  tell(
    `${((performance.now() - startedAt) / 1000).toFixed(1)} s: the service indexed what was loaded behind its back`,
  )
  await runUnbounded(administration, SETTLING, tell)
  return { owner, object, records, companies }
}
