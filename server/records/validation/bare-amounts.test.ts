// An amount without a currency gets the organization's currency on create, and the record's currency on update.
import { expect, test } from 'vitest'
import type { BulkResult, CrmRecord } from '../../../contract/records.ts'
import { createRecord, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()

const DEALS = '/objects/deals/records'
const euros = (amount: number) => ({ amount, currency: 'EUR' })

const dealOf = async (org: Org, data: Record<string, unknown>): Promise<string> =>
  (await createRecord(org, 'deals', { name: 'Deal', ...data })).id
const read = async (org: Org, id: string) => (await org.get<CrmRecord>(`${DEALS}/${id}`)).body.data

test('create takes the currency of the organization', async () => {
  const org = await service.org()
  expect((await read(org, await dealOf(org, { amount: 600 })))['amount']).toEqual({
    amount: 600,
    currency: 'USD',
  })
})

test.each([600, '600', '600.00'])(
  'PATCH with the amount %j keeps the currency of the record',
  async (amount) => {
    const org = await service.org()
    const id = await dealOf(org, { amount: euros(500) })
    const { body } = await org.patch<CrmRecord>(`${DEALS}/${id}`, { data: { amount } })
    expect(body.data['amount']).toEqual(euros(600))
    expect((await org.events()).at(-1)).toMatchObject({ type: 'record.updated' })
  },
)

test('the same amount without a currency changes nothing', async () => {
  const org = await service.org()
  const id = await dealOf(org, { amount: euros(500) })
  await org.patch(`${DEALS}/${id}`, { data: { amount: 500 } })
  expect((await org.events()).map(({ type }) => type)).toEqual(['record.created'])
})

test('PATCH of a record without a value takes the currency of the organization', async () => {
  const org = await service.org()
  const id = await dealOf(org, {})
  await org.patch(`${DEALS}/${id}`, { data: { amount: 7 } })
  expect((await read(org, id))['amount']).toEqual({ amount: 7, currency: 'USD' })
})

test('a sent currency replaces the stored one, and amounts keep every digit', async () => {
  const org = await service.org()
  const id = await dealOf(org, { amount: euros(500) })
  await org.patch(`${DEALS}/${id}`, {
    data: { amount: { amount: '12345678901234567.1234', currency: 'CHF' } },
  })
  await org.patch(`${DEALS}/${id}`, { data: { amount: '12345678901234568.1234' } })
  const url = `/api/v1${DEALS}/${id}`
  const { payload } = await service.inject({ url, headers: { authorization: `Bearer ${org.key}` } })
  expect(payload).toContain('"amount": {"amount": 12345678901234568.1234, "currency": "CHF"}')
})

test('bulk upsert keeps the currency, by id and by matchOn', async () => {
  const org = await service.org()
  await org.post('/objects/deals/attributes', { name: 'Number', type: 'text', isUnique: true })
  const id = await dealOf(org, { amount: euros(500), number: 'a' })
  await org.post(`${DEALS}/bulk`, { mode: 'upsert', records: [{ id, data: { amount: 600 } }] })
  expect((await read(org, id))['amount']).toEqual(euros(600))
  const { body } = await org.post<BulkResult>(`${DEALS}/bulk`, {
    mode: 'upsert',
    matchOn: 'number',
    records: [
      { data: { name: 'Deal', number: 'a', amount: 700 } },
      { data: { name: 'New', number: 'b', amount: 800 } },
      { data: { name: 'New', number: 'b', amount: '900' } },
    ],
  })
  expect(body).toMatchObject({ created: 1, updated: 2 })
  expect((await read(org, id))['amount']).toEqual(euros(700))
  const made = body.results[1]?.id ?? ''
  expect((await read(org, made))['amount']).toEqual({ amount: 900, currency: 'USD' })
})

test('a list of amounts keeps the currency that its elements share', async () => {
  const org = await service.org()
  await org.post('/objects/deals/attributes', { name: 'Rates', type: 'currency', isList: true })
  const id = await dealOf(org, { rates: [euros(1), euros(2)] })
  await org.patch(`${DEALS}/${id}`, { data: { rates: [3, euros(3), { amount: 3, currency: 'USD' }, 4] } })
  expect((await read(org, id))['rates']).toEqual([euros(3), { amount: 3, currency: 'USD' }, euros(4)])
  await org.patch(`${DEALS}/${id}`, { data: { rates: [5] } })
  expect((await read(org, id))['rates']).toEqual([{ amount: 5, currency: 'USD' }])
})

test('amounts sent during changes of the currency get the old or the new currency, never the default', async () => {
  const org = await service.org()
  const id = await dealOf(org, { amount: euros(0) })
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, turn) => {
      const amount = turn % 3 === 0 ? { amount: turn, currency: turn % 2 ? 'CHF' : 'EUR' } : turn + 1
      return org.patch<CrmRecord>(`${DEALS}/${id}`, { data: { amount } })
    }),
  )
  expect(replies.map(({ status }) => status)).toEqual(Array(30).fill(200))
  const amounts = (await org.events()).map(({ data }) => data['amount'] as { currency: string })
  expect(amounts.length).toBeGreaterThan(20)
  expect(amounts.map(({ currency }) => currency)).not.toContain('USD')
})
