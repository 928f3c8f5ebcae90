// Objects that are deleted and restored with their attributes and records.
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { purgeObject } from '../../model/objects/purge.ts'
import { purgeOldObjects } from '../../model/objects/trash.ts'
import { buildTestService } from '../../test/build-app.ts'
import { expectError, type Org } from '../../test/factories.ts'
import { audit } from '../engine/maintenance/audit.fixture.ts'
import { waitUntilIndexed } from '../engine/maintenance/finish.ts'
import type { ObjectKey } from '../engine/maintenance/work-store.ts'
import { buildEveryType, dataOf } from '../every-type.fixture.ts'
import { restoreAllRecords } from './object-records.ts'

const service = await buildTestService({ indexFrom: 1 })
const { db } = service.ctx
const running = () => new AbortController().signal

interface Made {
  id: string
  slug: string
  version: number
}

interface Trashed {
  id: string
  slug: string
  records: number
  attributes: number
  isSlugTaken: boolean
}

const THINGS = '/objects/things'

async function buildThings(org: Org) {
  const { body: object } = await org.post<Made>('/objects', { pluralName: 'Things', singularName: 'Thing' })
  await org.post(`${THINGS}/attributes`, { name: 'Name', type: 'text' })
  return object
}
const make = async (org: Org, data: object) => (await org.post<Made>(`${THINGS}/records`, { data })).body
const keyOf = (org: Org, id: string) =>
  db.one<ObjectKey>(sql`select org, obj from objects where org = ${org.org} and id = ${id}`)
const trashOf = async (org: Org) => (await org.get<{ objects: Trashed[] }>('/trashed-objects')).body.objects
const restore = (org: Org, id: string, body: object = {}, headers = {}) =>
  org.post<{ object: Made; records: number }>(`/trashed-objects/${id}/restore`, body, headers)

/** Deletes the object and runs the background work of the deletion. */
async function remove(org: Org, id: string, query = '') {
  const key = await keyOf(org, id)
  expect((await org.delete(`/objects/${id}${query}`)).status).toBe(200)
  await db.run(sql`delete from event_pending where org = ${org.org}`)
  await expect.poll(() => purgeObject(service.ctx, key, running())).toBe(true)
  return key
}

const leftIn = (org: Org) =>
  db.one(sql`
    select (select count(*) from trash where org = ${org.org}) as trash,
      (select count(*) from trash_links where org = ${org.org}) as links,
      (select count(*) from trash_files where org = ${org.org}) as files,
      (select count(*) from trash_objects where org = ${org.org}) as objects,
      (select count(*) from trash_attributes where org = ${org.org}) as attributes`)
const NOTHING = { trash: 0, links: 0, files: 0, objects: 0, attributes: 0 }

