import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { sharedTestService } from '../test/shared-service.ts'

const service = await sharedTestService()

const org = await service.org()
const { body } = await org.post<{ id: string }>('/objects/people/records', {
  data: { name: 'Ada Lovelace', email: 'ada@example.com' },
})
const path = `/objects/people/records/${body.id}`
const call = await org.post<{ id: string }>('/activities', { type: 'call', title: 'Call Ada' })
const activity = `/activities/${call.body.id}`
const made = await org.post<{ id: string }>('/objects/people/views', {
  name: 'All',
  state: { version: 1, columns: [{ slug: 'name' }] },
})
const view = `/objects/people/views/${made.body.id}`

const read = (url: string, ifNoneMatch: string) =>
  service.inject({
    url: `/api/v1${url}`,
    headers: { authorization: `Bearer ${org.key}`, 'if-none-match': ifNoneMatch },
  })

test.each([
  ['an object', '/objects/people'],
  ['an attribute', '/objects/people/attributes/name'],
  ['a record', path],
  ['a record by a value', '/objects/people/records/by/email/ada@example.com'],
  ['a view', view],
  ['an activity', activity],
])('%s that has not changed gets a 304 without a body', async (_, url) => {
  const { headers } = await org.get(url)
  const etag = String(headers['etag'])
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const { statusCode, body, headers: sent } = await read(url, known)
    expect([known, statusCode, body]).toEqual([known, 304, ''])
    expect(sent).toMatchObject({ etag, 'x-request-id': expect.anything() })
    expect(sent).not.toHaveProperty('content-type')
  }
})

test('a record that has changed is returned', async () => {
  const etag = String((await org.get(path)).headers['etag'])
  await org.patch(path, { data: { job_title: 'Countess' } })
  const { statusCode, headers } = await read(path, etag)
  expect(statusCode).toBe(200)
  expect(headers['etag']).not.toBe(etag)
})

test('an activity whose creator has another name is returned', async () => {
  const { headers } = await org.get(activity)
  await service.ctx.db.run(sql`update users set name = 'Olivia Newname' where id = ${org.userId}`)
  const { statusCode, body } = await read(activity, String(headers['etag']))
  expect([statusCode, JSON.parse(body)]).toMatchObject([200, { createdBy: { name: 'Olivia Newname' } }])
})

test('If-None-Match does not affect a write', async () => {
  const etag = String((await org.get(path)).headers['etag'])
  const { status, body } = await org.patch(path, { data: {} }, { 'if-none-match': etag })
  expect([status, body]).toMatchObject([200, { data: { name: expect.anything() } }])
})

test('a list without a version is returned, and a missing object is a 404', async () => {
  expect((await read('/objects/people/records', '*')).statusCode).toBe(200)
  expect((await read('/objects/strangers', '*')).statusCode).toBe(404)
})
