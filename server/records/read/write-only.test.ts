import { expect, test } from 'vitest'
import { expectError } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()

const RECORDS = '/objects/people/records'
const SECRET = 'Unseen'

/** Creates a record with a value that the write-only key did not send. */
async function setUp() {
  const org = await service.org()
  const key = await org.keyWith(['records:write'])
  const asKey = { authorization: `Bearer ${key}` }
  const make = async (data: object) => (await org.post<{ id: string }>(RECORDS, { data })).body.id
  const ada = await make({ name: 'Ada', email: 'ada@example.com', job_title: SECRET })
  return { org, asKey, make, ada }
}

test('a key that only writes records receives ids, versions and the values that it sent', async () => {
  const { org, asKey, ada } = await setUp()
  const made = await org.post(RECORDS, { data: { name: 'Bob', phone: null } }, asKey)
  expect(made).toMatchObject({ status: 201, body: { id: expect.any(String), version: 1 } })
  expect(made.body['data']).toEqual({ name: 'Bob' })
  const patched = await org.patch(`${RECORDS}/${ada}`, { data: { phone: '+1 555 867 5309' } }, asKey)
  expect(patched.body).toMatchObject({ id: ada, version: 2 })
  expect(patched.body['data']).toEqual({ phone: '+1 555 867 5309' })
  expect((await org.patch(`${RECORDS}/${ada}`, {}, asKey)).body['data']).toEqual({})
  const deal = { name: 'Deal', amount: { amount: 5, currency: 'EUR' } }
  const { body } = await org.post<{ id: string }>('/objects/deals/records', { data: deal })
  const bare = await org.patch(`/objects/deals/records/${body.id}`, { data: { amount: 7 } }, asKey)
  expect(bare.body['data']).toEqual({ amount: 7 })
  const read = await org.get(`${RECORDS}/${ada}`)
  expect(read.body['data']).toMatchObject({ job_title: SECRET, phone: '+1 555 867 5309' })
})

test('no response or error for a key that only writes contains stored values of a record', async () => {
  const { org, asKey, make, ada } = await setUp()
  const texts: string[] = []
  const ask = async (path: string, body?: object) => {
    const reply = await org.post(path, body, asKey)
    texts.push(JSON.stringify(reply.body))
    return reply
  }
  const other = await make({ name: 'Ada L', job_title: SECRET })
  const taken = await ask(RECORDS, { data: { name: 'C', email: 'ADA@example.com' } })
  expectError(taken, 'unique_violation')
  expect(taken.body['details']).toEqual({ attributeSlug: 'email', existingRecordId: ada })
  await ask(`${RECORDS}/bulk`, { records: [{ data: { name: 'C', email: 'ada@example.com' } }] })
  await org.patch(`${RECORDS}/${ada}`, { data: { job_title: `${SECRET} 2` } })
  const undo = await ask(`${RECORDS}/${ada}/undo?dryRun=true`, { version: 2 })
  expect(undo.body).toMatchObject({ changes: { job_title: {} }, record: { data: {} } })
  await org.patch(`${RECORDS}/${ada}`, { data: { job_title: `${SECRET} 3` } })
  const conflict = await ask(`${RECORDS}/${ada}/undo`, { version: 2 })
  expect(conflict.body).toMatchObject({ conflicts: [{ attributeSlug: 'job_title', code: 'value_changed' }] })
  const merged = await ask(`${RECORDS}/merge`, { winnerId: ada, loserIds: [other] })
  expect(merged.status).toBe(200)
  await ask(`/objects/people/merges/${String(merged.body['mergeId'])}/undo`)
  await org.delete(`${RECORDS}/${ada}`)
  await ask(`/objects/people/trash/${ada}/restore?dryRun=true`)
  const restored = await ask(`/objects/people/trash/${ada}/restore`)
  expect(restored.body).toMatchObject({ record: { id: ada, data: {} } })
  for (const text of texts) expect(text).not.toMatch(new RegExp(`${SECRET}|Ada`))
})
