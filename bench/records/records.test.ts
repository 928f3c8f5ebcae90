import { describe, expect, test } from 'vitest'
import { allowed, atMost, withRatio } from '../harness/rows.ts'
import { byKind } from './back-fill-rounds.ts'
import { copyLine } from './copy.ts'
import { csvLine } from './importing.ts'
import { isOwn } from './loading.ts'
import { scheduleOf } from './measure.ts'
import { type Person, personAt } from './people.ts'
import { differenceOf } from './verify.ts'
import { creatingMany, patching } from './write-requests.ts'

test('copyLine escapes tabs, newlines and backslashes in values', () =>
  expect(copyLine([1, 'a\tb\\c\nd', undefined, null, true])).toBe('1\ta\\tb\\\\c\\nd\t\\N\t\\N\ttrue\n'))

test('csvLine writes a cell for each attribute, in the format of the import', () => {
  const { name, email, revenue, ...rest } = personAt(7)
  const cells = csvLine({ name, email, revenue, ...rest })
    .trimEnd()
    .split(',')
  expect(cells).toHaveLength(16)
  expect(cells.slice(0, 2)).toEqual([`${name.firstName} ${name.lastName}`, email])
  expect(cells[6]).toBe(`${revenue.currency} ${revenue.amount}`)
})

test('byKind splits alternating latencies into gets and lists', () =>
  expect(byKind([1, 10, 2, 20, 3])).toEqual({ gets: [1, 2, 3], lists: [10, 20] }))

describe('writing', () => {
  const source = { address: { key: 'svc_key', slug: 'contacts' }, companies: 3 }
  const bodies = (requests: readonly { body?: string }[]) => requests.map(({ body = '' }) => JSON.parse(body))

  test('both sides create the same people, and each person once', () => {
    const make = creatingMany(source, 3)
    const [first, second] = [make(2), make(2)]
    const people = (requests: readonly { body?: string }[]) =>
      bodies(requests).flatMap(({ records }) => records.map(({ data }: { data: Person }) => data.email))
    const own = [...people(first.service), ...people(second.service)]
    expect(new Set(own).size).toBe(12)
    expect(
      bodies([...first.limit, ...second.limit]).flatMap((rows) => rows.map((row: Person) => row.email)),
    ).toEqual(own)
  })

  test('both sides patch the same records to the same values', () => {
    const { service, limit } = patching(source, ['a', 'b'])(3)
    expect(bodies(service).map(({ data }) => data)).toEqual(bodies(limit))
    expect(service.map(({ path }) => path.split('/').at(-1))).toEqual(
      limit.map(({ path }) => path.split('/').at(-1)),
    )
  })
})

describe('isOwn', () => {
  test.each([
    [1000, 1000],
    [2000, 500],
    [100, 0],
    [3, 1000],
  ])('picks %d records and leaves %d others', (records, background) => {
    const picked = Array.from({ length: records + background }, (_, place) =>
      isOwn(place, { records, backgroundRecords: background }),
    )
    expect(picked.filter(Boolean)).toHaveLength(records)
  })
})

describe('scheduleOf', () => {
  test.each([
    ['fast requests: the maximum of rounds and requests', 0.5, { rounds: 5, requests: 20 }],
    ['slower requests: as many as the time allows', 50, { rounds: 5, requests: 10 }],
    ['slow requests: fewer rounds', 900, { rounds: 2, requests: 1 }],
    ['very slow requests: two rounds of one request', 60_000, { rounds: 2, requests: 1 }],
    ['requests that take no time: the maximum', 0, { rounds: 5, requests: 20 }],
  ])('%s', (_, slowestMs, expected) =>
    expect(scheduleOf(slowestMs, { seconds: 5, rounds: 5 })).toEqual(expected),
  )

  test('one round when the options set one', () =>
    expect(scheduleOf(60_000, { seconds: 5, rounds: 1 })).toEqual({ rounds: 1, requests: 1 }))
})

describe('rows', () => {
  const times = { case: 'list', unit: 'ms', ours: 3, limit: 2 }

  test('withRatio divides the figure by the limit', () =>
    expect(withRatio(times)).toMatchObject({ figure: 3, limit: 2, ratio: 1.5, target: null, met: null }))

  test.each([
    [1.5, 0, true],
    [1.4, 0, false],
    [1.4, 3, true],
    [1.4, 2.9, false],
  ])('atMost with target %d and enough %d: met is %j', (target, enough, met) =>
    expect(atMost(times, target, enough)).toMatchObject({ target, met }),
  )

  test('atMost with a limit of zero is met only by `enough`', () => {
    expect(atMost({ ...times, limit: 0 }, 1.5)).toMatchObject({ ratio: null, met: false })
    expect(atMost({ ...times, limit: 0 }, 1.5, 3)).toMatchObject({ met: true })
  })

  test('allowed uses its bound as the limit', () =>
    expect(allowed('list', 'ms', 3, 15)).toMatchObject({ limit: 15, ratio: 0.2, target: 1, met: true }))
})

describe('differenceOf', () => {
  const page = (ids: string[], total?: number) => ({
    records: ids.map((id) => ({ id })),
    pagination: total === undefined ? {} : { total },
  })

  test.each([
    ['returns undefined for equal pages', page(['a', 'b'], 2), page(['a', 'b'], 2), undefined],
    ['returns undefined for equal pages without totals', page(['a']), page(['a']), undefined],
    ['finds a different order', page(['b', 'a'], 2), page(['a', 'b'], 2), 'record 0 is b, in the limit a'],
    ['finds a missing record', page(['a'], 2), page(['a', 'b'], 2), 'record 1 is undefined, in the limit b'],
    ['finds an additional record', page(['a', 'b'], 2), page(['a'], 2), '2 records, in the limit 1'],
    ['finds a different total', page(['a'], 2), page(['a'], 1), 'the total is 2, in the limit 1'],
  ])('%s', (_, service, limit, expected) => expect(differenceOf(service, limit)).toBe(expected))
})
