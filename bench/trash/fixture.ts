// Organizations with the same people.
import sql from 'sql-template-tag'
import type { Context } from '../../server/context.ts'
import { waitUntilIndexed } from '../../server/records/engine/maintenance/finish.ts'
import { type BenchObject, createRecords, fill, makeOrganization } from '../http/fixture.ts'
import { makePeople } from '../http/people.ts'
import type { Readable } from './requests.ts'

export interface Party extends Readable {
  people: BenchObject
}

/** Records per bulk request. */
export const BATCH = 100

async function makeParty(ctx: Context, url: string, index: number, records: number): Promise<Party> {
  const made = await makeOrganization(ctx, index)
  const { companyIds, personIds } = await fill(url, made, makePeople(records))
  await waitUntilIndexed({ ...ctx, config: { ...ctx.config, indexFrom: 1 } }, made.people)
  return { key: made.keys[0] ?? '', people: made.people, companyIds, personIds }
}

/** Makes a deal for each person, with the person as its contact. */
async function makeDeals(url: string, { key, personIds }: Party): Promise<void> {
  for (let start = 0; start < personIds.length; start += BATCH) {
    const deals = personIds.slice(start, start + BATCH).map((contact, n) => ({
      data: { name: `Deal ${start + n}`, contact },
    }))
    await createRecords(`${url}/api/v1/objects/deals/records`, key, deals)
  }
}

/** People of `changed` are deleted and restored; `with` gets a trash. */
export async function makeParties(ctx: Context, url: string, records: number) {
  const parties = {
    changed: await makeParty(ctx, url, 0, records),
    without: await makeParty(ctx, url, 1, records),
    with: await makeParty(ctx, url, 2, records),
  }
  await makeDeals(url, parties.changed)
  return parties
}

/** Adds `perPerson` deleted records for each person, each with a former reference from a deal. */
export async function fillTrash({ db }: Context, { people: { org, obj } }: Party, perPerson: number) {
  await db.run(sql`
    with kept as (
      insert into trash (org, obj, id, data, comparable, version, event_order, deleted_at, attrs)
      select r.org, r.obj, uuidv7(), r.data, r.comparable, 2, r.event_order, clock_timestamp(), array(
        select attr from attributes a where a.org = r.org and a.obj = r.obj)
      from records r, generate_series(1, ${perPerson}::int) where r.org = ${org} and r.obj = ${obj}
      returning id)
    insert into trash_links (org, attr, target, id, place)
    select ${org}, (select attr from attributes where org = ${org} and slug = 'contact' limit 1), id, gen_random_uuid(), 1
    from kept`)
  for (const table of [sql`trash`, sql`trash_links`, sql`records`]) await db.run(sql`vacuum analyze ${table}`)
}
