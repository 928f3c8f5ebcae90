// Purges a deleted object in batches and on several nodes, with an event for each record, while writers still have the
// old model.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { claimEntries } from '../../events/outbox-entries.ts'
import { buildTestService } from '../../test/build-app.ts'
import type { Org } from '../../test/factories.ts'
import { insertDeliveries } from '../../webhooks/delivery/dispatch-store.ts'
import { insertEndpoint } from '../../webhooks/endpoint.fixture.ts'
import { purgeDeletedObjects } from './jobs.ts'
import { type DeletedObject, purgeObject, RECORD_BATCH } from './purge.ts'

const service = await buildTestService()
const { ctx } = service
const { db } = ctx
const running = () => new AbortController().signal

interface Created {
  id: string
}

async function buildProjects() {
  const org = await service.org()
  const { body } = await org.post<Created>('/objects', { pluralName: 'Projects', singularName: 'Project' })
  const object = await db.one<DeletedObject>(
    sql`select org, obj from objects where org = ${org.org} and id = ${body.id}`,
  )
  return { org, object, objectId: body.id }
}

async function addAttributes(org: Org, objectId: string) {
  const companies = (await org.get('/objects/companies')).body['id']
  for (const attribute of [
    { name: 'Code', type: 'text', isUnique: true },
    { name: 'Parent', type: 'reference', config: { allowed_object_id: objectId } },
    { name: 'Client', type: 'reference', config: { allowed_object_id: companies } },
  ])
    expect((await org.post('/objects/projects/attributes', attribute)).status).toBe(201)
}

const insertRecords = ({ org, obj }: DeletedObject, count: number) =>
  db.run(sql`
    insert into records (org, obj, id, updated_at, data)
    select ${org}, ${obj}, uuidv7(), now(), '{}' from generate_series(1, ${count}::int)`)

/** Reads the feed until it has this number of events: other tests may briefly hold transactions open. */
async function readFeed(org: Org, count: number) {
  const read = async () => (await org.get<{ events: unknown[] }>('/events?limit=100')).body.events
  await expect.poll(read, { interval: 20 }).toHaveLength(count)
  return read()
}

const leftovers = ({ org, obj }: DeletedObject) =>
  db.one(sql`
    select (select count(*) from records where org = ${org} and obj = ${obj}) as records,
           (select count(*) from links where org = ${org}) as links,
           (select count(*) from uniques where org = ${org}) as uniques,
           (select count(*) from attributes where org = ${org} and obj = ${obj}) as attributes,
           (select count(*) from objects where org = ${org} and obj = ${obj}) as objects`)

const NOTHING = { records: 0, links: 0, uniques: 0, attributes: 0, objects: 0 }

