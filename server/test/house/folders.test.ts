import { expect, test } from 'vitest'
import { floorsOf, fromLowest, type Imports, largestCircle } from './folders.ts'

const importsOf = (of: Record<string, Record<string, number>>): Imports =>
  new Map(Object.entries(of).map(([from, to]) => [from, new Map(Object.entries(to))]))

const HOUSE = importsOf({
  api: { records: 3, http: 1 },
  records: { db: 9, http: 2 },
  http: { db: 1 },
  db: {},
})

test('folders without cycles have as many levels as their longest chain of imports, and no upward imports', () => {
  expect(fromLowest(HOUSE)).toEqual(['db', 'http', 'records', 'api'])
  expect(floorsOf(HOUSE)).toEqual({ floors: 4, upward: [] })
  expect(largestCircle(HOUSE)).toEqual([])
})

test('imports within a folder are not a cycle', () => {
  expect(floorsOf(importsOf({ api: { api: 2, db: 1 }, db: {} }))).toEqual({ floors: 2, upward: [] })
})

test('in a cycle the direction with fewer imports counts as upward', () => {
  const circle = importsOf({
    records: { engine: 9, db: 1 },
    engine: { records: 2, db: 1 },
    db: { context: 1 },
    context: { records: 1 },
  })
  expect(largestCircle(circle)).toEqual(['context', 'db', 'engine', 'records'])
  const { upward } = floorsOf(circle)
  expect(upward).toContain('engine → records')
  expect(upward).not.toContain('records → engine')
})
