import { describe, expect, test } from 'vitest'
import type { AttributeType } from '../../contract/attributes.ts'
import { contentType, dateOrder, decimalSign, formatOf } from './content.ts'
import { type GuessAttribute, guessMapping } from './guess.ts'

const attribute = (
  slug: string,
  type: AttributeType,
  more: Partial<GuessAttribute> = {},
): GuessAttribute => ({
  slug,
  name: slug.replaceAll('_', ' '),
  type,
  isList: false,
  isUnique: false,
  ...more,
})

const PEOPLE = [
  attribute('name', 'name'),
  attribute('email', 'email', { isUnique: true }),
  attribute('phone', 'phone_number'),
  attribute('job_title', 'text'),
  attribute('company', 'reference'),
]
const COMPANIES = [
  attribute('name', 'text'),
  attribute('domain', 'text', { isUnique: true }),
  attribute('industry', 'select'),
  attribute('employees', 'number'),
  attribute('address', 'address'),
]
const DEALS = [attribute('name', 'text'), attribute('amount', 'currency'), attribute('close_date', 'date')]

type Columns = readonly (string | readonly [string, ...string[]])[]

function guess(attributes: readonly GuessAttribute[], columns: Columns, singularName = 'Thing') {
  const surveyed = columns.map((column, index) => {
    const [header, ...samples] = typeof column === 'string' ? [column] : column
    return { index, header, samples }
  })
  const referred = new Map([['company', COMPANIES.slice(0, 2)]])
  return guessMapping({ columns: surveyed, attributes, referred, singularName, country: 'US' })
}

const targets = (attributes: readonly GuessAttribute[], columns: Columns, singularName?: string) =>
  guess(attributes, columns, singularName).columns.map(({ attributeSlug, part }) =>
    part === undefined ? attributeSlug : `${attributeSlug}.${part}`,
  )

test.each<[string, readonly GuessAttribute[], Columns, (string | null)[]]>([
  ['slugs', PEOPLE, ['email', 'job_title'], ['email', 'job_title']],
  ['names in any case', PEOPLE, ['E-MAIL', 'Job Title'], ['email', 'job_title']],
  [
    'synonyms',
    PEOPLE,
    ['Mail', 'Tel.', 'Organisation', 'Position'],
    ['email', 'phone', 'company', 'job_title'],
  ],
  [
    'a reference by a unique value',
    PEOPLE,
    ['company.domain', 'Company Domain', 'Company industry'],
    ['company.domain', null, null],
  ],
  ['a reference and its value', PEOPLE, ['Company Domain', 'Company'], [null, 'company']],
  ['a name in two columns', PEOPLE, ['First name', 'Surname'], ['name.firstName', 'name.lastName']],
  ['a name and its parts', PEOPLE, ['Name', 'First', 'Last'], [null, 'name.firstName', 'name.lastName']],
  ['a full name', PEOPLE, ['Full Name'], ['name']],
  [
    'an address in columns',
    COMPANIES,
    ['Street', 'Town', 'ZIP', 'Country'],
    ['address.line1', 'address.city', 'address.postalCode', 'address.country'],
  ],
  ['an address with more columns', COMPANIES, ['Address', 'City'], ['address.line1', 'address.city']],
  ['an amount that names its currency', DEALS, [['Value', '$5']], ['amount']],
  ['only an address', COMPANIES, ['Address'], ['address']],
  ['an address part by its full name', COMPANIES, ['Address: Postal code'], ['address.postalCode']],
  ['an amount with its currency', DEALS, ['Amount', 'Currency'], ['amount.amount', 'amount.currency']],
  ['what the object is called before it', COMPANIES, ['Thing name'], ['name']],
  ['email by content', PEOPLE, [['Kontakt', 'a@b.example', 'c@d.example']], ['email']],
  ['phone by content', PEOPLE, [['Call me', '+1 555 867 5309']], ['phone']],
  ['one column per attribute', PEOPLE, ['Email', 'Mail'], ['email', null]],
  ['a header above values of another form', COMPANIES, [['Employees', 'many', 'few']], ['employees']],
  ['a header above one bad value', PEOPLE, [['Email', 'a@b.example', 'n/a']], ['email']],
  [
    'values between two such headers',
    PEOPLE,
    [
      ['Mail', 'n/a'],
      ['Email address', 'a@b.example'],
    ],
    [null, 'email'],
  ],
  ['a number with leading zeros', COMPANIES, [['Employees', '007', '+5']], ['employees']],
  ['ids of records', PEOPLE, [['id', '0198c0de-0000-7000-8000-000000000001']], ['id']],
  ['ids of others', PEOPLE, [['id', '42']], [null]],
  ['nothing known', PEOPLE, ['Shoe size', ''], [null, null]],
])('guesses the attributes of columns: %s', (_, attributes, columns, expected) => {
  expect(targets(attributes, columns)).toEqual(expected)
})

test('suggests a new attribute of the type of its values for a column that fills no attribute', () => {
  const { columns } = guess(PEOPLE, [
    ['Shoe size', '36', '41.5'],
    ['Birthday', '1958-10-13'],
    ['Budget', '$1,200.50'],
    ['VIP', 'yes', 'no'],
    ['Remarks', 'hello'],
    ['id', '7'],
    ['Created at', '2026-01-01T00:00:00Z'],
    '',
  ])
  expect(columns.map(({ newAttribute }) => newAttribute)).toEqual([
    { name: 'Shoe size', type: 'number' },
    { name: 'Birthday', type: 'date' },
    { name: 'Budget', type: 'currency' },
    { name: 'VIP', type: 'checkbox' },
    { name: 'Remarks', type: 'text' },
    { name: 'External ID', type: 'number' },
    null,
    null,
  ])
})

