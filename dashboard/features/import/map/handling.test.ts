import { expect, test } from 'vitest'
import type { ImportProblemGroup } from '../../../../contract/imports.ts'
import { attributeOf } from '../../../shared/api/attribute.fixture.ts'
import { problemColumns, withChoice } from './handling.ts'

const attribute = (slug: string, more: Parameters<typeof attributeOf>[0] = {}) =>
  attributeOf({ id: slug, objectId: 'people', name: slug, slug, ...more })

const INTO = {
  id: 'people',
  attributes: [
    attribute('name', { isRequired: true }),
    attribute('email', { type: 'email', isUnique: true }),
    attribute('phone', { type: 'phone_number' }),
    attribute('company', { type: 'reference', config: { allowed_object_id: 'companies' } }),
  ],
}

const MAPPING = ['name', 'email', 'phone', 'company'].map((attributeSlug, index) => ({
  index,
  attributeSlug,
}))

const FILE = {
  columns: MAPPING.map(({ index, attributeSlug }) => ({
    index,
    header: `The ${attributeSlug}`,
    samples: [],
  })),
  mapping: MAPPING,
  matchOn: 'email',
}

const group = (slug: string, code: string, rows = 1): ImportProblemGroup => ({
  ...{ column: `The ${slug}`, index: 0, value: 'x', code, message: '', isSkipped: false },
  ...{ rows, lines: [2] },
})

test('offers to skip invalid cells, and to create the missing records of references', () => {
  const groups = [
    group('phone', 'invalid_phone_number', 2),
    group('phone', 'invalid_phone_number', 3),
    group('company', 'invalid_reference'),
  ]
  const columns = problemColumns(FILE, { groups }, INTO)
  expect(columns.map(({ header, rows, choices }) => [header, rows, choices])).toEqual([
    ['The phone', 5, ['skip', 'fail']],
    ['The company', 1, ['create', 'skip', 'fail']],
  ])
})

test('offers no choice for required attributes, the matching attribute and taken values', () => {
  const groups = [
    group('name', 'invalid_name'),
    group('email', 'invalid_email'),
    group('phone', 'unique_violation'),
    group('company', 'required'),
  ]
  expect(problemColumns(FILE, { groups }, INTO)).toEqual([])
})

test('cells of a required attribute with a default can be skipped', () => {
  const attributes = INTO.attributes.map((one) => (one.slug === 'name' ? { ...one, defaultValue: 'N' } : one))
  const columns = problemColumns(FILE, { groups: [group('name', 'invalid_name')] }, { ...INTO, attributes })
  expect(columns.map(({ header, choices }) => [header, choices])).toEqual([['The name', ['skip', 'fail']]])
})

test('a choice changes only its column', () => {
  expect(withChoice(MAPPING, 2, 'skip').map(({ onProblem }) => onProblem)).toEqual([
    undefined,
    undefined,
    'skip',
    undefined,
  ])
})
