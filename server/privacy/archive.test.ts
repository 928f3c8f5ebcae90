// All data of a record as one ZIP file, over HTTP.
import { strFromU8, unzipSync } from 'fflate'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { PrivacyRequestList } from '../../contract/privacy.ts'
import { buildFileService } from '../files/files.fixture.ts'
import type { SignedInMember } from '../test/dashboard-client.ts'
import { expectError, type Org } from '../test/factories.ts'
import { startReceiver } from '../test/receiver.ts'
import { attach, buildEverywhere } from './erasure.fixture.ts'

const service = await buildFileService()
const PEOPLE = '/objects/people/records'

async function download({ id }: Org, { cookie }: SignedInMember, recordId: string) {
  const response = await service.inject({
    method: 'POST',
    url: `/dashboard/api/organizations/org-${id}${PEOPLE}/${recordId}/archive`,
    headers: { cookie, 'sec-fetch-site': 'same-origin' },
  })
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/zip'])
  return new Map(Object.entries(unzipSync(response.rawPayload)))
}

test('an archive has the record, its history, everything that refers to it, its files and an index', {
  timeout: 60_000,
}, async () => {
  const receiver = await startReceiver()
  const { org, admin, person, loser } = await buildEverywhere(service, receiver)
  await receiver.close()
  const archive = await download(org, admin, person)
  const list = (name: string) =>
    JSON.parse(strFromU8(archive.get(`${name}.json`) ?? new Uint8Array())) as Record<string, unknown>[]
  expect(
    list('records')
      .map(({ id }) => id)
      .sort(),
  ).toEqual([person, loser].sort())
  const counts = ['events', 'activities', 'comments', 'deliveries', 'workflow-runs', 'imports', 'merges']
  for (const name of counts) expect([name, list(name).length > 0]).toEqual([name, true])
  expect(list('references')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        object: 'deals',
        attribute: 'contact',
        refersTo: person,
        direction: 'to the record',
      }),
      expect.objectContaining({ object: 'people', attribute: 'company', recordId: person }),
    ]),
  )
  const files = [...archive].filter(([name]) => name.startsWith('files/'))
  expect(files).toHaveLength(2)
  for (const [, bytes] of files) expect(strFromU8(bytes, true)).toContain('PNG')
  const page = strFromU8(archive.get('index.html') ?? new Uint8Array())
  expect(page).toContain('zorblax@vextrune.example')
  for (const name of archive.keys()) if (name !== 'index.html') expect(page).toContain(name)
  const { requests } = (await org.get<PrivacyRequestList>('/privacy/requests')).body
  expect(requests).toMatchObject([{ kind: 'archive', state: 'completed', recordIds: [person] }])
})

test('values are escaped in the index, and a record in the trash has an archive too', async () => {
  const org = await service.org()
  const admin = await org.member('admin')
  const { body } = await org.post<{ id: string }>(PEOPLE, {
    data: { name: 'Ann', job_title: '<script>alert(1)</script>' },
  })
  await org.delete(`${PEOPLE}/${body.id}`)
  const archive = await download(org, admin, body.id)
  const page = strFromU8(archive.get('index.html') ?? new Uint8Array())
  expect(page).toContain('&lt;script&gt;')
  expect(page).not.toContain('<script>')
})

test('an archive has activities, comments and files in the trash, and the files of these activities', async () => {
  const org = await service.org()
  const admin = await org.member('admin')
  const { body: person } = await org.post<{ id: string; objectId: string }>(PEOPLE, { data: { name: 'Ann' } })
  const link = { objectId: person.objectId, recordId: person.id }
  const add = async (title: string, more: object) =>
    (await org.post<{ id: string }>('/activities', { title, ...more })).body.id
  const linked = await add('Call', { linkedRecords: [link] })
  const met = await add('Meeting', { participants: [{ type: 'person', id: person.id }] })
  const other = await add('Other', {})
  await attach(service, admin, `/activities/${linked}/attachments`, 'offer')
  for (const [place, name] of [
    [`/activities/${linked}/attachments`, 'draft'],
    [`${PEOPLE}/${person.id}/attachments`, 'scan'],
  ] as const) {
    const id = await attach(service, admin, place, name)
    await org.delete(`${place}/${id}`)
  }
  const { body: comment } = await org.post<{ id: string }>(`${PEOPLE}/${person.id}/comments`, {
    text: 'Hello',
  })
  for (const id of [linked, met, other]) await org.delete(`/activities/${id}`)
  await org.delete(`/comments/${comment.id}`)
  const archive = await download(org, admin, person.id)
  const list = (name: string) =>
    JSON.parse(strFromU8(archive.get(`${name}.json`) ?? new Uint8Array())) as Record<string, unknown>[]
  const deletedAt = expect.any(String)
  expect(list('activities')).toMatchObject([
    { id: linked, title: 'Call', deletedAt },
    { id: met, title: 'Meeting', deletedAt },
  ])
  expect(list('comments')).toMatchObject([{ id: comment.id, text: 'Hello', deletedAt }])
  expect([...archive.keys()].filter((name) => name.startsWith('files/'))).toHaveLength(3)
})

