// The side of Rapport: the object of bench records, with the same people.
import type { ClientConfig } from 'pg'
import sql from 'sql-template-tag'
import type { Context } from '../../server/context.ts'
import type { Db } from '../../server/db/pool.ts'
import { waitUntilIndexed } from '../../server/records/engine/maintenance/finish.ts'
import type { Lab } from '../harness/lab.ts'
import type { Service } from '../harness/service.ts'
import { makeLimitTable } from '../records/limit-table.ts'
import { loadPeople } from '../records/loading.ts'
import { makeObject, makeOwner, type PeopleObject } from '../records/objects.ts'
import { personAt } from '../records/people.ts'
import type { Party } from './party.ts'

const SLUG = 'contacts'

async function idsOf({ db }: { db: Db }, { org, emailAttr }: PeopleObject, sample: readonly number[]) {
  const emails = sample.map((n) => personAt(n).email)
  const rows = await db.many<{ value: string; id: string }>(
    sql`select value, id from uniques where org = ${org} and attr = ${emailAttr} and value = any(${emails})`,
  )
  const ids = new Map(rows.map(({ value, id }) => [value, id]))
  return emails.map((email) => ids.get(email) ?? '')
}

export interface Plan {
  records: number
  /** Numbers of the people that are read by id. */
  sample: readonly number[]
}

/** Loads the same rows as the API would write, with events, unique values and a complete index. */
export async function openRapport(
  lab: Lab,
  { ctx, connection, service }: { ctx: Context; connection: ClientConfig; service: Service },
  { records, sample }: Plan,
): Promise<Party> {
  const owner = await makeOwner(ctx)
  const object = await makeObject(ctx, { url: service.url, owner, slug: SLUG })
  await makeLimitTable(ctx.db)
  const { userId } = owner.caller
  // Loaded as background records of bench records: without a company, and not in the limit's table.
  const background = [{ ...object, companyAttr: undefined }]
  const plan = { object, records: 0, companies: 0, background, backgroundRecords: records, userId }
  await loadPeople(connection, plan, (line) => lab.tell(`  ${line}`))
  await waitUntilIndexed(ctx, object)
  const { org, obj } = object
  return {
    title: 'Rapport',
    address: {
      ...{ system: 'rapport', url: service.url, path: `/api/v1/objects/${SLUG}/records` },
      headers: { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' },
    },
    ids: await idsOf(ctx, object, sample),
    pid: service.pid,
    countRows: () =>
      ctx.db.value<number>(sql`select count(*) from records where org = ${org} and obj = ${obj}`),
  }
}
