// Attributes that are deleted and restored with their values.
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Attribute } from '../../../contract/attributes.ts'
import { attributesRemoved } from '../../model/attributes/removed.fixture.ts'
import { purgeOldAttributes } from '../../model/attributes/trash.ts'
import { purgeObject } from '../../model/objects/purge.ts'
import { buildTestService } from '../../test/build-app.ts'
import { bodyOf, expectError, type Org } from '../../test/factories.ts'
import { audit } from '../engine/maintenance/audit.fixture.ts'
import { waitUntilIndexed } from '../engine/maintenance/finish.ts'
import type { ObjectKey } from '../engine/maintenance/work-store.ts'
import { buildEveryType, dataOf } from '../every-type.fixture.ts'
import { restoreAllValues } from './attribute-values.ts'

const service = await buildTestService({ indexFrom: 1 })
const { db } = service.ctx
const running = () => new AbortController().signal

interface Made {
  id: string
  slug: string
  data: Record<string, unknown>
}

type Shown = Made & Pick<Attribute, 'displayOrder' | 'updatedAt'>

interface Trashed {
  id: string
  slug: string
  values: number
  isSlugTaken: boolean
  isTargetDeleted: boolean
}

const COMPANIES = '/objects/companies'

const add = async (org: Org, definition: object, object = COMPANIES) => {
  return bodyOf(
    await org.post<Made>(`${object}/attributes`, {
      name: 'Code',
      type: 'text',
      ...definition,
    }),
    201,
  )
}
const make = async (org: Org, data: object, object = COMPANIES) =>
  (await org.post<Made>(`${object}/records`, { data })).body
const drop = async (org: Org, { id }: Pick<Made, 'id'>, query = '', object = COMPANIES) => {
  expect((await org.delete(`${object}/attributes/${id}${query}`)).status).toBe(200)
  await attributesRemoved(service.ctx, org.org)
}
const trashOf = async (org: Org, object = COMPANIES) =>
  (await org.get<{ attributes: Trashed[] }>(`${object}/attributes/trash`)).body.attributes
const restore = (org: Org, { id }: Pick<Made, 'id'>, body: object = {}, object = COMPANIES) =>
  org.post<{ attribute: Made; values: number }>(`${object}/attributes/trash/${id}/restore`, body)
const dataIn = async (org: Org, { id }: Made) => (await org.get<Made>(`${COMPANIES}/records/${id}`)).body.data

const keyOf = (org: Org, slug: string) =>
  db.one<ObjectKey>(
    sql`select org, obj from objects where org = ${org.org} and slug = ${slug} and deleted_at is null`,
  )

