import { describe, expect, test } from 'vitest'
import { attributeOf } from '../../../shared/api/attribute.fixture.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import {
  checkOf,
  clashOf,
  clearsEmpty,
  type Draft,
  draftLike,
  draftOf,
  keptReplacements,
  missingOf,
  naming,
  obstacleOf,
  sureness,
  withTarget,
} from './mapping.ts'

const attribute = (slug: string, more: Partial<Attribute> = {}) =>
  attributeOf({ id: slug, objectId: 'companies', name: slug, slug, ...more })

const ATTRIBUTES = [
  attribute('name', { isRequired: true }),
  attribute('domain', { isUnique: true }),
  attribute('address', { type: 'address' }),
]

const INTO = { id: 'companies', attributes: ATTRIBUTES }

const draft = (targets: string[], matchOn: string | null = null): Draft => ({
  targets,
  handling: targets.map(() => 'fail'),
  matchOn,
  duplicates: null,
  format: { dates: 'ymd', decimal: '.' },
  empty: 'keep',
  fixed: {},
})

const column = (index: number, header: string) => ({ index, header, samples: [] })
const FILE = {
  columns: [column(0, 'Company'), column(1, 'Web'), column(2, 'Town')],
  guess: {
    columns: [
      { index: 0, attributeSlug: 'name', confidence: 0.8, newAttribute: null },
      { index: 1, attributeSlug: null, confidence: 0, newAttribute: null },
      { index: 2, attributeSlug: 'address', part: 'city', confidence: 0.95, newAttribute: null },
    ],
    matchOn: null,
    format: { dates: 'dmy', decimal: ',' },
  },
  mapping: null,
  matchOn: null,
  duplicates: null,
  format: null,
  empty: null,
  fixedValues: [],
} as const

describe('the draft', () => {
  test('starts with the guess', () => {
    expect(draftOf(FILE as never, INTO)).toEqual({
      targets: ['name', '', 'address.city'],
      handling: ['fail', 'fail', 'fail'],
      duplicates: null,
      matchOn: null,
      format: { dates: 'dmy', decimal: ',' },
      empty: 'keep',
      fixed: {},
    })
  })

  test('restores the checked mapping, even if the guess maps more columns', () => {
    const mapping = [{ index: 1, attributeSlug: 'domain', onProblem: 'skip' }]
    const format = { dates: 'mdy', decimal: '.' } as const
    const fixedValues = [{ attributeSlug: 'owner', value: 'ada' }]
    const checked = { ...FILE, mapping, matchOn: 'domain', format, empty: 'clear', fixedValues }
    expect(draftOf(checked as never, INTO)).toEqual({
      targets: ['', 'domain', ''],
      handling: ['fail', 'skip', 'fail'],
      duplicates: null,
      matchOn: 'domain',
      format,
      empty: 'clear',
      fixed: { owner: 'ada' },
    })
  })

  test('applies an earlier mapping by header to a file with other columns', () => {
    const earlier = {
      ...FILE,
      mapping: [
        { index: 0, attributeSlug: 'name' },
        { index: 1, attributeSlug: 'domain' },
      ],
      matchOn: 'domain',
    }
    const corrected = { ...FILE, columns: [column(0, 'Web'), column(1, 'Company'), column(2, 'error')] }
    expect(draftLike(corrected as never, earlier as never, INTO)).toMatchObject({
      targets: ['domain', 'name', ''],
      matchOn: 'domain',
    })
    const other = { ...FILE, columns: [column(0, 'Other')] }
    expect(draftLike(other as never, earlier as never, INTO)).toBeUndefined()
  })

  test('becomes a request with the target of each mapped column', () => {
    expect(checkOf(draft(['name', '', 'address.city'], 'name'))).toEqual({
      mapping: [
        { index: 0, attributeSlug: 'name' },
        { index: 2, attributeSlug: 'address', part: 'city' },
      ],
      duplicates: null,
      matchOn: 'name',
      format: { dates: 'ymd', decimal: '.' },
      empty: 'keep',
      fixedValues: [],
    })
  })

  test('becomes a request with the choices for unusable cells and the fixed values', () => {
    const choices = { ...draft(['name', 'domain']), handling: ['fail', 'skip'] as const }
    const { mapping, fixedValues } = checkOf({ ...choices, fixed: { owner: 'ada', name: 'not sent' } })
    expect(mapping[1]).toEqual({ index: 1, attributeSlug: 'domain', onProblem: 'skip' })
    expect(fixedValues).toEqual([{ attributeSlug: 'owner', value: 'ada' }])
  })

  test('creates missing records only for references to other objects', () => {
    const reference = (slug: string, target: string) =>
      attribute(slug, { type: 'reference', config: { allowed_object_id: target } })
    const into = {
      id: 'people',
      attributes: [reference('company', 'companies'), reference('boss', 'people')],
    }
    const before = draft(['', ''])
    expect(withTarget(before, 0, 'company', into).handling).toEqual(['create', 'fail'])
    expect(withTarget(before, 0, 'boss', into).handling).toEqual(['fail', 'fail'])
    const chosen = withTarget(before, 0, 'company', into)
    expect(withTarget(chosen, 0, '', into).handling).toEqual(['fail', 'fail'])
  })

  test('keeps the choice for matching rows through a check', () => {
    const chosen = { ...draft(['name'], null), duplicates: 'skip' as const }
    expect(checkOf(chosen)).toMatchObject({ matchOn: null, duplicates: 'skip' })
    expect(checkOf(draft(['name'], 'name'))).toMatchObject({ matchOn: 'name', duplicates: null })
    // `create` is sent so that the service counts the matching rows.
    expect(checkOf(draft(['name']))).toMatchObject({ matchOn: null, duplicates: 'create' })
    const read = (duplicates: string) => draftOf({ ...FILE, duplicates } as never, INTO).duplicates
    expect(['skip', 'update', 'create'].map(read)).toEqual(['skip', 'update', null])
  })

  test('clears values only if rows update records', () => {
    expect(clearsEmpty({ ...draft(['name'], 'name'), empty: 'clear' })).toBe(true)
    expect(clearsEmpty({ ...draft(['name']), empty: 'clear' })).toBe(false)
    expect(clearsEmpty(draft(['name'], 'name'))).toBe(false)
    expect(clearsEmpty({ ...draft(['name']), duplicates: 'update', empty: 'clear' })).toBe(true)
    expect(clearsEmpty({ ...draft(['name'], 'id'), duplicates: 'skip', empty: 'clear' })).toBe(false)
  })
})

