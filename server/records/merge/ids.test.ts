// The ids of merged records, later references to them, and the history of their winner.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { ATTACHMENTS_MAX } from '../../../contract/limits.ts'
import type { CrmRecord } from '../../../contract/records.ts'
import { newId } from '../../base/id.ts'
import { makeToken } from '../../base/token.ts'
import { purgeDeletedObjects } from '../../model/objects/jobs.ts'
import { expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { purgeOldTrash } from '../trash/jobs.ts'

const service = await sharedTestService()
const { db } = service.ctx
const COMPANIES = '/objects/companies'

const make = async (org: Org, object: string, data: object): Promise<CrmRecord> =>
  (await org.post<CrmRecord>(`/objects/${object}/records`, { data })).body

async function merged(org: Org, winner: CrmRecord, ...losers: CrmRecord[]) {
  const body = { winnerId: winner.id, loserIds: losers.map(({ id }) => id) }
  expect((await org.post(`${COMPANIES}/records/merge`, body)).status).toBe(200)
}

async function pair(org: Org) {
  const [winner, loser] = [
    await make(org, 'companies', { name: 'Acme' }),
    await make(org, 'companies', { name: 'Acme Inc' }),
  ]
  return { winner, loser }
}

const A_YEAR_LATER = new Date(Date.now() + 366 * 86_400_000)

describe('the id of a merged record', () => {
  test('responds with the winner even after the loser is deleted from the trash, by hand or by age', async () => {
    const org = await service.org()
    const { winner, loser } = await pair(org)
    const other = await make(org, 'companies', { name: 'ACME' })
    await merged(org, winner, loser, other)
    expect((await org.delete(`${COMPANIES}/trash/${loser.id}`)).status).toBe(200)
    await purgeOldTrash(service.ctx, new AbortController().signal, A_YEAR_LATER)
    expect(await db.many(sql`select from trash where org = ${org.org}`)).toEqual([])
    for (const { id } of [loser, other])
      expect((await org.get(`${COMPANIES}/records/${id}`)).body).toMatchObject({
        id: winner.id,
        mergedInto: winner.id,
      })
    expect((await org.get(`${COMPANIES}/records/${winner.id}`)).body).not.toHaveProperty('mergedInto')
  })

  test('responds with the new winner after its winner is merged into another record', async () => {
    const org = await service.org()
    const { winner, loser } = await pair(org)
    await merged(org, winner, loser)
    await org.delete(`${COMPANIES}/trash/${loser.id}`)
    const last = await make(org, 'companies', { name: 'A' })
    await merged(org, last, winner)
    expect((await org.get(`${COMPANIES}/records/${loser.id}`)).body).toMatchObject({ mergedInto: last.id })
  })

  test('answers changes with a 404 that names the winner', async () => {
    const org = await service.org()
    const { winner, loser } = await pair(org)
    await merged(org, winner, loser)
    const path = `${COMPANIES}/records/${loser.id}`
    const details = { mergedInto: winner.id }
    for (const reply of [
      await org.patch(path, { data: { name: 'X' } }),
      await org.delete(path),
      await org.delete(`${path}?permanent=true`),
      await org.post(`${COMPANIES}/records/merge`, { winnerId: winner.id, loserIds: [loser.id] }),
    ]) {
      expectError(reply, 'not_found')
      expect(reply.body).toMatchObject({ details, message: expect.stringContaining(winner.id) })
    }
    const bulk = await org.post<{ failed: unknown[] }>(`${COMPANIES}/records/bulk`, {
      mode: 'upsert',
      records: [{ id: loser.id, data: { name: 'X' } }],
    })
    expect(bulk.body.failed).toMatchObject([{ error: expect.stringContaining(winner.id) }])
  })

  test('answers with a 404 that names the deleted winner, and with a plain 404 to another organization', async () => {
    const org = await service.org()
    const { winner, loser } = await pair(org)
    await merged(org, winner, loser)
    const path = `${COMPANIES}/records/${loser.id}`
    expectError(await (await service.org()).get(path), 'not_found')
    await org.delete(`${COMPANIES}/records/${winner.id}`)
    const reply = await org.get(path)
    expectError(reply, 'not_found')
    expect(reply.body).toMatchObject({ details: { mergedInto: winner.id } })
  })

  test('is deleted with its object', async () => {
    const org = await service.org()
    await org.post('/objects', { slug: 'things', singularName: 'Thing', pluralName: 'Things' })
    await org.post('/objects/things/attributes', { name: 'Name', type: 'text' })
    const [a, b] = [await make(org, 'things', { name: 'A' }), await make(org, 'things', { name: 'B' })]
    const body = { winnerId: a.id, loserIds: [b.id] }
    expect((await org.post('/objects/things/records/merge', body)).status).toBe(200)
    await org.delete(`/objects/things/trash/${b.id}`)
    expect(await db.many(sql`select from merged_records where org = ${org.org}`)).toHaveLength(1)
    expect((await org.delete('/objects/things?permanent=true')).status).toBe(200)
    await purgeDeletedObjects(service.ctx, new AbortController().signal)
    expect(await db.many(sql`select from merged_records where org = ${org.org}`)).toEqual([])
  })
})

describe('data that returns from the trash', () => {
  test('refers to the winner instead of a loser, and only once in a list', async () => {
    const org = await service.org()
    const { winner, loser } = await pair(org)
    const config = { allowed_object_id: winner.objectId }
    for (const more of [
      { name: 'Earlier', isList: true },
      { name: 'Only', isUnique: true },
    ])
      await org.post('/objects/people/attributes', { ...more, type: 'reference', config })
    const data = { name: 'Ada', company: loser.id, earlier: [loser.id, winner.id], only: loser.id }
    const person = await make(org, 'people', data)
    await org.delete(`/objects/people/records/${person.id}`)
    await merged(org, winner, loser)
    const restored = await org.post<{ record: CrmRecord }>(`/objects/people/trash/${person.id}/restore`)
    expect(restored.body).toMatchObject({
      lossCount: 0,
      record: { data: { company: winner.id, earlier: [winner.id], only: winner.id } },
    })
    const filter = [{ attributeSlug: 'company', operator: 'equals', value: winner.id }]
    const found = await org.post('/objects/people/records/search', { filters: filter })
    expect(found.body).toMatchObject({ pagination: { total: 1 } })
    expectError(
      await org.post('/objects/people/records', { data: { name: 'Eve', only: winner.id } }),
      'unique_violation',
    )
  })

  test('has references to the winner in the values of a restored attribute', async () => {
    const org = await service.org()
    const { winner, loser } = await pair(org)
    const config = { allowed_object_id: winner.objectId }
    const earlier = { name: 'Earlier', type: 'reference', isList: true, config }
    const { id } = (await org.post<{ id: string }>('/objects/people/attributes', earlier)).body
    const person = await make(org, 'people', { name: 'Ada', earlier: [winner.id, loser.id] })
    await org.delete(`/objects/people/attributes/${id}`)
    await service.drain()
    await merged(org, winner, loser)
    expect((await org.post(`/objects/people/attributes/trash/${id}/restore`, {})).status).toBe(200)
    await service.drain()
    expect((await org.get(`/objects/people/records/${person.id}`)).body).toMatchObject({
      data: { earlier: [winner.id] },
    })
  })
})

test('a winner that refers to a loser is updated once for the reference, and then by the merge', async () => {
  const org = await service.org()
  const { winner, loser } = await pair(org)
  const config = { allowed_object_id: winner.objectId }
  await org.post(`${COMPANIES}/attributes`, { name: 'Parent', type: 'reference', config })
  await org.patch(`${COMPANIES}/records/${winner.id}`, { data: { parent: loser.id } })
  const count = (await org.events()).length
  await merged(org, winner, loser)
  const types = (await org.events()).slice(count).map(({ type }) => type)
  expect(types).toEqual(['record.deleted', 'record.updated', 'record.updated'])
})

test('values of an inactive attribute move to the winner, without an event', async () => {
  const org = await service.org()
  const { winner, loser } = await pair(org)
  const config = { allowed_object_id: winner.objectId }
  const earlier = { name: 'Earlier', type: 'reference', config }
  const { id } = (await org.post<{ id: string }>('/objects/people/attributes', earlier)).body
  const person = await make(org, 'people', { name: 'Ada', earlier: loser.id })
  const admin = await org.member('admin')
  const show = async (isActive: boolean) =>
    expect(await admin.patch(`/objects/people/attributes/${id}/active`, { isActive })).toMatchObject({
      status: 200,
    })
  await show(false)
  const count = (await org.events()).length
  await merged(org, winner, loser)
  expect((await org.events()).slice(count).map(({ subject }) => subject)).not.toContain(person.id)
  await show(true)
  expect((await org.get(`/objects/people/records/${person.id}`)).body).toMatchObject({
    data: { earlier: winner.id },
  })
})

test('the history of the winner contains the history of the merged records', async () => {
  const org = await service.org()
  const { winner, loser } = await pair(org)
  const oldest = await make(org, 'companies', { name: 'A. Inc' })
  await merged(org, loser, oldest)
  await merged(org, winner, loser)
  await org.delete(`${COMPANIES}/trash/${loser.id}`)
  const mia = await org.member('member')
  const { body } = await mia.get<{ entries: { recordId: string; type: string; mergedIds: unknown }[] }>(
    `${COMPANIES}/records/${winner.id}/history`,
  )
  expect(body.entries.map(({ recordId, type, mergedIds }) => [recordId, type, mergedIds])).toEqual([
    [winner.id, 'record.updated', [loser.id]],
    [loser.id, 'record.updated', [oldest.id]],
    [oldest.id, 'record.created', null],
    [loser.id, 'record.created', null],
    [winner.id, 'record.created', null],
  ])
})

test('the last update of the winner names the merged records', async () => {
  const org = await service.org()
  const { winner, loser } = await pair(org)
  await merged(org, winner, loser)
  const feed = async () =>
    (await org.get<{ events: Record<string, unknown>[] }>('/events?types=record.updated')).body.events
  // Other tests may briefly hold transactions open.
  await expect.poll(feed).toHaveLength(1)
  const { id: recordId, data } = winner
  expect(await feed()).toMatchObject([
    { type: 'record.updated', recordId, version: 2, data, changes: {}, mergedIds: [loser.id] },
  ])
  const undo = await org.post(`${COMPANIES}/records/${winner.id}/undo`, { version: 2 })
  expect(undo.body).toMatchObject({ details: { errors: [{ path: 'version', code: 'no_change' }] } })
})

test('records with too many files in total are not merged', async () => {
  const org = await service.org()
  const { winner, loser } = await pair(org)
  const { obj } = await db.one<{ obj: number }>(
    sql`select obj from objects where org = ${org.org} and slug = 'companies'`,
  )
  for (let nr = 0; nr <= ATTACHMENTS_MAX; nr++) {
    const file = newId()
    await db.run(sql`
      insert into files (org, id, bucket, path, key, token, state, size, content_type, expires_at, stored_at)
      values (${org.org}, ${file}, 'b', ${file}, ${file}, ${makeToken()}, 'stored', 1, 'image/png', now(), now())`)
    await db.run(sql`
      insert into attachments (org, id, obj, record_id, file_id, name)
      values (${org.org}, ${newId()}, ${obj}, ${nr % 2 ? winner.id : loser.id}, ${file}, 'a')`)
  }
  const body = { winnerId: winner.id, loserIds: [loser.id] }
  const reply = await org.post(`${COMPANIES}/records/merge`, body)
  expectError(reply, 'validation_error')
  expect(reply.body).toMatchObject({ details: { errors: [{ code: 'too_many_files' }] } })
})
