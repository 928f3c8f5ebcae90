import { beforeAll, describe, expect, test } from 'vitest'
import type { SignedInMember } from '../../test/dashboard-client.ts'
import { bodyOf, createRecord, expectError } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()
const GROUPS = '/objects/deals/records/groups'

interface Groups {
  groups: { value: string | null; count: number; sums: { currency: string | null; sum: string }[] }[]
  isComplete: boolean
}

describe('POST /objects/:objectId/records/groups', () => {
  let mia: SignedInMember
  let acme: string

  beforeAll(async () => {
    const org = await service.org()
    const olivia = await org.member('owner')
    mia = await org.member('member')
    await olivia.post('/objects/deals/attributes', { name: 'Hot', type: 'checkbox' })
    await olivia.post('/objects/deals/attributes', { name: 'Seats', type: 'number' })
    acme = (await createRecord(mia, 'companies', { name: 'Acme' })).id
    const money = (amount: unknown, currency = 'USD') => ({ amount, currency })
    const won = { stage: 'Won', hot: true, company: acme }
    await createRecord(mia, 'deals', {
      name: 'a',
      ...won,
      amount: money(10.1),
      close_date: '2026-11-01',
      seats: 1.5,
    })
    await createRecord(mia, 'deals', {
      name: 'b',
      ...won,
      amount: money(0.2),
      close_date: '2026-11-30',
      seats: 2,
    })
    await createRecord(mia, 'deals', {
      name: 'c',
      stage: 'Won',
      amount: money(5, 'EUR'),
      close_date: '2026-01-31',
    })
    await createRecord(mia, 'deals', { name: 'd', stage: 'Lead', hot: false })
    await createRecord(mia, 'deals', { name: 'e', amount: money('12345678901234567890.1234') })
  })

  const ask = async (body: object) => bodyOf(await mia.post<Groups>(GROUPS, body))

  test('groups by select with every option, and separates sums by currency', async () => {
    expect(await ask({ by: 'stage', sumOf: 'amount' })).toEqual({
      isComplete: true,
      groups: [
        { value: 'Lead', count: 1, sums: [] },
        { value: 'Qualified', count: 0, sums: [] },
        { value: 'Proposal', count: 0, sums: [] },
        {
          value: 'Won',
          count: 3,
          sums: [
            { currency: 'EUR', sum: '5' },
            { currency: 'USD', sum: '10.3' },
          ],
        },
        { value: 'Lost', count: 0, sums: [] },
        { value: null, count: 1, sums: [{ currency: 'USD', sum: '12345678901234567890.1234' }] },
      ],
    })
  })

  const counts = async (body: object) =>
    (await ask(body)).groups.map(({ value, count, sums }) => [value, count, ...sums.map(({ sum }) => sum)])

  test('groups by checkbox, date and reference', async () => {
    expect(await counts({ by: 'hot', sumOf: 'seats' })).toEqual([
      ['true', 2, '3.5'],
      ['false', 1],
      [null, 2],
    ])
    expect(await counts({ by: 'close_date' })).toEqual([
      ['2026-01', 1],
      ['2026-11', 2],
      [null, 2],
    ])
    expect(await counts({ by: 'company' })).toEqual([
      [acme, 2],
      [null, 3],
    ])
  })

  test('counts only records that match the filter', async () => {
    const filter = { attributeSlug: 'company', operator: 'equals', value: acme }
    for (const body of [{ filter }, { filters: [filter] }])
      expect(await counts({ by: 'close_date', ...body })).toEqual([['2026-11', 2]])
  })

  test.each([
    [{}, 'validation_error'],
    [{ by: 'nothing' }, 'validation_error'],
    [{ by: 'name' }, 'validation_error'],
    [{ by: 'stage', sumOf: 'name' }, 'validation_error'],
    [{ by: 'stage', filter: { attributeSlug: 'x', operator: 'equals', value: '1' } }, 'invalid_filter'],
  ] as const)('refuses %j', async (body, code) => {
    expectError(await mia.post(GROUPS, body), code)
  })
})
