// Change sets of the last day over HTTP: imports, workflow runs, API keys and the sets that programs name.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { ChangeSet } from '../../contract/change-sets.ts'
import { newId, newIdAt } from '../base/id.ts'
import { imported, mapping } from '../imports/imports.fixture.ts'
import { expectError, type Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { followsRecords } from './changes-store.ts'
import { inSet } from './undo.fixture.ts'

const service = await sharedTestService()
const { db } = service.ctx
const PEOPLE = '/objects/people/records'

interface Listed {
  changeSets: ChangeSet[]
  pagination: { total?: number; nextCursor?: string }
  isComplete: boolean
}

const list = async (org: Org, query = '') => (await org.get<Listed>(`/change-sets${query}`)).body

test('changes that follow records are found without reading events of other organizations', async () => {
  const { org } = await service.org()
  const plan = await db.transaction(async (tx) => {
    await tx.run(sql`set local enable_seqscan = off`)
    return tx.many<{ 'QUERY PLAN': string }>(
      sql`explain select ${followsRecords(org)} from events e where e.org = ${org}`,
    )
  })
  const lines = plan.map((row) => row['QUERY PLAN'])
  const conditions = lines.filter((line) => line.includes('Index Cond:'))
  expect(conditions.length).toBeGreaterThan(2)
  for (const condition of conditions) expect(condition).toContain(`(org = ${org})`)
  expect(lines.filter((line) => line.includes('Seq Scan'))).toEqual([])
})

describe('GET /change-sets', () => {
  test('lists sets, imports and API keys with their changes, the last changed first', async () => {
    const org = await service.org()
    const owner = await org.member('owner')
    const set = newId()
    for (const name of ['Ada', 'Bob'])
      await org.post(PEOPLE, { data: { name } }, { 'rapport-change-set': set })
    const file = await imported(service, owner, {
      text: 'Name\nEve\n',
      mapping: mapping('name'),
      matchOn: null,
    })
    const { changeSets, pagination, isComplete } = await list(org)
    expect(isComplete).toBe(true)
    expect(pagination.total).toBe(3)
    expect(changeSets).toMatchObject([
      { kind: 'import', id: file.id, name: 'people.csv', changes: 1 },
      { kind: 'changeSet', id: set, name: null, changes: 2 },
      { kind: 'apiKey', id: org.keyId, name: 'test', changes: 2 },
    ])
  })

  test('says who made a set, in which way, and of which objects', async () => {
    const org = await service.org()
    const member = await org.member('member')
    const records = [{ data: { name: 'Ada' } }]
    const [byMember, byKey] = [newId(), newId()]
    await member.post(`${PEOPLE}/bulk`, { records, changeSetId: byMember })
    await org.post('/activities', { title: 'Call' }, { 'rapport-change-set': byKey })
    await org.post('/objects/companies/records', { data: { name: 'Acme' } }, { 'rapport-change-set': byKey })
    const { id: undo } = (await org.post<{ id: string }>('/undo-jobs', { kind: 'changeSet', id: byMember }))
      .body
    await service.drain()
    const objects = (await org.get<{ objects: { id: string; slug: string }[] }>('/objects')).body.objects
    const idOf = (slug: string) => objects.find((one) => one.slug === slug)?.id
    const { changeSets } = await list(org)
    const one = (id: string) => changeSets.find((set) => set.id === id)
    expect(one(byKey)).toMatchObject({
      ...{ origin: 'apiKey', actor: { id: org.userId }, apiKey: { id: org.keyId, name: 'test' } },
      objectIds: [idOf('companies')],
    })
    expect(one(undo)).toMatchObject({ origin: 'undoJob', objectIds: [idOf('people')] })
    expect(one(org.keyId)).toMatchObject({ origin: null, apiKey: { name: 'test' } })
    await member.post(`${PEOPLE}/bulk`, { records, changeSetId: byMember })
    const again = (await list(org)).changeSets.find((set) => set.id === byMember)
    const mine = { origin: 'member', actor: { id: member.userId, email: member.email }, apiKey: null }
    expect(again).toMatchObject({ ...mine, objectIds: [idOf('people')] })
    const key = await org.keyWith(['records:read'])
    const seen = await org.get<Listed>('/change-sets', { authorization: `Bearer ${key}` })
    expect(seen.body.changeSets.find((set) => set.id === byMember)?.actor).toEqual({ id: member.userId })
  })

  test('names the activity or comment of a set with one change, and undoing the set restores it', async () => {
    const org = await service.org()
    const member = await org.member('member')
    const { body: person } = await org.post<{ id: string }>(PEOPLE, { data: { name: 'Ada' } })
    const { body: call } = await member.post<{ id: string }>('/activities', { title: 'Call' })
    const { body: note } = await member.post<{ id: string }>(`${PEOPLE}/${person.id}/comments`, {
      text: 'Signed',
    })
    const [ofCall, ofNote, ofBoth] = [newId(), newId(), newId()]
    const edit = async (path: string, body: object, set: string) =>
      expect((await member.patch(path, body, inSet(set))).status).toBe(200)
    await edit(`/activities/${call.id}`, { title: 'Call Ada' }, ofCall)
    await edit(`/comments/${note.id}`, { text: 'Not signed' }, ofNote)
    await edit(`/activities/${call.id}`, { summary: 'Short' }, ofBoth)
    await edit(`/activities/${call.id}`, { summary: 'Long' }, ofBoth)
    const changedIn = async (set: string, headers?: Record<string, string>) => {
      const { body } = await org.get<Listed>('/change-sets', headers)
      return body.changeSets.find(({ id }) => id === set)?.changed
    }
    const activity = { type: 'activity', id: call.id, change: 'updated' }
    const comment = { type: 'comment', id: note.id, change: 'updated' }
    expect(await changedIn(ofCall)).toEqual({ ...activity, text: 'Call Ada' })
    expect(await changedIn(ofNote)).toEqual({ ...comment, text: 'Not signed' })
    expect(await changedIn(ofBoth)).toBeNull()
    expect(await changedIn(org.keyId)).toBeNull()
    const blind = { authorization: `Bearer ${await org.keyWith(['records:read'])}` }
    expect(await changedIn(ofCall, blind)).toEqual({ ...activity, text: null })
    expect(await changedIn(ofNote, blind)).toEqual({ ...comment, text: null })

    for (const id of [ofCall, ofNote])
      expect((await member.post('/undo-jobs', { kind: 'changeSet', id })).status).toBe(201)
    await service.drain()
    expect((await org.get(`/activities/${call.id}`)).body).toMatchObject({ title: 'Call', summary: 'Long' })
    expect((await org.get(`/comments/${note.id}`)).body).toMatchObject({ text: 'Signed' })
    const updates = (await org.events()).filter(({ type }) => type.endsWith('.updated'))
    expect(updates.map(({ type }) => type).slice(-2)).toEqual(['activity.updated', 'comment.updated'])
    expect(await changedIn(ofCall)).toBeUndefined()
    const last = newId()
    await edit(`/activities/${call.id}`, { title: 'Call Bob' }, last)
    expect((await org.delete(`/activities/${call.id}`)).status).toBe(200)
    expect(await changedIn(last)).toEqual({ ...activity, text: null })
  })

  test('an API key starts a new set after half an hour, and changes older than a day are not listed', async () => {
    const org = await service.org()
    for (const hours of [25, 2, 0]) {
      const { body } = await org.post<{ id: string }>(PEOPLE, { data: { name: `Person ${hours}` } })
      const id = newIdAt(new Date(Date.now() - hours * 3_600_000))
      await db.run(sql`update events set id = ${id} where org = ${org.org} and subject = ${body.id}`)
    }
    const { changeSets } = await list(org)
    expect(changeSets.map(({ kind, changes }) => [kind, changes])).toEqual([
      ['apiKey', 1],
      ['apiKey', 1],
    ])
    const [last, first] = changeSets
    expect(Date.parse(last?.from ?? '') - Date.parse(first?.to ?? '')).toBeGreaterThan(3_600_000)
    const { kind, id, from, to } = first ?? {}
    const { body } = await org.post('/undo-jobs?dryRun=true', { kind, id, from, to })
    expect(body).toMatchObject({ total: 1, trashed: 1 })
  })

  test('has pages, and contains nothing of other organizations', async () => {
    const [org, other] = [await service.org(), await service.org()]
    for (let nr = 0; nr < 3; nr++)
      await org.post(PEOPLE, { data: { name: `Person ${nr}` } }, { 'rapport-change-set': newId() })
    const all = (await list(org)).changeSets
    const pages: ChangeSet[] = []
    for (let cursor = ''; ; ) {
      const page = await list(org, `?limit=1${cursor}`)
      pages.push(...page.changeSets)
      if (page.pagination.nextCursor === undefined) break
      cursor = `&cursor=${page.pagination.nextCursor}`
    }
    expect([all.length, pages]).toEqual([4, all])
    expect(await list(other)).toMatchObject({ changeSets: [], pagination: { total: 0 } })
    expectError(await org.get('/change-sets?cursor=none'), 'invalid_parameter')
  })
})
