import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { CrmRecord } from '../../../contract/records.ts'
import { searchAgain } from '../../duplicates/search/service.ts'
import { setAttributeActive } from '../../model/attributes/service.ts'
import { buildTestService } from '../../test/build-app.ts'
import { authorOf, type Org } from '../../test/factories.ts'
import { insertWorkflow, runsOf, step } from '../../workflows/workflow.fixture.ts'
import { indexEmptyObject } from '../engine/indexed.fixture.ts'
import { audit } from '../engine/maintenance/audit.fixture.ts'
import { type RecordDraft, replaceUniques, updateRecords } from '../write/store.ts'
import { rewriteValues } from './rewrite-values.ts'

const service = await buildTestService()
const { ctx } = service

const listConflicts: Parameters<typeof rewriteValues>[2] = (tx, object) =>
  searchAgain({ ...ctx, db: tx }, object)

const COMPOSED = 'Café'
const DECOMPOSED = 'Cafe\u0301'

async function setUp(isIndexed: boolean) {
  const org = await service.org()
  const { body: object } = await org.post<{ id: string }>('/objects', {
    pluralName: 'Places',
    singularName: 'Place',
  })
  for (const attribute of [
    { name: 'Title', type: 'text', isUnique: true },
    { name: 'Tags', type: 'list' },
    { name: 'Person', type: 'name' },
    { name: 'Phone', type: 'phone_number', isUnique: true },
    { name: 'Size', type: 'number' },
  ])
    await org.post('/objects/places/attributes', attribute)
  if (isIndexed) await indexEmptyObject(ctx.db, object.id, { texts: 'presence', keepsMissing: true })
  const model = await ctx.models.get(ctx.db, org.org, object.id)
  return { org, objectId: object.id, model }
}

type RewriteSetup = Awaited<ReturnType<typeof setUp>>

const attrOf = ({ model }: RewriteSetup, slug: string) => model.attributes.get(slug)?.attr ?? 0

interface Old {
  data: Record<string, unknown>
  phone?: string
}

/** Stores a record as older versions did, without normalization. */
async function storeOld(setup: RewriteSetup, { data, phone }: Old): Promise<string> {
  const { org, model } = setup
  const { body } = await org.post<CrmRecord>('/objects/places/records', { data: { size: 1 } })
  const uniques = [
    ...(typeof data['title'] === 'string' ? [{ attr: attrOf(setup, 'title'), value: data['title'] }] : []),
    ...(phone === undefined ? [] : [{ attr: attrOf(setup, 'phone'), value: phone }]),
  ]
  const draft: RecordDraft = {
    id: body.id,
    slugs: Object.keys(data),
    data: JSON.stringify(data),
    comparable: phone === undefined ? null : JSON.stringify({ phone }),
    bareAmounts: undefined,
    uniques,
    links: [],
  }
  await ctx.db.transaction(async (tx) => {
    await replaceUniques(
      tx,
      org.org,
      [draft],
      uniques.map(({ attr }) => attr),
    )
    await updateRecords(tx, { org: org.org, userId: null, keyId: null }, model, [draft])
  })
  return body.id
}

/** Requests a rewrite, as a migration does. */
const askForRewrite = ({ org, model }: RewriteSetup) =>
  ctx.db.run(sql`insert into value_rewrites (org, obj) values (${org.org}, ${model.obj})`)

async function rewrite(setup: RewriteSetup): Promise<void> {
  await askForRewrite(setup)
  await rewriteValues(ctx, new AbortController().signal, listConflicts)
}

const read = async (org: Org, id: string) => (await org.get<CrmRecord>(`/objects/places/records/${id}`)).body

async function found(org: Org, attributeSlug: string, operator: string, value: string): Promise<string[]> {
  const { body } = await org.post<{ records: CrmRecord[] }>('/objects/places/records/search', {
    filters: [{ attributeSlug, operator, value }],
  })
  return body.records.map(({ id }) => id).sort()
}

const claimOf = (setup: RewriteSetup, value: string) =>
  ctx.db.many<{ id: string }>(
    sql`select id from uniques where org = ${setup.org.org} and attr = ${attrOf(setup, 'title')} and value = ${value}`,
  )

test.each([false, true])('texts in other forms are found after the job, index %s', async (isIndexed) => {
  const setup = await setUp(isIndexed)
  const { org } = setup
  const id = await storeOld(setup, {
    data: {
      title: DECOMPOSED,
      tags: [' vip', 'e\u0301te\u0301', 'été'],
      person: { firstName: 'Jose\u0301', lastName: 'Ruiz\u200b' },
    },
  })
  const before = await read(org, id)
  const made = await insertWorkflow(ctx, org, {
    ...{ trigger: 'record/updated', triggerConfig: { objectId: 'places' } },
    steps: [step('set_variables', { variables: { a: 1 } })],
  })
  await rewrite(setup)
  await service.runWorkflows()
  expect(await runsOf(ctx, made)).toEqual([])
  const after = await read(org, id)
  expect(after.data).toEqual({
    size: 1,
    title: COMPOSED,
    tags: ['vip', 'été'],
    person: { firstName: 'José', lastName: 'Ruiz' },
  })
  expect(after.version).toBe(before.version + 1)
  for (const [slug, value] of [
    ['title', COMPOSED],
    ['title', DECOMPOSED],
    ['tags', 'vip'],
    ['tags', 'e\u0301te\u0301'],
    ['person', 'José Ruiz'],
  ] as const)
    expect(await found(org, slug, 'equals', value)).toEqual([id])
  expect(await claimOf(setup, COMPOSED)).toEqual([{ id }])
  expect(await claimOf(setup, DECOMPOSED)).toEqual([])
  expect((await org.events()).at(-1)).toMatchObject({ type: 'record.updated', subject: id, data: after.data })
  if (isIndexed) expect(await audit(ctx.db, { org: org.org, obj: setup.model.obj })).toEqual([])
})

