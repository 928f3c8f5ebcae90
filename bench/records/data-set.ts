// The data set: an organization with one large object, other organizations with small objects, and the limit's table.
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
  /** Number of companies that people work for. Their ids are companyId(0), companyId(1) and so on. */
  companies: number
}

export interface DataSetSize {
  records: number
  /** Records of other organizations. */
  background: number
}

const RECORDS_EACH = 500
const PEOPLE_EACH_COMPANY = 10

/** Runs statements one after the other, without a statement timeout. */
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

/** Updates statistics and visibility maps as in a database in use, and writes all changed pages to the disk. */
const SETTLING = ['vacuum (analyze, parallel 0)', 'checkpoint']

interface DataSetTarget {
  ctx: RecordContext
  connection: ClientConfig
  /** Connection of a role that may run CHECKPOINT. */
  administration: ClientConfig
  service: Service
}

export async function makeDataSet(
  lab: Lab,
  { ctx, connection, administration, service }: DataSetTarget,
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