describe('purgeObject', () => {
  test('removes records with their unique values and references, and writes a deletion event for each', async () => {
    const { org, object, objectId } = await buildProjects()
    await addAttributes(org, objectId)
    const client = await org.post<Created>('/objects/companies/records', { data: { name: 'Client' } })
    const parent = await org.post<Created>('/objects/projects/records', { data: { code: 'a' } })
    const data = { code: 'b', parent: parent.body.id, client: client.body.id }
    const child = await org.post<Created>('/objects/projects/records', { data })
    expect(child.status).toBe(201)
    await insertRecords(object, RECORD_BATCH + 1)
    await org.delete('/objects/projects')
    const events = await org.events()
    expect(await purgeObject(ctx, object, running())).toBe(true)
    expect(await leftovers(object)).toEqual(NOTHING)
    const deleted = (await org.events()).slice(events.length)
    expect(new Set(deleted.map(({ type }) => type))).toEqual(new Set(['record.deleted']))
    expect(new Set(deleted.map(({ subject }) => subject)).size).toBe(RECORD_BATCH + 3)
    expect(deleted).toHaveLength(RECORD_BATCH + 3)
    expect(deleted.find(({ subject }) => subject === child.body.id)?.data).toEqual(data)
    expect((await org.get(`/objects/companies/records/${client.body.id}`)).body).toEqual(client.body)
    expect(await purgeObject(ctx, object, running())).toBe(true)
  })

  test('removes links of activities to the records, with an event for each activity', async () => {
    const { org, object, objectId } = await buildProjects()
    const companies = (await org.get<Created>('/objects/companies')).body.id
    const company = await org.post<Created>('/objects/companies/records', { data: { name: 'C' } })
    const project = await org.post<Created>('/objects/projects/records', { data: {} })
    const kept = { objectId: companies, recordId: company.body.id }
    const activity = await org.post<Created>('/activities', {
      title: 'Kick-off',
      linkedRecords: [{ objectId, recordId: project.body.id }, kept],
    })
    await org.delete('/objects/projects')
    await purgeObject(ctx, object, running())
    const read = await org.get(`/activities/${activity.body.id}`)
    expect(read.body).toEqual({
      ...activity.body,
      linkedRecords: [kept],
      updatedAt: expect.any(String),
      version: 2,
    })
    const updates = (await org.events()).filter(({ type }) => type === 'activity.updated')
    expect(updates).toEqual([
      { type: 'activity.updated', subject: activity.body.id, data: read.body, changes: null },
    ])
    expect(await leftovers(object)).toEqual({ ...NOTHING, links: 2 })
  })

  test('events keep the id of the object permanently, and stay unchanged when they are read again', async () => {
    const { org, object, objectId } = await buildProjects()
    await org.post('/objects/projects/attributes', { name: 'Code', type: 'text' })
    const { body } = await org.post<Created>('/objects/projects/records', { data: { code: 'a' } })
    await org.patch(`/objects/projects/records/${body.id}`, { data: { code: 'b' } })
    const before = await readFeed(org, 2)
    await org.delete('/objects/projects')
    expect(await purgeObject(ctx, object, running())).toBe(true)
    const after = await readFeed(org, 3)
    expect(after.slice(0, 2)).toEqual(before)
    expect(after[2]).toMatchObject({
      ...{ type: 'record.deleted', recordId: body.id, objectId, version: 3, data: { code: 'b' } },
    })
  })

  test('values of a hidden attribute are not in any event', async () => {
    const { org, object } = await buildProjects()
    const secret = await org.post<Created>('/objects/projects/attributes', { name: 'Secret', type: 'text' })
    await org.post('/objects/projects/attributes', { name: 'Code', type: 'text' })
    await org.post('/objects/projects/records', { data: { code: 'a', secret: 'x' } })
    const key = { 'idempotency-key': 'k' }
    await org.delete(`/objects/projects/attributes/${secret.body.id}`, undefined, key)
    await org.delete('/objects/projects')
    expect(await purgeObject(ctx, object, running())).toBe(true)
    expect((await org.events()).at(-1)).toMatchObject({ type: 'record.deleted', data: { code: 'a' } })
  })

  test('deletion events of the records have the author of the deletion of the object', async () => {
    const { org, object } = await buildProjects()
    await org.post('/objects/projects/records', { data: {} })
    await org.delete('/objects/projects')
    await purgeObject(ctx, object, running())
    const row = await db.one(sql`
      select actor, api_key as key from events where org = ${org.org} and type = 'record.deleted'`)
    expect(row).toEqual({ actor: org.userId, key: org.keyId })
  })

  test('a webhook endpoint for deletions of its records gets each deletion', async () => {
    const { org, object } = await buildProjects()
    const { endpoint } = await insertEndpoint(ctx, org.org, { objs: [object.obj], types: ['record.deleted'] })
    const { body } = await org.post<Created>('/objects/projects/records', { data: {} })
    await org.delete('/objects/projects')
    await purgeObject(ctx, object, running())
    const events = await db.many<{ events: string[] }>(sql`
      select events from event_pending where org = ${org.org} and reader = 'webhooks'`)
    const entries = await db.transaction((tx) =>
      claimEntries(tx, { consumer: 'webhooks', after: org.org - 1 }, { orgs: 1, entries: 100, events: 1000 }),
    )
    expect(entries).toHaveLength(events.length)
    await insertDeliveries(db, entries, sql`now()`)
    const sent = await db.many<{ body: string }>(sql`
      select m.body from webhook_deliveries d join webhook_messages m on m.org = d.org and m.event = d.event
      where d.endpoint = ${endpoint}`)
    expect(sent.map((one) => JSON.parse(one.body))).toMatchObject([
      { type: 'record.deleted', recordId: body.id, objectId: expect.any(String), version: 2 },
    ])
  })

  test('no response shows the links of activities after the object is deleted', async () => {
    const { org, object, objectId } = await buildProjects()
    const companies = (await org.get<Created>('/objects/companies')).body.id
    const company = await org.post<Created>('/objects/companies/records', { data: { name: 'C' } })
    const project = await org.post<Created>('/objects/projects/records', { data: {} })
    const kept = { objectId: companies, recordId: company.body.id }
    const linkedRecords = [{ objectId, recordId: project.body.id }, kept]
    const { body } = await org.post<Created>('/activities', { title: 'Kick-off', linkedRecords })
    await org.delete('/objects/projects')
    const path = `/activities/${body.id}`
    expect((await org.get(path)).body['linkedRecords']).toEqual([kept])
    const listed = (query: string) =>
      org.get<{ activities: { linkedRecords: unknown }[] }>(`/activities${query}`)
    expect((await listed('')).body.activities).toMatchObject([{ linkedRecords: [kept] }])
    expect((await listed(`?recordId=${company.body.id}`)).body.activities).toHaveLength(1)
    expect((await listed(`?recordId=${project.body.id}`)).body.activities).toEqual([])
    const patched = await org.patch(path, { title: 'Kick-off 2' })
    expect(patched.body).toMatchObject({ linkedRecords: [kept], version: 2 })
    expect(await purgeObject(ctx, object, running())).toBe(true)
    expect((await org.get(path)).body).toMatchObject({
      title: 'Kick-off 2',
      linkedRecords: [kept],
      version: 3,
    })
    expect(await leftovers(object)).toEqual({ ...NOTHING, links: 2 })
  })

  test('an activity that is deleted before the purge has no such links in its event', async () => {
    const { org, object, objectId } = await buildProjects()
    const project = await org.post<Created>('/objects/projects/records', { data: {} })
    const linkedRecords = [{ objectId, recordId: project.body.id }]
    const { body } = await org.post<Created>('/activities', { title: 'Kick-off', linkedRecords })
    await org.delete('/objects/projects')
    await org.delete(`/activities/${body.id}`)
    const last = (await org.events()).at(-1)
    expect(last).toMatchObject({ type: 'activity.deleted', data: { linkedRecords: [] } })
    expect(await purgeObject(ctx, object, running())).toBe(true)
    expect(await leftovers(object)).toEqual(NOTHING)
  })

  test('waits for transactions from before the deletion, which may still write records', async () => {
    const { org, object } = await buildProjects()
    await db.transaction(async (writer) => {
      await org.delete('/objects/projects')
      expect(await purgeObject(ctx, object, running())).toBe(false)
      await writer.run(sql`
        insert into records (org, obj, id, updated_at, data)
        values (${object.org}, ${object.obj}, uuidv7(), now(), '{}')`)
    })
    expect(await purgeObject(ctx, object, running())).toBe(true)
    expect(await leftovers(object)).toEqual(NOTHING)
  })

  test('does not change an object that is not deleted, and stops on abort', async () => {
    const { org, object } = await buildProjects()
    await insertRecords(object, 2)
    expect(await purgeObject(ctx, object, running())).toBe(false)
    await org.delete('/objects/projects')
    expect(await purgeObject(ctx, object, AbortSignal.abort())).toBe(false)
    expect(await leftovers(object)).toEqual({ ...NOTHING, records: 2, objects: 1 })
    expect(await purgeObject(ctx, object, running())).toBe(true)
  })

  test('can finish before the purge of deleted attributes that referred to the object', async () => {
    const { org, object, objectId } = await buildProjects()
    const attribute = await org.post<Created>('/objects/people/attributes', {
      name: 'Project',
      type: 'reference',
      config: { allowed_object_id: objectId },
    })
    const path = `/objects/people/attributes/${attribute.body.id}`
    await org.delete(path, undefined, { 'idempotency-key': 'k' })
    await org.delete('/objects/projects')
    expect(await purgeObject(ctx, object, running())).toBe(true)
    expect(await leftovers(object)).toEqual(NOTHING)
  })
})