test.each([false, true])('phone numbers are compared with their extension, index %s', async (isIndexed) => {
  const setup = await setUp(isIndexed)
  const { org } = setup
  const id = await storeOld(setup, { data: { phone: '+1 555 867 5309 x12' }, phone: '+15558675309' })
  const plain = await storeOld(setup, { data: { phone: '+1 555 222 3333' }, phone: '+15552223333' })
  const [before, events] = [await read(org, id), await org.events()]
  await rewrite(setup)
  expect(await read(org, id)).toEqual(before)
  expect(await org.events()).toEqual(events)
  expect(await found(org, 'phone', 'equals', '+1 555 867 5309 ext 12')).toEqual([id])
  expect(await found(org, 'phone', 'equals', '+1 555 867 5309')).toEqual([])
  expect(await found(org, 'phone', 'equals', '+1 555 222 3333')).toEqual([plain])
  const switchboard = await org.post('/objects/places/records', { data: { phone: '+1 555 867 5309' } })
  expect(switchboard.status).toBe(201)
  if (isIndexed) expect(await audit(ctx.db, { org: org.org, obj: setup.model.obj })).toEqual([])
})

test('if two records get the same unique value, the first keeps the claim and both are found', async () => {
  const setup = await setUp(false)
  const composed = await storeOld(setup, { data: { title: COMPOSED } })
  const decomposed = await storeOld(setup, { data: { title: DECOMPOSED } })
  await rewrite(setup)
  expect(await claimOf(setup, COMPOSED)).toEqual([{ id: composed }])
  expect(await found(setup.org, 'title', 'equals', COMPOSED)).toEqual([composed, decomposed].sort())
})

test('values that were deleted before the job ran are rewritten after they return', async () => {
  const setup = await setUp(false)
  const { org, model } = setup
  const run = () => rewriteValues(ctx, new AbortController().signal, listConflicts)
  const ids = [await storeOld(setup, { data: { title: DECOMPOSED } })]
  await askForRewrite(setup)
  await org.delete(`/objects/places/records/${ids[0]}`)
  await run()
  expect((await org.post(`/objects/places/trash/${ids[0]}/restore`)).status).toBe(200)
  await run()
  expect(await found(org, 'title', 'equals', COMPOSED)).toEqual(ids)
  const tags = model.attributes.get('tags')?.id
  await storeOld(setup, { data: { tags: [DECOMPOSED] } })
  await askForRewrite(setup)
  await org.delete(`/objects/places/attributes/${tags}`)
  await run()
  expect((await org.post(`/objects/places/attributes/trash/${tags}/restore`, {})).status).toBe(200)
  await run()
  expect(await found(org, 'tags', 'equals', COMPOSED)).toHaveLength(1)
})

test('restored records are rewritten without reading the records before them', async () => {
  const setup = await setUp(false)
  const { org } = setup
  const store = () => storeOld(setup, { data: { tags: [DECOMPOSED] } })
  const [, second, third] = [await store(), await store(), await store()]
  await askForRewrite(setup)
  for (const id of [second, third]) await org.delete(`/objects/places/records/${id}`)
  await ctx.db.run(sql`delete from value_rewrites where org = ${org.org}`)
  for (const id of [third, second])
    expect((await org.post(`/objects/places/trash/${id}/restore`)).status).toBe(200)
  await rewriteValues(ctx, new AbortController().signal, listConflicts)
  expect(await found(org, 'tags', 'equals', COMPOSED)).toEqual([second, third])
})

test('values of an inactive attribute are rewritten when it is switched on', async () => {
  const setup = await setUp(false)
  const { org, objectId, model } = setup
  const active = { objectId, attributeId: model.attributes.get('tags')?.id ?? '' }
  const id = await storeOld(setup, { data: { tags: [DECOMPOSED] } })
  await setAttributeActive(ctx, authorOf(org), { ...active, isActive: false })
  await rewrite(setup)
  await setAttributeActive(ctx, authorOf(org), { ...active, isActive: true })
  await rewriteValues(ctx, new AbortController().signal, listConflicts)
  expect(await found(org, 'tags', 'equals', COMPOSED)).toEqual([id])
})

test('normalized records stay unchanged, and the job finishes the object', async () => {
  const setup = await setUp(false)
  const id = await storeOld(setup, { data: { title: 'Plain ', tags: ['a', 'été'] } })
  const before = await read(setup.org, id)
  await rewrite(setup)
  expect(await read(setup.org, id)).toEqual(before)
  expect(await ctx.db.many(sql`select from value_rewrites where org = ${setup.org.org}`)).toEqual([])
})
