// Deletes records while activities that link them exist or are written.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { addRecord, type Ref } from './activities.fixture.ts'
import { unlinkRecords } from './record-links.ts'

const service = await sharedTestService()
const { db } = service.ctx

const linksOf = (org: Org) =>
  db.many(sql`select attr, target from links where org = ${org.org} order by attr, target`)

describe('DELETE /objects/:objectId/records/:recordId', () => {
  test('removes it from links and participants of every activity, with an event for each', async () => {
    const org = await service.org()
    const [ada, acme] = [await addRecord(org, 'people'), await addRecord(org, 'companies')]
    const user = { type: 'user', id: org.userId }
    const person = { type: 'person', id: ada.recordId }
    const inputs = [
      { linkedRecords: [acme, ada], participants: [user] },
      { linkedRecords: [acme], participants: [person, user] },
      { linkedRecords: [ada], participants: [person] },
      { linkedRecords: [acme], participants: [user] },
    ]
    const before = []
    for (const input of inputs) {
      const { body } = await org.post<{ id: string }>('/activities', { title: 'Call', ...input })
      before.push(body)
    }
    const count = (await org.events()).length
    await org.delete(`/objects/people/records/${ada.recordId}`)
    const after = []
    for (const { id } of before) after.push((await org.get(`/activities/${id}`)).body)
    const changed = { updatedAt: expect.any(String), version: 2, participants: [user] }
    expect(after).toEqual([
      { ...before[0], ...changed, linkedRecords: [acme] },
      { ...before[1], ...changed },
      { ...before[2], ...changed, linkedRecords: [], participants: [] },
      before[3],
    ])
    const events = (await org.events()).slice(count)
    expect(events.filter(({ type }) => type === 'activity.updated')).toEqual(
      after
        .slice(0, 3)
        .map((data) => ({ type: 'activity.updated', subject: data['id'], data, changes: null })),
    )
    const company = { attr: -1, target: acme.recordId }
    const companies = { attr: -3, target: acme.objectId }
    expect(await linksOf(org)).toEqual([companies, companies, companies, company, company, company])
  })

  test('concurrent with new links leaves no link to a deleted record', async () => {
    const org = await service.org()
    for (let round = 0; round < 8; round++) {
      const ada = await addRecord(org, 'people')
      const existing = await org.post<{ id: string }>('/activities', { title: 'old' })
      const input = { linkedRecords: [ada], participants: [{ type: 'person', id: ada.recordId }] }
      const replies = await Promise.all([
        org.post('/activities', { title: 'new', ...input }),
        org.patch(`/activities/${existing.body.id}`, input),
        org.delete(`/objects/people/records/${ada.recordId}`),
        org.post('/activities', { title: 'new', ...input }),
      ])
      expect(replies[2]?.status).toBe(200)
      for (const index of [0, 1, 3]) expect([200, 201, 400]).toContain(replies[index]?.status)
    }
    const { body } = await org.get<{ activities: { linkedRecords: Ref[]; participants: object[] }[] }>(
      '/activities?limit=100',
    )
    for (const { linkedRecords, participants } of body.activities)
      expect([linkedRecords, participants]).toEqual([[], []])
    expect(await linksOf(org)).toEqual([])
  })
})

describe('unlinkRecords', () => {
  test('changes more activities than fit in one batch', async () => {
    const org = await service.org()
    const [ada, acme] = [await addRecord(org, 'people'), await addRecord(org, 'companies')]
    const linked = JSON.stringify([ada, acme])
    await db.run(sql`
      with a as (
        insert into activities (org, id, title, summary, activity_date, linked_records, participants, created_by, updated_at)
        select ${org.org}, uuidv7(), 'Call', '', now(), ${linked}::jsonb, '[]', ${org.userId}, now()
        from generate_series(1, 1500) returning id)
      insert into links (org, attr, target, id)
      select ${org.org}, attr, target, a.id from a, (values
        (-1, ${ada.recordId}::uuid), (-1, ${acme.recordId}::uuid),
        (-3, ${ada.objectId}::uuid), (-3, ${acme.objectId}::uuid)) as l(attr, target)`)
    const author = { org: org.org, userId: null, keyId: null }
    await db.transaction((tx) => unlinkRecords(tx, author, { ids: [ada.recordId], isPermanent: true }))
    expect(
      await db.many(sql`
        select linked_records as linked, count(*) as n from activities where org = ${org.org} group by 1`),
    ).toEqual([{ linked: [acme], n: 1500 }])
    expect(
      await db.many(
        sql`select target, count(*) as n from links where org = ${org.org} group by 1 order by 1`,
      ),
    ).toEqual([acme.recordId, acme.objectId].sort().map((target) => ({ target, n: 1500 })))
    const updated = (await org.events()).filter(({ type }) => type === 'activity.updated')
    expect(updated).toHaveLength(1500)
    expect(updated.at(-1)?.data).toMatchObject({ title: 'Call', linkedRecords: [acme] })
  })
})
