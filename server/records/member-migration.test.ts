// The type member in organizations that were there before it: their model becomes that of a new organization.
import { readFile } from 'node:fs/promises'
import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Attribute } from '../../contract/attributes.ts'
import { indexEmptyObject } from '../query-engine/indexed.fixture.ts'
import { buildTestService } from '../test/build-app.ts'
import type { Org } from '../test/factories.ts'

const service = await buildTestService()
const { db } = service.ctx
const OBJECTS = ['people', 'companies', 'deals'] as const
const OLD = JSON.stringify({ target: 'members' })

/** Its last statement: those before it change the schema, and can run only once. */
const migrate = async () => {
  const text = await readFile(new URL('../../migrations/0062-members-as-values.sql', import.meta.url), 'utf8')
  await db.run(raw(text.slice(text.indexOf('do $$'))))
}

/** As the version before wrote them; what is in the trash too. */
async function toOldForm({ org }: Org): Promise<void> {
  await db.run(sql`
    update attributes set type = 'reference', config = ${OLD}::jsonb where org = ${org} and type = 'member'`)
  await db.run(sql`
    update trash_attributes set attribute = attribute || jsonb_build_object('type', 'reference', 'config', ${OLD}::jsonb)
    where org = ${org} and attribute->>'type' = 'member'`)
  await db.run(sql`
    update trash_objects set attributes = (
      select jsonb_agg(case when a->>'type' = 'member'
        then a || jsonb_build_object('type', 'reference', 'config', ${OLD}::jsonb) else a end)
      from jsonb_array_elements(attributes) as a) where org = ${org}`)
  await db.run(sql`update objects set version = nextval('object_versions') where org = ${org}`)
}

/** The objects of an organization without what differs between any two. */
async function modelOf(org: Org) {
  const { body } = await org.get<{ objects: { id: string; slug: string }[] }>('/objects')
  const slugs = new Map(body.objects.map(({ id, slug }) => [id, slug]))
  const objects = await Promise.all(
    OBJECTS.map((slug) => org.get<{ attributes: Attribute[] }>(`/objects/${slug}`)),
  )
  return objects.map(({ body: { attributes, ...object } }) => ({
    ...object,
    ...{ id: null, createdAt: null, updatedAt: null, namingAttributeId: null },
    attributes: attributes.map((one) => ({
      ...one,
      ...{ id: null, objectId: null, createdAt: null, updatedAt: null },
      config:
        one.config && 'allowed_object_id' in one.config
          ? slugs.get(one.config.allowed_object_id)
          : one.config,
    })),
  }))
}

const references = async ({ org }: Org) =>
  db.many(sql`
    select slug, config from attributes
    where org = ${org} and type = 'reference' and not config ?& array['allowed_object_id'] `)

test('an organization from before has the model of a new one afterwards', async () => {
  const [org, made] = [await service.org(), await service.org()]
  const expected = await modelOf(made)
  expect(await modelOf(org)).toEqual(expected)
  await toOldForm(org)
  expect(await references(org)).toHaveLength(3)
  await migrate()
  expect(await references(org)).toEqual([])
  expect(await modelOf(org)).toEqual(expected)
  await migrate()
  expect(await modelOf(org)).toEqual(expected)
})

test.each(['few', 'many'] as const)('values and filters of %s records stay', async (size) => {
  const org = await service.org()
  const mia = await org.member('member')
  const deals = await org.get<{ id: string }>('/objects/deals')
  if (size === 'many') await indexEmptyObject(db, deals.body.id, { texts: 'values', keepsMissing: true })
  const { body } = await org.post<{ id: string; data: object }>('/objects/deals/records', {
    data: { name: 'One', owner: mia.userId },
  })
  await org.post('/objects/deals/records', { data: { name: 'Two' } })
  const filter = { attributeSlug: 'owner', operator: 'equals', value: 'me' }
  const state = { version: 1, columns: [], filter, board: { groupBy: 'owner' } }
  const view = await mia.post<{ id: string }>('/objects/deals/views', { name: 'Mine', kind: 'board', state })
  expect(view.status).toBe(201)
  await toOldForm(org)
  await migrate()
  expect((await org.get(`/objects/deals/records/${body.id}`)).body).toEqual(body)
  const found = await mia.post('/objects/deals/records/search', { filter })
  expect(found.body).toMatchObject({ records: [{ id: body.id }], pagination: { total: 1 } })
  const groups = await mia.post('/objects/deals/records/groups', { by: 'owner' })
  expect(groups.body).toMatchObject({
    groups: [
      { value: mia.userId, count: 1 },
      { value: null, count: 1 },
    ],
  })
  const patched = await mia.patch(`/objects/deals/views/${view.body.id}`, { state })
  expect(patched.status).toBe(200)
  const owned = await org.patch(`/objects/deals/records/${body.id}`, { data: { owner: org.userId } })
  expect(owned.body).toMatchObject({ data: { owner: org.userId } })
})

test('deleted attributes, and those of deleted objects, are restored as members', async () => {
  const org = await service.org()
  const object = await org.post<{ id: string }>('/objects', { pluralName: 'Cases', singularName: 'Case' })
  const lead = { name: 'Lead', type: 'member' }
  await org.post('/objects/cases/attributes', lead)
  await org.post('/objects/cases/attributes', { name: 'Title', type: 'text' })
  const keeper = await org.post<{ id: string }>('/objects/deals/attributes', {
    name: 'Keeper',
    type: 'member',
  })
  const deal = { name: 'One', keeper: org.userId }
  const record = await org.post<{ id: string }>('/objects/deals/records', { data: deal })
  await org.delete(`/objects/deals/attributes/${keeper.body.id}`)
  await org.delete(`/objects/${object.body.id}`)
  await service.drain()
  await toOldForm(org)
  await migrate()
  const trash = `/objects/deals/attributes/trash/${keeper.body.id}/restore`
  expect((await org.post(trash, {})).body).toMatchObject({ attribute: { type: 'member', config: null } })
  await service.drain()
  expect((await org.get(`/objects/deals/records/${record.body.id}`)).body).toMatchObject({ data: deal })
  await org.post(`/trashed-objects/${object.body.id}/restore`, {})
  expect((await org.get('/objects/cases')).body).toMatchObject({
    attributes: [
      { slug: 'lead', type: 'member', config: null },
      { slug: 'title', type: 'text' },
    ],
  })
})

test('an attribute that names records of a standard object is the delivered one', async () => {
  const org = await service.org()
  await db.run(sql`update attributes set is_naming = true where org = ${org.org} and slug = 'job_title'`)
  await migrate()
  const { body } = await org.get<{ attributes: Attribute[] }>('/objects/people')
  expect(body.attributes.filter(({ isNaming }) => isNaming).map(({ slug }) => slug)).toEqual(['name'])
})

test('copies of an organization that is being moved become the same', async () => {
  const org = await service.org()
  await toOldForm(org)
  await db.run(sql`insert into organization_moves (org, state) values (${org.org}, 'closed')`)
  await migrate()
  await db.run(sql`delete from organization_moves where org = ${org.org}`)
  expect(await references(org)).toEqual([])
})
