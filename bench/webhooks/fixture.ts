// Organizations with endpoints at the receiver, and events that wait for delivery.
import sql from 'sql-template-tag'
import { newId } from '../../server/base/id.ts'
import type { Context } from '../../server/context.ts'
import type { Db } from '../../server/db/pool.ts'
import { createKey } from '../../server/identity/api-keys/service.ts'
import { seedStandardObjects } from '../../server/model/objects/standard.ts'
import { newSecret, sealSecret } from '../../server/webhooks/target.ts'

export interface Subscriber {
  org: number
  orgId: string
  /** Internal number of the object companies. */
  obj: number
  key: string
  userId: string
  endpoints: number
}

async function insertEndpoint({ db, secrets }: Context, org: number, url: string): Promise<void> {
  const id = newId()
  const secret = sealSecret(secrets, { org, id }, newSecret())
  await db.run(
    sql`insert into webhook_endpoints (org, id, url, description, secret) values (${org}, ${id}, ${url}, '', ${secret})`,
  )
  await db.run(sql`insert into webhook_lanes (org, endpoint) values (${org}, ${id})`)
  await db.run(
    sql`insert into event_listeners (org, listener) values (${org}, 'webhooks') on conflict do nothing`,
  )
}

/** Makes an organization with `endpoints` endpoints, each a path of the receiver. */
export async function makeSubscriber(ctx: Context, url: string, endpoints: number): Promise<Subscriber> {
  const [id, userId] = [newId(), newId()]
  const { org } = await ctx.db.one<{ org: number }>(
    sql`insert into organizations (id, name, slug) values (${id}, ${`To ${endpoints}`}, ${`to-${id}`}) returning org`,
  )
  await ctx.db.run(
    sql`insert into users (id, name, email) values (${userId}, 'Olivia Owner', ${`${userId}@example.com`})`,
  )
  await ctx.db.run(
    sql`insert into members (id, organization_id, user_id, role) values (${newId()}, ${id}, ${userId}, 'owner')`,
  )
  await ctx.db.transaction((tx) => seedStandardObjects(tx, org))
  const { obj } = await ctx.db.one<{ obj: number }>(
    sql`select obj from objects where org = ${org} and slug = 'companies'`,
  )
  const { key } = await createKey(ctx, org, { name: 'Bench', scopes: null, createdBy: userId })
  for (let n = 0; n < endpoints; n++) await insertEndpoint(ctx, org, `${url}/${n}`)
  return { org, orgId: id, obj, key, userId, endpoints }
}

/** The data of a record with some attributes. */
export const SAMPLE = {
  name: 'Contoso Manufacturing and Logistics',
  domain: 'contoso.example.com',
  industry: 'Manufacturing',
  employees: 1250,
  address: { line1: '12 Harbour Road', city: 'Rotterdam', postalCode: '3011', country: 'NL' },
}

/** Writes events in one statement, in the form of bulk requests of 100 records: only delivery is measured. */
export const writeEvents = (db: Db, { org, obj }: Subscriber, count: number): Promise<number> =>
  db.run(sql`
    with written as (
      insert into events (org, id, type, obj, subject, data)
      select ${org}, uuidv7(), 'record.created', ${obj}, uuidv7(), ${JSON.stringify(SAMPLE)}::jsonb
      from generate_series(1, ${count}) returning id),
    numbered as (select id, row_number() over () / 100 as part from written)
    insert into event_pending (org, events) select ${org}, array_agg(id) from numbered group by part`)