describe('POST /objects/:objectId/attributes/trash/:attributeId/restore', () => {
  test('restores the attribute and its values, of every type', async () => {
    const org = await service.org()
    const named = await buildEveryType(org)
    const things = '/objects/things'
    await add(org, { isUnique: true }, things)
    const ids: string[] = []
    for (const [n, data] of fc.sample(dataOf(named), 8).entries())
      ids.push((await make(org, { ...data, code: `C ${n}` }, things)).id)
    const key = await keyOf(org, 'things')
    await waitUntilIndexed(service.ctx, key)
    const stateOf = async () => ({
      records: await db.many(sql`
        select id, data, coalesce(comparable, '{}') as comparable from records
        where org = ${org.org} and obj = ${key.obj} order by id`),
      links: await db.many(
        sql`select attr, target, id from links where org = ${org.org} order by attr, target, id`,
      ),
      uniques: await db.many(
        sql`select attr, value, id from uniques where org = ${org.org} order by attr, value`,
      ),
    })
    const before = await stateOf()
    const { body } = await org.get<{ attributes: (Made & { isActive: boolean })[] }>(`${things}/attributes`)
    const all = body.attributes.filter(({ slug }) => !['name'].includes(slug))
    for (const attribute of all) await drop(org, attribute, '', things)
    expect(await audit(db, key)).toEqual([])
    expect((await trashOf(org, things)).map(({ id }) => id)).toEqual(all.map(({ id }) => id).toReversed())
    for (const attribute of all) {
      const body = bodyOf(await restore(org, attribute, {}, things))
      expect(body).toMatchObject({ attribute: { id: attribute.id, slug: attribute.slug }, values: 0 })
    }
    expect(await stateOf()).toEqual(before)
    await waitUntilIndexed(service.ctx, key)
    expect(await audit(db, key)).toEqual([])
    expect(await trashOf(org, things)).toEqual([])
    for (const table of [sql`trash_attributes`, sql`trash_values`])
      expect(await db.many(sql`select from ${table} where org = ${org.org}`)).toEqual([])
  })

  test('restores its position and age, and whether it is active and names the records', async () => {
    const org = await service.org()
    const admin = await org.member('admin')
    const attributesOf = async () => {
      const path = `${COMPANIES}/attributes?includeInactive=true`
      return (await org.get<{ attributes: Shown[] }>(path)).body.attributes
    }
    const [named, hidden, last] = [
      await add(org, { name: 'Named' }),
      await add(org, { name: 'Hidden' }),
      await add(org, { name: 'Last' }),
    ]
    await org.patch(`${COMPANIES}/attributes/${named.id}`, { isNaming: true })
    await admin.patch(`${COMPANIES}/attributes/${hidden.id}/active`, { isActive: false })
    const before = await attributesOf()
    const updated = (attribute: Shown) => ({ ...attribute, updatedAt: expect.any(String) })
    for (const one of [hidden, last, named]) await drop(org, one)
    for (const one of [named, hidden, last])
      expect((await org.post(`${COMPANIES}/attributes/trash/${one.id}/restore`)).status).toBe(200)
    expect(await attributesOf()).toEqual(before.map(updated))
  })

  test('restores its position even if another attribute has taken it', async () => {
    const org = await service.org()
    const admin = await org.member('admin')
    const orderOf = async () => {
      const { body } = await org.get<{ attributes: Shown[] }>(`${COMPANIES}/attributes`)
      return body.attributes.map(({ slug, displayOrder }) => [slug, displayOrder])
    }
    const [first] = (await org.get<{ attributes: Made[] }>(`${COMPANIES}/attributes`)).body.attributes
    const code = await add(org, {})
    const ids = [first?.id, code.id]
    expect((await admin.put(`${COMPANIES}/attribute-order`, { ids })).status).toBe(200)
    const before = await orderOf()
    await drop(org, code)
    const others = (await orderOf()).map(([slug]) => slug)
    const present = (await org.get<{ attributes: Made[] }>(`${COMPANIES}/attributes`)).body.attributes
    await admin.put(`${COMPANIES}/attribute-order`, { ids: present.map(({ id }) => id) })
    expect(await orderOf()).toEqual(others.map((slug, place) => [slug, place]))
    expect((await restore(org, code)).status).toBe(200)
    expect(await orderOf()).toEqual(before)
  })

  test('restores the values of an inactive attribute when it is activated', async () => {
    const org = await service.org()
    const admin = await org.member('admin')
    const code = await add(org, {})
    const acme = await make(org, { name: 'Acme', code: 'A' })
    const activate = (isActive: boolean) =>
      admin.patch(`${COMPANIES}/attributes/${code.id}/active`, { isActive })
    await activate(false)
    await drop(org, code)
    expect((await restore(org, code)).body).toMatchObject({ attribute: { isActive: false }, values: 1 })
    expect(await dataIn(org, acme)).toEqual({ name: 'Acme' })
    expect((await activate(true)).status).toBe(200)
    await restoreAllValues(service.ctx, running())
    expect(await dataIn(org, acme)).toEqual({ name: 'Acme', code: 'A' })
  })

  test('restores the values of records, including records in the trash', async () => {
    const org = await service.org()
    const code = await add(org, { isUnique: true })
    const [acme, beta, gamma] = [
      await make(org, { name: 'Acme', code: 'A' }),
      await make(org, { name: 'Beta', code: 'B' }),
      await make(org, { name: 'Gamma', code: 'C' }),
    ]
    await org.delete(`${COMPANIES}/records/${gamma.id}`)
    await drop(org, code)
    await org.delete(`${COMPANIES}/records/${beta.id}`)
    expect(await trashOf(org)).toMatchObject([{ id: code.id, slug: 'code', values: 2, isSlugTaken: false }])
    const count = (await org.events()).length
    expect((await restore(org, code)).body).toMatchObject({ values: 0 })
    expect((await org.events()).slice(count)).toMatchObject([
      { type: 'record.updated', subject: acme.id, changes: { code: { from: null, to: 'A' } } },
    ])
    expect(await dataIn(org, acme)).toEqual({ name: 'Acme', code: 'A' })
    for (const [record, value] of [
      [beta, 'B'],
      [gamma, 'C'],
    ] as const) {
      expectError(
        await org.post(`${COMPANIES}/records`, { data: { name: 'X', code: 'A' } }),
        'unique_violation',
      )
      const { body } = await org.post(`${COMPANIES}/trash/${record.id}/restore`)
      expect(body).toMatchObject({ losses: [], record: { data: { code: value } } })
    }
  })

  test('does not restore a reference to a record that was deleted after the attribute', async () => {
    const org = await service.org()
    const { id: allowed_object_id } = (await org.get<Made>('/objects/people')).body
    const only = await add(org, {
      name: 'Only',
      type: 'reference',
      isUnique: true,
      config: { allowed_object_id },
    })
    const many = await add(org, {
      name: 'Many',
      type: 'reference',
      isList: true,
      config: { allowed_object_id },
    })
    const people = []
    for (const name of ['Ada', 'Bob']) people.push((await make(org, { name }, '/objects/people')).id)
    const [ada, bob] = people
    const acme = await make(org, { name: 'Acme', only: ada, many: people })
    const beta = await make(org, { name: 'Beta', only: bob, many: [bob] })
    await drop(org, only)
    await drop(org, many)
    await org.delete(`/objects/people/records/${bob}`)
    for (const attribute of [only, many]) expect((await restore(org, attribute)).status).toBe(200)
    expect(await dataIn(org, acme)).toEqual({ name: 'Acme', only: ada, many: [ada] })
    expect(await dataIn(org, beta)).toEqual({ name: 'Beta' })
    expect(await audit(db, await keyOf(org, 'companies'))).toEqual([])
  })

  test('gives a unique value to one of two records that would both have it after a merge', async () => {
    const org = await service.org()
    const { id: allowed_object_id } = (await org.get<Made>('/objects/people')).body
    const config = { allowed_object_id }
    const only = await add(org, { name: 'Only', type: 'reference', isUnique: true, config })
    const [ada, bob] = [
      (await make(org, { name: 'Ada' }, '/objects/people')).id,
      (await make(org, { name: 'Bob' }, '/objects/people')).id,
    ]
    const acme = await make(org, { name: 'Acme', only: ada })
    const beta = await make(org, { name: 'Beta', only: bob })
    await drop(org, only)
    const merge = { winnerId: bob, loserIds: [ada] }
    expect((await org.post('/objects/people/records/merge', merge)).status).toBe(200)
    expect((await restore(org, only)).status).toBe(200)
    const shown = [await dataIn(org, acme), await dataIn(org, beta)].map((data) => data['only'])
    expect(shown.filter((value) => value !== undefined)).toEqual([bob])
    expect(await audit(db, await keyOf(org, 'companies'))).toEqual([])
  })

  test('needs another slug if its slug is taken', async () => {
    const org = await service.org()
    const code = await add(org, {})
    const acme = await make(org, { name: 'Acme', code: 'A' })
    await drop(org, code)
    await add(org, { type: 'number' })
    expect(await trashOf(org)).toMatchObject([{ isSlugTaken: true }])
    expectError(await restore(org, code), 'slug_conflict')
    for (const slug of ['Code', 'id', '']) expectError(await restore(org, code, { slug }), 'validation_error')
    expect((await restore(org, code, { slug: 'old_code' })).body.attribute).toMatchObject({
      slug: 'old_code',
    })
    expect(await dataIn(org, acme)).toEqual({ name: 'Acme', old_code: 'A' })
    await drop(org, code)
    expect((await restore(org, code)).body.attribute).toMatchObject({ id: code.id, slug: 'old_code' })
    expect(await dataIn(org, acme)).toEqual({ name: 'Acme', old_code: 'A' })
  })

  test('is refused if the referenced object is deleted', async () => {
    const org = await service.org()
    const { body: object } = await org.post<Made>('/objects', { pluralName: 'Things', singularName: 'Thing' })
    const thing = await add(org, {
      name: 'Thing',
      type: 'reference',
      config: { allowed_object_id: object.id },
    })
    await drop(org, thing)
    expect((await org.delete(`/objects/${object.id}`)).status).toBe(200)
    expect(await trashOf(org)).toMatchObject([{ isTargetDeleted: true }])
    expectError(await restore(org, thing), 'validation_error')
  })

  test('refuses an attribute that is not in the trash or belongs to another object', async () => {
    const org = await service.org()
    const code = await add(org, {})
    expectError(await restore(org, code), 'not_found')
    await drop(org, code)
    expectError(await restore(org, code, {}, '/objects/people'), 'not_found')
    expect((await restore(org, code)).status).toBe(200)
    expectError(await restore(org, code), 'not_found')
  })
})

