import { expect, test } from 'vitest'
import { latestRecords, mapRecords } from './held-records.ts'
import { addUnsaved } from './unsaved-values.ts'

const record = (id: string, version: number, name: string) => ({ id, version, data: { name } })
const list = (...records: unknown[]) => ({ records, pagination: { total: records.length } })
const one = (body: unknown) => ({ etag: '"1"', body })
const pages = (...ones: unknown[]) => ({ pages: ones, pageParams: [] })

const [older, newer] = [record('r1', 1, 'Lamp'), record('r1', 2, 'Light')]
const other = record('r2', 5, 'Desk')

test.each([
  ['a list', list(newer, other), list(older, other)],
  ['pages', pages(list(other), list(newer)), pages(list(other), list(older))],
  ['one record', one(newer), one(older)],
])('keeps the newer cached record when an older one is received: %s', (_, before, after) => {
  expect(latestRecords(before, after)).toBe(before)
})

test.each([
  ['a list', list(older, other), list(newer, other)],
  ['pages', pages(list(older)), pages(list(newer))],
  ['one record', one(older), one(newer)],
  ['a list of other records', list(other), list(newer)],
  ['nothing', undefined, list(newer)],
  ['numbers', { total: 7 }, { total: 6 }],
])('takes newer data: %s', (_, before, after) => {
  expect(latestRecords(before, after)).toEqual(after)
})

test('keeps the object identity of unchanged records, so that they are not rendered again', () => {
  const before = list(older, other)
  const after = latestRecords(before, list(newer, record('r2', 5, 'Desk')))
  expect(after).toMatchObject({ records: [newer, other] })
  expect((after as typeof before).records[1]).toBe(other)
})

test('keeps unsaved values when a response is received, also a newer one', () => {
  const settle = addUnsaved({ recordId: 'r1', slug: 'name', value: 'Lantern' })
  expect(latestRecords(list(older), list(newer))).toEqual(list(record('r1', 2, 'Lantern')))
  settle()
  expect(latestRecords(list(older), list(newer))).toEqual(list(newer))
})

test('keeps the object identity of data without changed records', () => {
  const held = list(older)
  expect(mapRecords(held, (found) => found)).toBe(held)
  expect(mapRecords(one(older), () => newer as never)).toEqual(one(newer))
})
