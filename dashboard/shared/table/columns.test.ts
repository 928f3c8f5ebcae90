import { describe, expect, test } from 'vitest'
import { attributeOf } from '../api/attribute.fixture.ts'
import type { Attribute } from '../api/objects.ts'
import { chosenColumns, moveColumn, nudgeColumn, tableColumns } from './columns.ts'

const attribute = (slug: string, type: Attribute['type'], displayOrder: number) =>
  attributeOf({ id: slug, name: slug, slug, type, displayOrder, isNaming: slug === 'name' })
const ATTRIBUTES = [
  attribute('email', 'email', 0),
  attribute('name', 'name', 1),
  attribute('age', 'number', 2),
]
const slugs = (columns: readonly { slug: string }[]) => columns.map(({ slug }) => slug).join()

describe('tableColumns', () => {
  test('are all possible columns, with the name first', () => {
    expect(slugs(tableColumns(ATTRIBUTES, []))).toBe('name,email,age,created_at,updated_at')
  })

  test('start with the id if no attribute names the records', () => {
    expect(slugs(tableColumns([attribute('age', 'number', 0)], []))).toBe('id,age,created_at,updated_at')
  })

  test('follow the view: deleted attributes are omitted, new ones are hidden', () => {
    const chosen = [
      { slug: 'age', width: 90 },
      { slug: 'deleted' },
      { slug: 'name', width: 300, isHidden: true },
    ]
    const columns = tableColumns(ATTRIBUTES, chosen)
    expect(slugs(columns)).toBe('name,age,email,created_at,updated_at')
    expect(slugs(columns.filter(({ isHidden }) => !isHidden))).toBe('name,age')
    expect(columns.slice(0, 2).map(({ width }) => width)).toEqual([300, 90])
  })

  test('are restored from chosenColumns', () => {
    const columns = tableColumns(ATTRIBUTES, [{ slug: 'age', width: 90 }])
    expect(tableColumns(ATTRIBUTES, chosenColumns(columns))).toEqual(columns)
  })
})

const COLUMNS = tableColumns(ATTRIBUTES, [
  { slug: 'email' },
  { slug: 'age', isHidden: true },
  { slug: 'created_at' },
])

test.each([
  ['email', 'created_at', 'name,age,created_at,email,updated_at'],
  ['created_at', 'email', 'name,created_at,email,age,updated_at'],
  ['name', 'email', 'name,email,age,created_at,updated_at'],
  ['email', 'name', 'name,email,age,created_at,updated_at'],
])('moveColumn %s onto %s', (slug, onto, expected) => {
  expect(slugs(moveColumn(COLUMNS, slug, onto))).toBe(expected)
})

test('nudgeColumn skips hidden columns and stops at both ends', () => {
  expect(slugs(nudgeColumn(COLUMNS, 'email', 1))).toBe('name,age,created_at,email,updated_at')
  expect(slugs(nudgeColumn(COLUMNS, 'email', -1))).toBe(slugs(COLUMNS))
  expect(slugs(nudgeColumn(COLUMNS, 'created_at', 1))).toBe(slugs(COLUMNS))
})
