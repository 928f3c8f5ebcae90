import { expect, test } from 'vitest'
import { formatMoney, formatNumber } from '../../../../contract/number-values.ts'
import { attributeOf } from '../../../shared/api/attribute.fixture.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { formatDay } from '../../../shared/values/format.ts'
import { type PreviewColumn, previewColumns, previewValues, unlikeValues } from './preview.ts'

const LOCALE = { format: { dates: 'dmy', decimal: ',' }, currency: 'EUR' } as const

const attribute = (type: Attribute['type'], more: Partial<Attribute> = {}) =>
  attributeOf({ id: type, objectId: 'people', name: type, slug: type, type, ...more })

const whole = (type: Attribute['type'], more?: Partial<Attribute>): PreviewColumn => ({
  attribute: attribute(type, more),
  sources: [{ index: 0, part: undefined }],
})

const OPTIONS = { config: { options: ['Won', 'Lost'] } }

test.each([
  [whole('date'), '31.12.2026', [{ text: formatDay('2026-12-31') }]],
  [whole('date'), '31.31.2026', [{ text: '31.31.2026', problem: 'not a date' }]],
  [whole('number'), '1.234,5', [{ text: formatNumber('1234.5') }]],
  [whole('number'), 'many', [{ text: 'many', problem: 'not a number' }]],
  [whole('currency'), '1.200,50', [{ text: formatMoney({ amount: '1200.50', currency: 'EUR' }) }]],
  [whole('currency'), '$5', [{ text: formatMoney({ amount: 5, currency: 'USD' }) }]],
  [whole('currency'), 'a lot', [{ text: 'a lot', problem: 'not an amount' }]],
  [whole('checkbox'), 'YES', [{ text: 'Yes' }]],
  [whole('checkbox'), 'nein', [{ text: 'No' }]],
  [whole('date'), '12 Mar 2026', [{ text: formatDay('2026-03-12') }]],
  [whole('currency'), '$1.2k', [{ text: formatMoney({ amount: '1200', currency: 'USD' }) }]],
  [whole('checkbox'), 'maybe', [{ text: 'maybe', problem: 'neither yes nor no' }]],
  [whole('email'), 'ada', [{ text: 'ada', problem: 'not an email address' }]],
  [whole('domain'), 'https://www.Acme.com/', [{ text: 'https://www.Acme.com/' }]],
  [whole('domain'), 'n/a', [{ text: 'n/a', problem: 'not a website' }]],
  [whole('select', OPTIONS), 'won', [{ text: 'Won' }]],
  [whole('select', OPTIONS), 'open', [{ text: 'open', problem: 'not one of the options' }]],
  [whole('list'), 'a; b;', [{ text: 'a' }, { text: 'b' }]],
  [whole('number', { isList: true }), '1; x', [{ text: '1' }, { text: 'x', problem: 'not a number' }]],
  [whole('reference'), 'Acme', [{ text: 'Acme' }]],
  [whole('text'), '   ', []],
] as const)('%j shows %s as %j', (column, cell, expected) => {
  expect(previewValues(column, [cell], LOCALE)).toEqual(expected)
})

const parts = (type: Attribute['type'], ...names: string[]): PreviewColumn => ({
  attribute: attribute(type),
  sources: names.map((part, index) => ({ index, part })),
})

test.each([
  [parts('name', 'firstName', 'lastName'), ['Ada', 'Lovelace'], 'Ada Lovelace'],
  [parts('name', 'firstName', 'lastName'), ['', 'Lovelace'], 'Lovelace'],
  [parts('address', 'city', 'country'), ['London', 'gb'], 'London, United Kingdom'],
  [parts('address', 'city', 'country'), ['Wien', 'Austria'], 'Wien, Austria'],
  [
    parts('currency', 'amount', 'currency'),
    ['1.200,50', 'USD'],
    formatMoney({ amount: 1200.5, currency: 'USD' }),
  ],
  [parts('currency', 'amount', 'currency'), ['3,5', ''], formatMoney({ amount: 3.5, currency: 'EUR' })],
] as const)('%j joins %j', (column, cells, text) => {
  expect(previewValues(column, cells, LOCALE)).toEqual([{ text }])
})

test('lists columns in the order of the attributes, without ids and unmapped columns', () => {
  const draft = {
    targets: ['email', 'id', '', 'name.lastName', 'name.firstName'],
    handling: [],
    matchOn: 'id',
    duplicates: null,
    empty: 'keep',
    fixed: {},
    ...LOCALE,
  } as const
  const columns = previewColumns(draft, [attribute('name'), attribute('email'), attribute('date')])
  expect(columns.map(({ attribute: { slug }, sources }) => [slug, sources])).toEqual([
    [
      'name',
      [
        { index: 3, part: 'lastName' },
        { index: 4, part: 'firstName' },
      ],
    ],
    ['email', [{ index: 0, part: undefined }]],
  ])
})

test('finds the values of a column that are invalid for its attribute', () => {
  const found = unlikeValues(attribute('email'), ['a@b.example', 'n/a', 'none'], LOCALE)
  expect(found.map(({ text }) => text)).toEqual(['n/a', 'none'])
  expect(unlikeValues(attribute('text'), ['anything'], LOCALE)).toEqual([])
})
