// Filters by id, creation and change give the same results as a model in plain JavaScript: in search, and in memory for
// triggers.
import { describe, expect, test } from 'vitest'
import { bodyOf, expectError } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { matchesFilter } from './matches.ts'

const service = await sharedTestService()
const THINGS = '/objects/things/records'

interface Row {
  id: string
  createdAt: string
  updatedAt: string
}

const search = (body: object) => org.post<{ records: Row[]; error?: string }>(`${THINGS}/search`, body)

const filterOf = (attributeSlug: string, operator: string, value: unknown) => ({
  attributeSlug,
  operator,
  value,
})

async function foundIds(filter: object): Promise<string[]> {
  const body = bodyOf(await search({ filter, limit: 100 }))
  return body.records.map(({ id }) => id).toSorted()
}

const org = await service.org()
await org.post('/objects', { pluralName: 'Things', singularName: 'Thing' })
await org.post('/objects/things/attributes', { name: 'Name', type: 'text' })
for (const name of ['One', 'Two', 'Three', 'Four']) await org.post(THINGS, { data: { name } })
const { body } = await org.get<{ records: Row[] }>(THINGS)
for (const { id } of body.records.slice(1, 3)) await org.patch(`${THINGS}/${id}`, { data: { name: 'New' } })
const rows = (await org.get<{ records: Row[] }>(THINGS)).body.records

const DAY_MS = 86_400_000
const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/**
 * The times of the first two records, the milliseconds before and after them, and the days before, of and after the
 * first.
 */
function operands(field: 'createdAt' | 'updatedAt'): string[] {
  const times = rows.slice(0, 2).map((row) => Date.parse(row[field]))
  const [first = 0] = times
  return [
    ...times.flatMap((ms) => [ms - 1, ms, ms + 1]).map((ms) => new Date(ms).toISOString()),
    ...[-DAY_MS, 0, DAY_MS].map((off) => dayAt(first + off)),
  ]
}

type Compare = (value: string, operand: string) => boolean

/** A day is compared with the day of the time, a time with the time. */
const order: (value: string, operand: string) => number = (value, operand) => {
  const compared = value.slice(0, operand.length)
  return compared < operand ? -1 : compared > operand ? 1 : 0
}

const MODEL: Record<string, Compare> = {
  equals: (value, operand) => order(value, operand) === 0,
  notEquals: (value, operand) => order(value, operand) !== 0,
  greaterThan: (value, operand) => order(value, operand) > 0,
  greaterThanOrEqual: (value, operand) => order(value, operand) >= 0,
  lessThan: (value, operand) => order(value, operand) < 0,
  lessThanOrEqual: (value, operand) => order(value, operand) <= 0,
}

const FIELDS = [
  ['created_at', 'createdAt'],
  ['updated_at', 'updatedAt'],
] as const

describe.each(FIELDS)('%s', (slug, field) => {
  const idsWhere = (isMet: (time: string) => boolean) =>
    rows.flatMap((row) => (isMet(row[field]) ? row.id : [])).toSorted()

  async function expectFound(filter: object, isMet: (time: string) => boolean) {
    expect(await foundIds(filter), JSON.stringify(filter)).toEqual(idsWhere(isMet))
    const context = { data: {}, attributes: new Map(), locale: { country: 'US', currency: 'USD' } }
    const matched = rows.filter(({ id, updatedAt }) =>
      matchesFilter(filter, {
        ...context,
        record: { id, updatedMs: Date.parse(updatedAt), createdBy: null },
      }),
    )
    expect(matched.map(({ id }) => id).toSorted(), JSON.stringify(filter)).toEqual(idsWhere(isMet))
  }

  test.each(Object.entries(MODEL))('%s compares with a day in UTC or a time', async (operator, meets) => {
    for (const operand of operands(field))
      await expectFound(filterOf(slug, operator, operand), (time) => meets(time, operand))
  })

  test('between, in, notIn, isEmpty and isNotEmpty match by time', async () => {
    const [before = '', at = ''] = operands(field)
    const [yesterday = '', today = '', tomorrow = ''] = operands(field).slice(-3)
    await expectFound(
      filterOf(slug, 'between', [before, at]),
      (t) => order(t, before) >= 0 && order(t, at) <= 0,
    )
    await expectFound(filterOf(slug, 'between', [yesterday, tomorrow]), () => true)
    await expectFound(filterOf(slug, 'in', [at, yesterday]), (time) => order(time, at) === 0)
    await expectFound(filterOf(slug, 'notIn', [at, yesterday]), (time) => order(time, at) !== 0)
    await expectFound(filterOf(slug, 'notIn', [today]), (time) => order(time, today) !== 0)
    await expectFound(filterOf(slug, 'isEmpty', true), () => false)
    await expectFound(filterOf(slug, 'isNotEmpty', true), () => true)
  })

  test('the query string accepts a time with an offset', async () => {
    const [first] = rows
    const time = first?.[field].replace('Z', '+00:00') ?? ''
    const query = `filter[${slug}][greaterThanOrEqual]=${encodeURIComponent(time)}`
    const { body } = await org.get<{ records: Row[] }>(`${THINGS}?${query}`)
    expect(body.records.map(({ id }) => id).toSorted()).toEqual(
      idsWhere((one) => order(one, first?.[field] ?? '') >= 0),
    )
  })

  test.each(['0001-01-01', '9999-12-31', '0001-01-01T00:00:00+23:59'])('%s is accepted', async (operand) => {
    await expectFound(filterOf(slug, 'lessThan', operand), () => operand.startsWith('9999'))
  })

  test.each(['yesterday', '2026-02-30', '2026-11-20T10:00:00', 7])('%s is rejected', async (operand) => {
    const reply = await search({ filter: filterOf(slug, 'equals', operand) })
    expectError(reply, 'invalid_filter')
    expect(reply.body).toMatchObject({
      details: {
        errors: [
          { path: 'filter', code: 'wrong_operand', message: expect.stringContaining('2026-11-20T10:00:00Z') },
        ],
      },
    })
  })
})

describe('id', () => {
  test('equals, notEquals, in and notIn match records by id', async () => {
    const [first, second, ...others] = rows.map(({ id }) => id)
    const rest = others.toSorted()
    expect(await foundIds(filterOf('id', 'equals', first?.toUpperCase()))).toEqual([first])
    expect(await foundIds(filterOf('id', 'in', [first, second]))).toEqual([first, second].toSorted())
    expect(await foundIds(filterOf('id', 'notIn', [first, second]))).toEqual(rest)
    expect(await foundIds(filterOf('id', 'notEquals', first))).toEqual([second, ...rest].toSorted())
    expect(await foundIds(filterOf('id', 'isEmpty', true))).toEqual([])
  })

  test.each([
    ['equals', 'one', 'wrong_operand'],
    ['in', [], 'wrong_operand'],
    ['contains', 'a', 'operator_not_defined'],
  ])('%s %j is rejected', async (operator, operand, code) => {
    const reply = await search({ filter: filterOf('id', operator, operand) })
    expectError(reply, 'invalid_filter')
    expect(reply.body).toMatchObject({ details: { errors: [{ path: 'filter', code }] } })
  })
})

test('a tree combines filters on record fields and on attributes', async () => {
  const [first] = rows
  const tree = { or: [filterOf('id', 'equals', first?.id), filterOf('name', 'equals', 'New')] }
  const expected = new Set([first?.id, ...(await foundIds(filterOf('name', 'equals', 'New')))])
  expect(await foundIds(tree)).toEqual([...expected].toSorted())
})