test('matches rows on a unique attribute that a column fills', () => {
  expect(guess(PEOPLE, ['Name', 'Email']).matchOn).toBe('email')
  expect(guess(PEOPLE, ['Name']).matchOn).toBeNull()
  expect(guess(PEOPLE, [['id', '0198c0de-0000-7000-8000-000000000001'], 'Email']).matchOn).toBe('id')
})

test('a name gives more confidence than a synonym, and a synonym more than content', () => {
  const { columns } = guess(PEOPLE, ['Email', 'Tel', ['Who', '+1 555 867 5309']])
  const [exact, synonym] = columns.map(({ confidence }) => confidence)
  expect(exact).toBe(1)
  expect(synonym).toBeLessThan(1)
  expect(guess(PEOPLE, [['Who', '+1 555 867 5309']]).columns[0]?.confidence).toBeLessThan(synonym ?? 0)
})

describe('content', () => {
  test.each<[string[], AttributeType | undefined]>([
    [[], undefined],
    [['a@b.example', 'x'], 'text'],
    [['12', '1,200', '-3.5'], 'number'],
    [['€ 1.200,50', '12 EUR', 'USD 5'], 'currency'],
    [['31/12/2026', '1.2.26', '2026-12-31'], 'date'],
    [['(202) 555-0101'], 'phone_number'],
    [['20510'], 'number'],
    [['0', '0.5', '-0.5', '10'], 'number'],
    [['01067', '20510'], 'text'],
    [['007'], 'text'],
    [['-05'], 'text'],
    [['+5', '7'], 'text'],
    [['+4915112345678'], 'phone_number'],
    [['Yes', 'no'], 'checkbox'],
    [['WAHR', 'FALSCH'], 'checkbox'],
    [['1', '0'], 'number'],
    [['$1.2k', '€3m'], 'currency'],
    [['12 Mar 2026', '2026-03-12', 'March 5th, 2026'], 'date'],
    [['May', 'June'], 'text'],
  ])('recognizes %j as %s', (samples, type) => {
    expect(contentType(samples)).toBe(type)
  })

  test.each<[string[], string, string]>([
    [['2026-12-31'], 'US', 'ymd'],
    [['31/12/2026'], 'US', 'dmy'],
    [['12/31/2026'], 'GB', 'mdy'],
    [['1/2/2026'], 'US', 'mdy'],
    [['1/2/2026'], 'GB', 'dmy'],
    [['1.2.2026'], 'US', 'dmy'],
    [['1/2/2026'], 'PH', 'mdy'],
    [['1/2/2026'], 'JP', 'dmy'],
  ])('reads the days %j in %s as %s', (samples, country, order) => {
    expect(dateOrder(samples, country)).toBe(order)
  })

  test.each<[string[], string]>([
    [['1,234'], '.'],
    [['1.234,50'], ','],
    [['12,5'], ','],
    [['1,234.50', '3'], '.'],
    [['€ 99,90'], ','],
    [['Smith, 12'], '.'],
    [['0,125'], ','],
    [['1.234.567'], ','],
    [['12,5', '1.5'], '.'],
    [['$1.2k', '1.200,50 €'], ','],
  ])('the decimal sign of %j is %s', (samples, sign) => {
    expect(decimalSign(samples, '.')).toBe(sign)
  })

  test.each<[string[], string, string]>([
    [['1.234'], 'DE', ','],
    [['1.234'], 'CH', '.'],
    [['1,234'], 'FR', ','],
    [['1,234'], 'GB', '.'],
    [['0.125'], 'DE', '.'],
    [['1,234,567'], 'DE', '.'],
    [['1.5'], 'DE', '.'],
    [['1.234', '1.5.2026'], 'EG', '.'],
  ])('the decimal sign of %j in %s is %s', (samples, country, sign) => {
    expect(formatOf([{ index: 0, header: 'Amount', samples }], country).decimal).toBe(sign)
  })

  test('reads exports with a decimal point, also in a country with a decimal comma', () => {
    const amount = { index: 0, header: 'amount', samples: ['1.234'] }
    const times = { index: 1, header: 'createdAt', samples: ['2026-01-01T00:00:00Z'] }
    expect(formatOf([amount, times], 'DE').decimal).toBe('.')
    const ids = { index: 1, header: 'id', samples: ['0198c0de-0000-7000-8000-000000000001'] }
    expect(formatOf([amount, ids], 'DE').decimal).toBe('.')
    expect(formatOf([amount, { ...ids, samples: ['7'] }], 'DE').decimal).toBe(',')
  })
})

test('reads the name of an attribute once for all columns and parts', () => {
  let reads = 0
  const home = attribute('home', 'address')
  const counted = Object.defineProperty(home, 'name', { get: () => `Home ${++reads}` })
  guess([counted], ['Home city', 'Home street', 'Elsewhere'])
  guess([counted], ['Home country'])
  expect(reads).toBe(1)
})