describe('purgeDeletedObjects', () => {
  test('purges the deleted objects of all organizations, on several nodes concurrently, and nothing else', async () => {
    const [one, two, live] = [await buildProjects(), await buildProjects(), await buildProjects()]
    for (const { object } of [one, two, live]) await insertRecords(object, 10)
    for (const { org } of [one, two]) await org.delete('/objects/projects')
    await Promise.all([1, 2, 3].map(() => purgeDeletedObjects(ctx, running())))
    await purgeDeletedObjects(ctx, running())
    for (const { object } of [one, two]) expect(await leftovers(object)).toEqual(NOTHING)
    expect(await leftovers(live.object)).toEqual({ ...NOTHING, records: 10, objects: 1 })
  })

  test('leaves no data of an object whose records are written concurrently', async () => {
    const { org, object, objectId } = await buildProjects()
    let isDeleted = false
    const write = async () => {
      while (!isDeleted) await org.post(`/objects/${objectId}/records`, { data: {} })
    }
    const remove = async () => {
      for (let reads = 0; reads < 20; reads++) await org.get('/objects')
      await org.delete('/objects/projects')
      isDeleted = true
    }
    await Promise.all([write(), write(), remove()])
    // A run skips the object while an older statement runs, such as the update of an API key's last use.
    await expect
      .poll(async () => {
        await purgeDeletedObjects(ctx, running())
        return leftovers(object)
      })
      .toEqual(NOTHING)
  })
})