describe('POST /trashed-objects/:objectId/restore', () => {
  test('restores attributes and records with all their data', async () => {
    const org = await service.org()
    const named = await buildEveryType(org)
    const { id, targets } = named
    await org.post(`${THINGS}/attributes`, { name: 'Code', type: 'text', isUnique: true })
    const ids = [...targets]
    for (const [n, data] of fc.sample(dataOf(named), 8).entries())
      ids.push((await make(org, { ...data, code: `C ${n}` })).id)
    for (const target of targets)
      await org.patch(`${THINGS}/records/${target}`, { data: { many_reference: ids } })
    const linkedRecords = ids.map((recordId) => ({ objectId: id, recordId }))
    await org.post('/activities', { title: 'Call', linkedRecords })
    const owner = await org.member('owner')
    await owner.post(`${THINGS}/views`, { name: 'All', state: { version: 1, columns: [{ slug: 'code' }] } })
    const key = await keyOf(org, id)
    await waitUntilIndexed(service.ctx, key)
    const stateOf = async () => ({
      records: await db.many(sql`
        select id, data, coalesce(comparable, '{}') as comparable, created_by from records
        where org = ${org.org} and obj = ${key.obj} order by id`),
      links: await db.many(
        sql`select attr, target, id from links where org = ${org.org} order by attr, target, id`,
      ),
      uniques: await db.many(
        sql`select attr, value, id from uniques where org = ${org.org} order by attr, value`,
      ),
      activities: await db.many(sql`select id, linked_records from activities where org = ${org.org}`),
      attributes: (await org.get(`${THINGS}/attributes`)).body,
      views: (await owner.get(`${THINGS}/views`)).body,
      total: (await org.get(`${THINGS}/records?limit=1`)).body['pagination'],
    })
    const before = await stateOf()
    const { body: object } = await org.get<Made>(`/objects/${id}`)
    await remove(org, id)
    expectError(await org.get(THINGS), 'not_found')
    expectError(await org.get(`/objects/${id}/trash`), 'not_found')
    const { records } = before
    expect(await trashOf(org)).toMatchObject([
      { id, slug: 'things', records: records.length, isSlugTaken: false },
    ])
    const count = (await org.events()).length
    const restored = await restore(org, id)
    expect(restored.status).toBe(200)
    expect(restored.body).toMatchObject({ object: { id, slug: object.slug }, records: 0 })
    const types = (await org.events()).slice(count).map(({ type }) => type)
    expect(types.filter((type) => type === 'record.created')).toHaveLength(records.length)
    expect(await stateOf()).toEqual(before)
    await waitUntilIndexed(service.ctx, key)
    expect(await audit(db, key)).toEqual([])
    expect(await leftIn(org)).toEqual(NOTHING)
    // A second deletion and restoration has the same result.
    await remove(org, id)
    expect((await restore(org, id)).status).toBe(200)
    expect(await stateOf()).toEqual(before)
  })

  test('leaves earlier trash in the trash, and inactive attributes hidden', async () => {
    const org = await service.org()
    const object = await buildThings(org)
    const { body: code } = await org.post<Made>(`${THINGS}/attributes`, { name: 'Code', type: 'text' })
    const [one, two] = [
      await make(org, { name: 'One', code: 'A' }),
      await make(org, { name: 'Two', code: 'B' }),
    ]
    const owner = await org.member('owner')
    await owner.patch(`${THINGS}/attributes/${code.id}/active`, { isActive: false })
    await org.delete(`${THINGS}/records/${one.id}`)
    await remove(org, object.id)
    expect(await trashOf(org)).toMatchObject([{ records: 1, attributes: 2 }])
    await restore(org, object.id)
    const { body } = await org.get(`${THINGS}/records`)
    expect(body).toMatchObject({ records: [{ id: two.id, data: { name: 'Two' } }] })
    await owner.patch(`${THINGS}/attributes/${code.id}/active`, { isActive: true })
    expect((await org.get(`${THINGS}/records/${two.id}`)).body).toMatchObject({ data: { code: 'B' } })
    const { body: back } = await org.post(`${THINGS}/trash/${one.id}/restore`)
    expect(back).toMatchObject({ losses: [], record: { data: { name: 'One', code: 'A' } } })
  })

  test('needs another slug if its slug is taken', async () => {
    const org = await service.org()
    const object = await buildThings(org)
    await make(org, { name: 'One' })
    await remove(org, object.id)
    await buildThings(org)
    expect(await trashOf(org)).toMatchObject([{ isSlugTaken: true }])
    expectError(await restore(org, object.id), 'slug_conflict')
    expectError(await restore(org, object.id, { slug: 'Old things' }), 'validation_error')
    expect((await restore(org, object.id, { slug: 'old_things' })).body).toMatchObject({
      object: { id: object.id, slug: 'old_things' },
      records: 0,
    })
    const { body } = await org.get('/objects/old_things/records')
    expect(body).toMatchObject({ records: [{ data: { name: 'One' } }] })
  })

  test('restores the rest in the background, and waits for an unfinished deletion', async () => {
    const org = await service.org()
    const object = await buildThings(org)
    const one = await make(org, { name: 'One' })
    const key = { 'idempotency-key': 'first' }
    expect((await org.delete(`/objects/${object.id}`, undefined, key)).status).toBe(200)
    const restored = await restore(org, object.id, {}, { 'idempotency-key': 'early' })
    expect(restored).toMatchObject({ status: 200 })
    expect((await org.get(`${THINGS}/records/${one.id}`)).body).toMatchObject({ data: { name: 'One' } })
    await remove(org, object.id)
    await db.run(sql`
      insert into objects (org, obj, id, type, plural_name, singular_name, description, slug) overriding system value
      select org, obj, id, 'custom', 'Things', 'Thing', '', 'things' from trash_objects where org = ${org.org}`)
    await db.run(sql`
      insert into attributes (org, obj, attr, id, name, slug, type, is_required, is_unique, is_list, display_order)
      overriding system value
      select t.org, t.obj, a.attr, a.id, a.name, a.slug, a.type, false, false, false, 0
      from trash_objects t, jsonb_populate_recordset(null::attributes, t.attributes) as a where t.org = ${org.org}`)
    await db.run(sql`update trash_objects set is_restored = true where org = ${org.org}`)
    await restoreAllRecords(service.ctx, running())
    expect((await org.get(`${THINGS}/records/${one.id}`)).body).toMatchObject({ data: { name: 'One' } })
    expect(await leftIn(org)).toEqual(NOTHING)
  })

  test('refuses an object that is not in the trash, and lists nothing of another organization', async () => {
    const org = await service.org()
    const object = await buildThings(org)
    expectError(await restore(org, object.id), 'not_found')
    await remove(org, object.id)
    expect(await trashOf(await service.org())).toEqual([])
  })
})

