import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { buildTestService } from '../test/build-app.ts'

const service = await buildTestService()
const org = await service.org()
const { cookie } = await org.member('member')
const LONG = 'x'.repeat(2000)
const { body } = await org.post<{ id: string }>('/objects/companies/records', { data: { name: LONG } })

const get = (path: string, encoding?: string) =>
  service.inject({
    url: `/dashboard/api/organizations/org-${org.id}/objects/companies${path}`,
    headers: { cookie, ...(encoding && { 'accept-encoding': encoding }) },
  })

test('an answer to a page is compressed for those who take it', async () => {
  const plain = await get('/records')
  const compressed = await get('/records', 'gzip, deflate, br')
  expect(plain.json().records).toMatchObject([{ data: { name: LONG } }])
  expect(plain.headers).toMatchObject({ vary: 'accept-encoding' })
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(compressed.headers).toMatchObject({ vary: 'accept-encoding', 'content-encoding': 'gzip' })
  expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
  expect(JSON.parse(gunzipSync(compressed.rawPayload).toString())).toEqual(plain.json())
})

test('a small one is not', async () => {
  const { statusCode, headers } = await get('/views', 'gzip')
  expect(statusCode).toBe(200)
  expect(headers['content-encoding']).toBeUndefined()
})

test('one with an ETag is not: the tag stands for its bytes', async () => {
  const { headers } = await get(`/records/${body.id}`, 'gzip')
  expect(headers['etag']).toBeDefined()
  expect(headers['content-encoding']).toBeUndefined()
})
