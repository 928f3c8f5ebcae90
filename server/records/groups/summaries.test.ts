import { beforeAll, describe, expect, test } from 'vitest'
import type { SummaryList } from '../../../contract/summaries.ts'
import { bodyOf, expectError } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { indexEmptyObject } from '../engine/indexed.fixture.ts'

const service = await sharedTestService()
const SUMMARIES = '/objects/deals/records/summaries'
const org = await service.org()
const other = await service.org()
const money = (amount: unknown, currency = 'USD') => ({ amount, currency })

async function fill({ isIndexed }: { isIndexed: boolean }) {
  const one = await service.org()
  for (const attribute of [
    { name: 'Hot', type: 'checkbox' },
    { name: 'Seats', type: 'number' },
    { name: 'Marks', type: 'text', isList: true },
  ])
    expect((await one.post('/objects/deals/attributes', attribute)).status).toBe(201)
  const { body } = await one.get<{ id: string }>('/objects/deals')
  if (isIndexed) await indexEmptyObject(service.ctx.db, body.id, { texts: 'values', keepsMissing: true })
  const deals = [
    { name: 'a', stage: 'Won', hot: true, amount: money('0.1'), close_date: '2026-11-01', seats: 1.5 },
    { name: 'b', stage: 'Won', hot: true, amount: money('0.2'), close_date: '2025-11-30', seats: 2 },
    {
      name: 'c',
      stage: 'Won',
      hot: false,
      amount: money(5, 'EUR'),
      close_date: '2026-01-31',
      marks: ['x', 'y'],
    },
    { name: 'd', stage: 'Lead', amount: money('12345678901234567890.1234'), seats: -4, marks: [] },
    { name: 'e' },
  ]
  for (const data of deals) expect((await one.post('/objects/deals/records', { data })).status).toBe(201)
  return one
}

const WANTED: [string, string, [string | null, string][]][] = [
  [
    'amount',
    'sum',
    [
      ['EUR', '5'],
      ['USD', '12345678901234567890.4234'],
    ],
  ],
  [
    'amount',
    'average',
    [
      ['EUR', '5'],
      ['USD', '4115226300411522630.1411333333'],
    ],
  ],
  [
    'amount',
    'min',
    [
      ['EUR', '5'],
      ['USD', '0.1'],
    ],
  ],
  [
    'amount',
    'max',
    [
      ['EUR', '5'],
      ['USD', '12345678901234567890.1234'],
    ],
  ],
  ['amount', 'filled', [[null, '4']]],
  ['amount', 'empty', [[null, '1']]],
  ['seats', 'sum', [[null, '-0.5']]],
  ['seats', 'average', [[null, '-0.1666666667']]],
  ['seats', 'min', [[null, '-4']]],
  ['seats', 'max', [[null, '2']]],
  ['close_date', 'min', [[null, '2025-11-30']]],
  ['close_date', 'max', [[null, '2026-11-01']]],
  ['hot', 'checked', [[null, '2']]],
  ['hot', 'empty', [[null, '2']]],
  ['marks', 'filled', [[null, '1']]],
  ['marks', 'empty', [[null, '4']]],
  ['company', 'filled', [[null, '0']]],
  ['name', 'filled', [[null, '5']]],
]

describe.each([false, true])('POST /objects/:objectId/records/summaries, indexed: %s', (isIndexed) => {
  let deals: Awaited<ReturnType<typeof fill>>
  beforeAll(async () => {
    deals = await fill({ isIndexed })
  })

  const ask = async (summaries: { attributeSlug: string; summary: string }[], rest: object = {}) =>
    bodyOf(await deals.post<SummaryList>(SUMMARIES, { summaries, ...rest }))

  const values = ({ summaries }: SummaryList) =>
    summaries.map((one) => [
      one.attributeSlug,
      one.summary,
      one.values.map(({ currency, value }) => [currency, value]),
    ])

  test('returns all summaries of one request, in the requested order', async () => {
    const answer = await ask(WANTED.map(([attributeSlug, summary]) => ({ attributeSlug, summary })))
    expect(answer.count).toBe(5)
    expect(values(answer)).toEqual(WANTED)
  })

  test.each(WANTED)('%s: returns only %s', async (attributeSlug, summary, expected) => {
    const answer = await ask([{ attributeSlug, summary }])
    expect(answer.count).toBe(5)
    expect(values(answer)).toEqual([[attributeSlug, summary, expected]])
  })

  test('summarizes only matching records, and returns no values without records', async () => {
    const filter = { attributeSlug: 'stage', operator: 'equals', value: 'Won' }
    for (const body of [{ filter }, { filters: [filter] }]) {
      const answer = await ask(
        [
          { attributeSlug: 'amount', summary: 'max' },
          { attributeSlug: 'hot', summary: 'checked' },
        ],
        body,
      )
      expect(answer.count).toBe(3)
      expect(values(answer)).toEqual([
        [
          'amount',
          'max',
          [
            ['EUR', '5'],
            ['USD', '0.2'],
          ],
        ],
        ['hot', 'checked', [[null, '2']]],
      ])
    }
    const none = { attributeSlug: 'stage', operator: 'equals', value: 'Lost' }
    const answer = await ask(
      [
        { attributeSlug: 'seats', summary: 'sum' },
        { attributeSlug: 'name', summary: 'empty' },
      ],
      { filter: none },
    )
    expect(answer.count).toBe(0)
    expect(values(answer)).toEqual([
      ['seats', 'sum', []],
      ['name', 'empty', [[null, '0']]],
    ])
  })
})

describe('POST /objects/:objectId/records/summaries', () => {
  test.each([
    [{}, 'summaries', 'required'],
    [{ summaries: [] }, 'summaries', 'minItems'],
    [
      { summaries: [{ attributeSlug: 'x', summary: 'sum' }] },
      'summaries[0].attributeSlug',
      'unknown_attribute',
    ],
    [{ summaries: [{ attributeSlug: 'name', summary: 'sum' }] }, 'summaries[0].summary', 'wrong_type'],
    [
      { summaries: [{ attributeSlug: 'close_date', summary: 'average' }] },
      'summaries[0].summary',
      'wrong_type',
    ],
    [{ summaries: [{ attributeSlug: 'name', summary: 'median' }] }, 'summaries[0].summary', 'enum'],
  ] as const)('refuses %j', async (body, path, code) => {
    const reply = await org.post(SUMMARIES, body)
    expectError(reply, 'validation_error')
    const { errors } = reply.body['details'] as { errors: { path: string; code: string }[] }
    expect(errors[0]).toMatchObject({ path, code })
  })

  test('refuses an invalid filter and an object of another organization', async () => {
    const summaries = [{ attributeSlug: 'name', summary: 'filled' }]
    const filter = { attributeSlug: 'x', operator: 'equals', value: '1' }
    expectError(await org.post(SUMMARIES, { summaries, filter }), 'invalid_filter')
    const { body } = await other.get('/objects/deals')
    expectError(await org.post(`/objects/${body['id']}/records/summaries`, { summaries }), 'not_found')
  })
})