describe('an object that is deleted permanently', () => {
  const fill = async (org: Org) => {
    const object = await buildThings(org)
    const { id } = await make(org, { name: 'Before' })
    await org.delete(`${THINGS}/records/${id}`)
    const { body: code } = await org.post<Made>(`${THINGS}/attributes`, { name: 'Code', type: 'text' })
    await make(org, { name: 'One', code: 'A' })
    await org.delete(`${THINGS}/attributes/${code.id}`)
    return object
  }

  test('leaves no data', async () => {
    const org = await service.org()
    await remove(org, (await fill(org)).id, '?permanent=true')
    expect(await leftIn(org)).toEqual(NOTHING)
  })

  test('is deleted from the trash with its records and attributes, by hand and by age', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const objects = [await fill(org), await fill(other)]
    for (const [n, one] of [org, other].entries()) await remove(one, objects[n]?.id ?? '')
    const path = `/trashed-objects/${objects[0]?.id}`
    expect((await org.delete(path)).body).toEqual({ id: objects[0]?.id, deleted: true })
    expectError(await org.delete(path), 'not_found')
    expect(await trashOf(org)).toEqual([])
    await purgeOldObjects(service.ctx, running(), new Date())
    expect(await leftIn(org)).toEqual(NOTHING)
    expect(await trashOf(other)).toHaveLength(1)
    await db.run(
      sql`update trash_objects set deleted_at = now() - interval '31 days' where org = ${other.org}`,
    )
    await purgeOldObjects(service.ctx, running(), new Date())
    expect(await leftIn(other)).toEqual(NOTHING)
  })

  test('is purged even if its records are not all in the trash yet', async () => {
    const org = await service.org()
    const object = await fill(org)
    const key = await keyOf(org, object.id)
    await org.delete(`/objects/${object.id}`)
    await org.delete(`/trashed-objects/${object.id}`)
    await db.run(sql`delete from event_pending where org = ${org.org}`)
    await expect.poll(() => purgeObject(service.ctx, key, running())).toBe(true)
    await purgeOldObjects(service.ctx, running(), new Date())
    expect(await leftIn(org)).toEqual(NOTHING)
  })
})