describe('an attribute that is deleted permanently', () => {
  test('is not in the trash', async () => {
    const org = await service.org()
    const code = await add(org, {})
    await make(org, { name: 'Acme', code: 'A' })
    await drop(org, code, '?permanent=true')
    expect(await trashOf(org)).toEqual([])
    expect(await db.many(sql`select from trash_values where org = ${org.org}`)).toEqual([])
  })

  test('is deleted together with values that were not restored yet', async () => {
    const org = await service.org()
    const code = await add(org, {})
    await make(org, { name: 'Acme', code: 'A' })
    await drop(org, code)
    expect((await restore(org, code)).status).toBe(200)
    await db.run(sql`
      insert into trash_values (org, attr, id, value, uniques)
      select org, attr, gen_random_uuid(), '"B"', '{}' from trash_attributes where id = ${code.id}`)
    await drop(org, code, '?permanent=true')
    await purgeOldAttributes(service.ctx, running(), new Date())
    for (const table of [sql`trash_attributes`, sql`trash_values`])
      expect(await db.many(sql`select from ${table} where org = ${org.org}`)).toEqual([])
  })

  test('is deleted from the trash together with its values', async () => {
    const org = await service.org()
    const code = await add(org, {})
    await make(org, { name: 'Acme', code: 'A' })
    await drop(org, code)
    const path = `${COMPANIES}/attributes/trash/${code.id}`
    expect((await org.delete(path)).body).toEqual({ id: code.id, deleted: true })
    expectError(await org.delete(path), 'not_found')
    expect(await trashOf(org)).toEqual([])
    expect(await db.many(sql`select from trash_values where org = ${org.org}`)).toEqual([])
  })

  test('is deleted after the retention period of the trash, and together with its object', async () => {
    const org = await service.org()
    const [old, fresh] = [await add(org, { name: 'Old' }), await add(org, { name: 'Fresh' })]
    await make(org, { name: 'Acme', old: 'A', fresh: 'A' })
    for (const one of [old, fresh]) await drop(org, one)
    await db.run(
      sql`update trash_attributes set deleted_at = now() - interval '31 days' where id = ${old.id}`,
    )
    await purgeOldAttributes(service.ctx, running(), new Date())
    expect(await trashOf(org)).toMatchObject([{ id: fresh.id }])
    expect(await db.many(sql`select from trash_values where org = ${org.org}`)).toHaveLength(1)
    const { body: object } = await org.post<Made>('/objects', { pluralName: 'Things', singularName: 'Thing' })
    const ofThings = await add(org, {}, '/objects/things')
    await make(org, { code: 'A' }, '/objects/things')
    await drop(org, ofThings, '', '/objects/things')
    const { obj } = await keyOf(org, 'things')
    await org.delete(`/objects/${object.id}?permanent=true`)
    expect(await purgeObject(service.ctx, { org: org.org, obj }, running())).toBe(true)
    expect(await db.many(sql`select from trash_attributes where org = ${org.org}`)).toHaveLength(1)
    expect(await db.many(sql`select from trash_values where org = ${org.org}`)).toHaveLength(1)
  })
})

test('the values of a large object are restored in the background', async () => {
  const org = await service.org()
  const code = await add(org, {})
  const key = await keyOf(org, 'companies')
  await waitUntilIndexed(service.ctx, key)
  const acme = await make(org, { name: 'Acme', code: 'A' })
  await drop(org, code)
  const { attr } = await db.one<{ attr: number }>(
    sql`select attr from trash_attributes where id = ${code.id}`,
  )
  // The request is one transaction: no value returns before the commit.
  const reply = await org.post(
    `${COMPANIES}/attributes/trash/${code.id}/restore`,
    {},
    { 'idempotency-key': 'k' },
  )
  expect(reply.status).toBe(200)
  await restoreAllValues(service.ctx, running())
  expect(await dataIn(org, acme)).toEqual({ name: 'Acme', code: 'A' })
  expect(await db.many(sql`select from trash_attributes where attr = ${attr}`)).toEqual([])
  await waitUntilIndexed(service.ctx, key)
  expect(await audit(db, key)).toEqual([])
})