test('an archive has earlier versions of activities, earlier texts of comments and names of files, and reminders', async () => {
  const org = await service.org()
  const admin = await org.member('admin')
  const { body: person } = await org.post<{ id: string; objectId: string }>(PEOPLE, { data: { name: 'Ann' } })
  const linkedRecords = [{ objectId: person.objectId, recordId: person.id }]
  const add = async (title: string) =>
    (await org.post<{ id: string }>('/activities', { type: 'task', title, linkedRecords })).body.id
  const [call, deleted] = [await add('Call'), await add('Deleted')]
  await org.post('/activities', { title: 'Other' })
  await org.patch(`/activities/${call}`, { title: 'Call Ann' })
  await org.delete(`/activities/${deleted}`)
  const { body: comment } = await org.post<{ id: string }>(`${PEOPLE}/${person.id}/comments`, {
    text: 'Old words',
  })
  await org.patch(`/comments/${comment.id}`, { text: 'New words' })
  const place = `${PEOPLE}/${person.id}/attachments`
  const { body: file } = await org.post<{ id: string }>(place, {
    url: await service.stored(org),
    name: 'Old.png',
  })
  await org.patch(`${place}/${file.id}`, { name: 'New.png' })
  for (const subject of [{ record: { objectId: 'people', recordId: person.id } }, { activityId: call }]) {
    const reminder = { ...subject, note: 'Ask Ann', at: '2030-01-01T00:00:00Z' }
    expect((await admin.post('/reminders', reminder)).status).toBe(201)
  }
  const archive = await download(org, admin, person.id)
  const list = (name: string) =>
    JSON.parse(strFromU8(archive.get(`${name}.json`) ?? new Uint8Array())) as Record<string, unknown>[]
  expect(list('activity-events')).toMatchObject([
    { type: 'activity.created', activityId: call, version: 1, data: { title: 'Call' } },
    { type: 'activity.created', activityId: deleted, version: 1, data: { title: 'Deleted' } },
    { type: 'activity.updated', activityId: call, version: 2, data: { title: 'Call Ann' } },
    { type: 'activity.deleted', activityId: deleted, version: 2, data: { title: 'Deleted' } },
  ])
  expect(list('comment-texts')).toMatchObject([
    { commentId: comment.id, before: null, after: 'Old words' },
    { commentId: comment.id, before: 'Old words', after: 'New words' },
  ])
  expect(list('file-names')).toMatchObject([
    { attachmentId: file.id, before: null, after: 'Old.png' },
    { attachmentId: file.id, before: 'Old.png', after: 'New.png' },
  ])
  expect(list('reminders')).toMatchObject([
    { subjectId: person.id, note: 'Ask Ann' },
    { subjectId: call, note: 'Ask Ann' },
  ])
})

test('an archive has every row of long lists, once', { timeout: 60_000 }, async () => {
  const org = await service.org()
  const admin = await org.member('admin')
  const { body } = await org.post<{ id: string }>(PEOPLE, { data: { name: 'Ann' } })
  const deals = Array.from({ length: 100 }, (_, index) => ({
    data: { name: `Deal ${index}`, contact: body.id },
  }))
  for (let count = 0; count < 500; count += 100)
    expect((await org.post('/objects/deals/records/bulk', { records: deals })).status).toBe(200)
  await service.ctx.db.run(sql`
    insert into comments (org, id, obj, record_id, author, mentions, text)
    select r.org, uuidv7(), r.obj, r.id, ${org.userId}, '{}', 'Comment ' || n
    from records r, generate_series(1, 10050) as n where r.org = ${org.org} and r.id = ${body.id}`)
  const archive = await download(org, admin, body.id)
  const list = (name: string) =>
    JSON.parse(strFromU8(archive.get(`${name}.json`) ?? new Uint8Array())) as Record<string, string>[]
  const texts = list('comments').map(({ text }) => text)
  expect([texts.length, new Set(texts).size]).toEqual([10050, 10050])
  const references = list('references').map(({ recordId }) => recordId)
  expect([references.length, new Set(references).size]).toEqual([500, 500])
  expect(strFromU8(archive.get('index.html') ?? new Uint8Array())).toContain('comments.json</a>: 10050<')
})

test('members and users of other organizations get no archive', async () => {
  const [org, other] = [await service.org(), await service.org()]
  const { body } = await org.post<{ id: string }>(PEOPLE, { data: { name: 'Ann' } })
  const path = `${PEOPLE}/${body.id}/archive`
  expectError(await (await org.member('member')).post(path), 'insufficient_role')
  expectError(await (await other.member('owner')).post(path), 'not_found')
})

test('a program downloads an archive with its key, again with each request', async () => {
  const org = await service.org()
  const { body } = await org.post(PEOPLE, { data: { name: 'Ada' } })
  const download = (key: string) =>
    service.inject({
      method: 'POST',
      url: `/api/v1${PEOPLE}/${body['id']}/archive`,
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': 'once' },
    })
  for (const name of ['first', 'second']) {
    const { statusCode, headers, rawPayload } = await download(org.key)
    expect([name, statusCode, headers['content-type']]).toEqual([name, 200, 'application/zip'])
    expect(Object.keys(unzipSync(rawPayload))).toContain('records.json')
  }
  expect((await download(await org.keyWith(['records:read']))).statusCode).toBe(403)
  const { requests } = (await org.get<PrivacyRequestList>('/privacy/requests')).body
  expect(requests.map(({ kind }) => kind)).toEqual(['archive', 'archive'])
})