test.each([
  { from: draft(['name', 'domain'], 'domain'), index: 1, target: '', matchOn: null },
  { from: draft(['name', 'domain'], 'domain'), index: 0, target: '', matchOn: 'domain' },
  { from: draft(['name', 'domain'], 'domain'), index: 0, target: 'id', matchOn: 'id' },
  { from: draft(['id', 'domain'], 'id'), index: 0, target: 'name', matchOn: null },
])('rows are matched on $matchOn after column $index fills "$target"', ({ from, index, target, matchOn }) => {
  expect(withTarget(from, index, target, INTO).matchOn).toBe(matchOn)
})

test.each([
  [['name', 'name'], 1],
  [['address', 'address.city'], 1],
  [['address.line1', 'address.city'], undefined],
  [['', ''], undefined],
  [['name', 'domain'], undefined],
])('the first of the columns %j conflicts with column %s', (targets, other) => {
  expect(clashOf(draft(targets), 0)).toBe(other)
})

test.each([
  [draft(['', '']), /at least one column/],
  [draft(['name', 'name']), /same attribute/],
  [draft(['domain']), /^No column fills name, which every company must have\.$/],
  [draft(['domain'], 'domain'), undefined],
  [draft(['name']), undefined],
  [{ ...draft(['domain']), duplicates: 'update' }, undefined],
  [{ ...draft(['domain']), duplicates: 'skip' }, /^No column fills name/],
] as const)('whether the draft %j can be checked', (choices, obstacle) => {
  const found = obstacleOf(choices, ATTRIBUTES, 'Company')
  if (obstacle === undefined) expect(found).toBeUndefined()
  else expect(found).toMatch(obstacle)
})

test('keeps replacements of a column while its target is unchanged', () => {
  const replacements = [0, 1, 2].map((index) => ({ index, value: 'x', with: null }))
  const mapping = [
    { index: 0, attributeSlug: 'name' },
    { index: 1, attributeSlug: 'domain' },
    { index: 2, attributeSlug: 'address', part: 'city' },
  ]
  const kept = (...targets: string[]) =>
    keptReplacements({ mapping, replacements }, draft(targets)).map(({ index }) => index)
  expect(kept('name', 'domain', 'address.city')).toEqual([0, 1, 2])
  expect(kept('name', '', 'address.state')).toEqual([0])
})

test('finds required attributes that no column fills, even in part', () => {
  const required = [
    attribute('name', { type: 'name', isRequired: true }),
    attribute('x', { isRequired: true }),
    attribute('y', { isRequired: true, defaultValue: 'Y' }),
  ]
  expect(missingOf(draft(['name.firstName']), required).map(({ slug }) => slug)).toEqual(['x'])
})

test.each([
  [0, 'name', 'likely'],
  [2, 'address.city', 'sure'],
  [2, 'address', undefined],
  [1, '', undefined],
] as const)('the guess for column %d filling "%s" is %s', (index, target, expected) => {
  expect(sureness(FILE as never, index, target)).toBe(expected)
})

test('cells can identify records by the naming attribute or a unique attribute', () => {
  const named = attribute('title', { isNaming: true, isUnique: true })
  const codes = attribute('codes', { isUnique: true, isList: true })
  expect(naming([...ATTRIBUTES, codes, named]).map(({ slug }) => slug)).toEqual(['title', 'domain'])
})
