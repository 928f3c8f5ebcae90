// Duplicate rules, searches and groups.
import sql from 'sql-template-tag'
import { newId } from '../../base/id.ts'
import { create, fresh, idOf, only, type Party, type RouteCase, withBody } from './party.ts'
import { makeCompany } from './records.ts'

async function ofThings(party: Party) {
  const nr = fresh()
  const object = { pluralName: `Doubles ${nr}`, singularName: `Double ${nr}`, slug: `doubles_${nr}` }
  const objectId = idOf(await create(party, '/objects', object))
  await create(party, `/objects/${objectId}/attributes`, { name: 'Name', type: 'text' })
  return { objectId }
}

/** Inserts a group as a search would. */
async function ofGroup(party: Party) {
  const { objectId, recordId } = await makeCompany(party)
  const other = await makeCompany(party)
  const groupId = newId()
  await party.ctx.db.run(sql`
    insert into duplicate_groups (org, obj, id, records, rules)
    select o.org, o.obj, ${groupId}, ${[recordId, other.recordId]}::uuid[], array['similar_name.name']
    from objects o where o.org = ${party.org.org} and o.id = ${objectId}`)
  return { objectId, groupId }
}

export const duplicateCases = {
  'GET /objects/:objectId/duplicate-rules': { good: only(ofThings) },
  'PATCH /objects/:objectId/duplicate-rules/:ruleId': {
    good: withBody(
      async (party) => ({ ...(await ofThings(party)), ruleId: 'similar_name.name' }),
      () => ({ isActive: false }),
    ),
  },
  'POST /objects/:objectId/records/duplicates': {
    good: withBody(ofThings, ({ mark }) => ({ data: { name: `Company ${fresh()} ${mark}` } })),
  },
  'GET /objects/:objectId/duplicate-search': { good: only(ofThings) },
  'POST /objects/:objectId/duplicate-search': { good: only(ofThings) },
  'POST /objects/:objectId/duplicate-search/cancel': { good: only(ofThings) },
  'GET /objects/:objectId/duplicates': {
    good: async (party) => ({
      params: { objectId: (await ofGroup(party)).objectId },
      query: { limit: '5', offset: '0', isDismissed: 'false' },
    }),
  },
  'PATCH /objects/:objectId/duplicates/:groupId': { good: withBody(ofGroup, () => ({ isDismissed: true })) },
} satisfies Readonly<Record<string, RouteCase>>
