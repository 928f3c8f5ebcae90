// The attribute owner of organizations that were there before it was delivered.
import { readFile } from 'node:fs/promises'
import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Attribute } from '../../contract/attributes.ts'
import { indexEmptyObject } from '../query-engine/indexed.fixture.ts'
import { buildTestService } from '../test/build-app.ts'
import type { Org } from '../test/factories.ts'

const service = await buildTestService()
const { db } = service.ctx

async function ownersOf(org: Org) {
  const objects = await Promise.all(
    ['people', 'companies', 'deals'].map((slug) => org.get<{ attributes: Attribute[] }>(`/objects/${slug}`)),
  )
  return objects.map(({ body }) => body.attributes.filter(({ slug }) => slug === 'owner'))
}

/** The last statement of a migration: those before it change the schema, and can run only once. */
async function runFrom(name: string, beginning: string): Promise<void> {
  const text = await readFile(new URL(`../../migrations/${name}.sql`, import.meta.url), 'utf8')
  await db.run(raw(text.slice(text.indexOf(beginning))))
}

/** It was added as a reference, which became a member. */
const migrate = async () => {
  await runFrom('0039-owners', 'with standard as')
  await runFrom('0062-members-as-values', 'do $$')
}

test('the migration adds it once, and keeps an attribute that has the slug', async () => {
  const org = await service.org()
  const [[owner]] = (await ownersOf(org)) as [[Attribute]]
  await db.run(sql`delete from attributes where org = ${org.org} and slug = 'owner'`)
  await db.run(sql`update objects set version = nextval('object_versions') where org = ${org.org}`)
  expect(await ownersOf(org)).toEqual([[], [], []])
  const people = await org.get<{ id: string }>('/objects/people')
  await indexEmptyObject(db, people.body.id, { texts: 'values', keepsMissing: true })
  const own = await org.post('/objects/deals/attributes', { name: 'Owner', type: 'text' })
  await migrate()
  const added = await ownersOf(org)
  const { name, type, config, displayOrder } = owner
  expect(added).toMatchObject([[{ name, type, config, displayOrder }], [{ config }], [own.body]])
  await migrate()
  expect(await ownersOf(org)).toEqual(added)
  for (const data of [{ name: 'Ada', owner: org.userId }, { name: 'Max' }])
    expect((await org.post('/objects/people/records', { data })).status).toBe(201)
  const body = { filter: { attributeSlug: 'owner', operator: 'equals', value: org.userId } }
  expect((await org.post('/objects/people/records/search', body)).body['pagination']).toMatchObject({
    total: 1,
  })
  const attribute = `/objects/people/attributes/${added[0]?.[0]?.id}`
  expect((await org.delete(attribute)).status).toBe(403)
})
