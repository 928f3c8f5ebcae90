import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ATTRIBUTE_TYPES, type AttributeType } from '../../../contract/attribute-types.ts'
import { RECORD_BYTES_MAX } from '../../../contract/limits.ts'
import { parseJson } from '../../base/json.ts'
import { anyText } from '../../test/any-text.ts'
import type { Locale } from '../values/attribute.ts'
import { accept, attribute, bySlug, check, codesOf, ID, locale, OPTIONS } from './one-attribute.fixture.ts'
import { checkData, VALUE_PROBLEMS_MAX } from './values.ts'

const OTHER_ID = '0198c0de-0000-7000-8000-00000000abce'
const raw = (literal: string) => JSON.rawJSON(literal)

describe('data', () => {
  test.each([null, undefined, 1, 'x', [], [{}], raw('1e400')])(
    'data itself must be an object: %j',
    (data) => {
      expect(codesOf(checkData('patch', data, bySlug(), locale))).toEqual(['data invalid_type'])
    },
  )

  test('every problem is found, also for slugs that are properties of every JavaScript object', () => {
    const attributes = bySlug(
      attribute('number', { slug: 'a' }),
      attribute('list', { slug: 'b' }),
      attribute('text', { slug: 'constructor', isRequired: true }),
    )
    const data = JSON.parse('{"a":"x","nope":1,"__proto__":{"a":1},"b":["ok",1,"",null,"a\\u0000"]}')
    expect(codesOf(checkData('create', data, attributes, locale))).toEqual([
      'data.a invalid_number',
      'data.nope unknown_attribute',
      'data.__proto__ unknown_attribute',
      'data.b[1] invalid_type',
      'data.b[2] invalid_list',
      'data.b[3] invalid_list',
      'data.b[4] invalid_text',
      'data.constructor required',
    ])
  })

  test('the first few problems name the nearest attribute, for callers that may see attributes', () => {
    const attributes = bySlug(attribute('text', { slug: 'job_title' }))
    const messages = (data: object, caller: Locale = locale) => {
      const result = checkData('create', data, attributes, caller)
      return 'problems' in result ? result.problems.map(({ message }) => message) : []
    }
    const near = 'is not an active attribute of the object: did you mean "job_title"?'
    const other = 'is not an active attribute of the object: leave it out'
    expect(messages({ jobTitle: 'x', colour: 'x' })).toEqual([near, other])
    const written = ['jobTitle', 'Job_Title', 'job-title', 'job_titel', 'JOB_TITLE']
    expect(messages(Object.fromEntries(written.map((slug) => [slug, 'x'])))).toEqual([
      near,
      near,
      near,
      other,
      other,
    ])
    const blind = { ...locale, scopes: new Set(['records:write'] as const) }
    expect(messages({ jobTitle: 'x' }, blind)).toEqual([other])
  })

  test('the problems of a hostile body are shorter than the body', () => {
    const data = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [`${index}${'x'.repeat(1000)}`, 1]),
    )
    const result = checkData('create', data, bySlug(), locale)
    expect(codesOf(result)).toHaveLength(VALUE_PROBLEMS_MAX)
    expect(JSON.stringify(result).length).toBeLessThan(50_000)
  })

  test('a list is read up to the maximum of problems, and only the first few problems list the options', () => {
    let reads = 0
    const list = Array.from({ length: 1000 }, () => 'x')
    const elements = new Proxy(list, {
      get(target, key, receiver) {
        if (/^\d+$/.test(String(key))) reads++
        return Reflect.get(target, key, receiver)
      },
    })
    const config = { options: Array.from({ length: 500 }, (_, index) => `${index}${'y'.repeat(190)}`) }
    const result = check('select', elements, { isList: true, config })
    const problems = 'problems' in result ? result.problems : []
    expect([problems.length, reads]).toEqual([VALUE_PROBLEMS_MAX, VALUE_PROBLEMS_MAX])
    expect(problems.filter(({ message }) => message.endsWith(' and 498 more'))).toHaveLength(3)
    expect(problems.at(-1)?.message).toBe('must be one of the options of the attribute')
    expect(JSON.stringify(problems).length).toBeLessThan(20_000)
  })

  test('options are not listed for callers that may not see attributes', () => {
    const attributes = bySlug(attribute('select', { config: { options: ['Lead'] } }))
    const blind = { ...locale, scopes: new Set(['records:write'] as const) }
    expect(checkData('create', { v: 'x' }, attributes, blind)).toMatchObject({
      problems: [{ code: 'unknown_option', message: 'must be one of the options of the attribute' }],
    })
  })

  test('a record is limited in bytes, not in characters', () => {
    const fitting = 'é'.repeat((RECORD_BYTES_MAX - '{"v":""}'.length) / 2)
    expect(accept(check('text', fitting)).set['v']).toBe(fitting)
    expect(codesOf(check('text', `${fitting}x`))).toEqual(['data too_large'])
  })
})

describe('no value', () => {
  test.each(ATTRIBUTE_TYPES)('%s: null clears the value', (type) => {
    for (const mode of ['create', 'patch'] as const) {
      const attributes = bySlug(attribute(type, { isUnique: true }))
      const checked = accept(checkData(mode, { v: null }, attributes, locale))
      const nothing = {
        set: {},
        text: '{}',
        comparable: {},
        bareAmounts: {},
        references: [],
        uniques: [],
        otherUniques: [],
      }
      expect(checked).toEqual({ ...nothing, cleared: ['v'] })
      const required = bySlug(attribute(type, { isRequired: true }))
      expect(codesOf(checkData(mode, { v: null }, required, locale))).toEqual(['data.v required'])
    }
  })

  const BLANKS = ['', ' ', '\t\n', '\u00a0', '\u200b', '\ufeff \u2060']

  test.each(ATTRIBUTE_TYPES.filter((type) => type !== 'text'))('%s: blank text is rejected', (type) => {
    for (const blank of BLANKS)
      for (const isList of [false, true]) {
        const result = check(type, blank, { isList })
        expect(codesOf(result)).toEqual(['data.v empty_text'])
        expect('problems' in result && result.problems[0]?.message).toBe(
          'must not be empty text: send null to clear it',
        )
        expect(codesOf(check(type, blank, { isRequired: true, isList }))).toEqual(['data.v required'])
        expect(codesOf(check(type, [blank], { isList: true }))).toEqual(['data.v[0] invalid_list'])
      }
  })

  test('blank text is a value of a text attribute that is not required', () => {
    for (const blank of BLANKS) {
      const { set, cleared } = accept(check('text', blank))
      expect({ set, cleared }).toEqual({ set: { v: blank }, cleared: [] })
      expect(codesOf(check('text', blank, { isRequired: true }))).toEqual(['data.v required'])
      const list = { isList: true, isRequired: true }
      expect(codesOf(check('text', ['a', blank], list))).toEqual(['data.v[1] invalid_list'])
    }
    expect(codesOf(check('text', '', { isList: true }))).toEqual(['data.v empty_text'])
  })

  test('any number of records may have the empty text in a unique attribute', () => {
    expect(accept(check('text', '', { isUnique: true })).uniques).toEqual([])
  })

  test('a create requires values that a patch may leave out', () => {
    const attributes = bySlug(attribute('text', { isRequired: true }))
    expect(codesOf(checkData('create', {}, attributes, locale))).toEqual(['data.v required'])
    expect(accept(checkData('patch', {}, attributes, locale)).set).toEqual({})
  })

  test.each(['text', 'list', 'reference'] as const)(
    '%s: an empty list is kept, but does not satisfy required',
    (type) => {
      expect(accept(check(type, [], { isList: true })).set).toEqual({ v: [] })
      for (const mode of ['create', 'patch'] as const) {
        const attributes = bySlug(attribute(type, { isList: true, isRequired: true }))
        expect(codesOf(checkData(mode, { v: [] }, attributes, locale))).toEqual(['data.v required'])
      }
    },
  )
})

describe('isList', () => {
  const lists: [AttributeType, unknown, unknown][] = [
    ['text', ['b', 'a', 'b', 'B'], ['b', 'a', 'B']],
    ['email', 'a@b.co', ['a@b.co']],
    ['number', ['1.0', raw('1e2')], [1, 100]],
    ['number', raw('1e2'), [100]],
    ['name', { firstName: 'Ada' }, [{ firstName: 'Ada' }]],
    ['name', ['Ada Lovelace'], [{ firstName: 'Ada', lastName: 'Lovelace' }]],
    [
      'currency',
      [1, { amount: 2, currency: 'usd' }],
      [
        { amount: 1, currency: 'EUR' },
        { amount: 2, currency: 'USD' },
      ],
    ],
    ['select', ['Lead', 'Won', 'Lead'], ['Lead', 'Won']],
    ['email', ['c@x.co', 'a@x.co', 'C@x.co'], ['c@x.co', 'a@x.co']],
    ['number', [1.5, '1.50', 2, raw('15e-1')], [1.5, 2]],
    ['phone_number', ['555 867 5309', '+1 555 867 5309'], ['555 867 5309']],
    ['checkbox', [true, 'true', false], [true, false]],
    [
      'name',
      ['Ada Lovelace', { firstName: 'Ada', lastName: ' Lovelace' }],
      [{ firstName: 'Ada', lastName: 'Lovelace' }],
    ],
    ['address', ['Paris', { line1: 'Paris' }, { city: 'Paris' }], [{ line1: 'Paris' }, { city: 'Paris' }]],
    ['date', ['2026-11-20', '2026-11-20T10:00:00Z'], ['2026-11-20']],
    [
      'currency',
      [5, { amount: '5.00', currency: 'EUR' }, { amount: 5, currency: 'USD' }],
      [
        { amount: 5, currency: 'EUR' },
        { amount: 5, currency: 'USD' },
      ],
    ],
    ['checkbox', ['true', false], [true, false]],
    ['reference', [ID.toUpperCase(), OTHER_ID, ID], [ID, OTHER_ID]],
    ['list', ['a', 'a'], ['a']],
  ]
  test.each(lists)('stores %s %j as %j', (type, value, canonical) => {
    expect(accept(check(type, value, { isList: true })).set['v']).toEqual(canonical)
  })

  test('problems name the element, or the attribute when one value was sent', () => {
    expect(codesOf(check('number', [1, 'x', null, ''], { isList: true }))).toEqual([
      'data.v[1] invalid_number',
      'data.v[2] invalid_list',
      'data.v[3] invalid_list',
    ])
    expect(codesOf(check('number', 'x', { isList: true }))).toEqual(['data.v invalid_number'])
    expect(codesOf(check('list', ['x'.repeat(1001)]))).toEqual(['data.v[0] invalid_list'])
  })

  test('accepts at most 1000 elements, except for the type list', () => {
    const many = Array.from({ length: 1001 }, (_, index) => `${index}`)
    expect(accept(check('text', many.slice(1), { isList: true })).set['v']).toHaveLength(1000)
    expect(codesOf(check('text', many, { isList: true }))).toEqual(['data.v invalid_list'])
    expect(accept(check('list', many)).set['v']).toHaveLength(1001)
  })
})

describe('data that is stored with the values', () => {
  test('phone numbers are compared as E.164 with their extension', () => {
    expect(accept(check('phone_number', '(555) 867-5309')).comparable).toEqual({ v: '+15558675309' })
    const extension = accept(check('phone_number', '(555) 867-5309 x12', { isUnique: true }))
    expect(extension.comparable).toEqual({ v: '+15558675309;ext=12' })
    expect(extension.uniques).toEqual([{ slug: 'v', value: '+15558675309;ext=12' }])
    const list = accept(
      check('phone_number', ['+1 555 867 5309', '555 867 5309'], { isList: true, isUnique: true }),
    )
    expect(list.comparable).toEqual({ v: ['+15558675309'] })
    expect(list.uniques).toEqual([{ slug: 'v', value: '+15558675309' }])
    expect(accept(check('text', '+1 555 867 5309')).comparable).toEqual({})
  })

  test('references are reported once each', () => {
    const { references } = accept(check('reference', [ID, OTHER_ID, ID.toUpperCase()], { isList: true }))
    expect(references).toEqual([
      { slug: 'v', target: ID },
      { slug: 'v', target: OTHER_ID },
    ])
    expect(accept(check('text', ID)).references).toEqual([])
  })

  const long = 'x'.repeat(201)
  test.each<[AttributeType, unknown, string[]]>([
    ['text', 'Acme ', ['Acme ']],
    ['text', long.slice(1), [long.slice(1)]],
    ['text', long, ['sha256:84a0678c90937f5dcf9994d5866668da6b995109c8ad845410559b48a4ecafed']],
    ['email', 'Ada@Example.COM', ['ada@example.com']],
    ['number', '1.50', ['1.5']],
    ['number', raw('15e-1'), ['1.5']],
    ['number', 1e21, ['1000000000000000000000']],
    ['number', 1e-7, ['0.0000001']],
    ['date', '2026-11-20T23:30:00-02:00', ['2026-11-21']],
    ['select', 'Lead', ['Lead']],
    ['name', { lastName: 'Lovelace', firstName: 'Ada' }, ['Ada Lovelace']],
    ['name', { lastName: 'Lovelace' }, ['Lovelace']],
    ['reference', ID.toUpperCase(), [ID]],
    ['checkbox', true, []],
    ['address', 'x', []],
    ['currency', 1, []],
    ['list', ['a'], []],
  ])('%s %j is unique as %j', (type, value, expected) => {
    const { uniques } = accept(check(type, value, { isUnique: true }))
    expect(uniques).toEqual(expected.map((each) => ({ slug: 'v', value: each })))
    expect(accept(check(type, value)).uniques).toEqual([])
  })

  test('a hash is distinguished from a text that looks like one', () => {
    const [hash] = accept(check('text', long, { isUnique: true })).uniques
    expect(hash?.value).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(accept(check('text', hash?.value, { isUnique: true })).uniques).not.toEqual([hash])
  })
})

describe('properties', () => {
  const flags = { isList: fc.boolean(), isRequired: fc.boolean(), isUnique: fc.boolean() }
  const anyAttribute = fc
    .tuple(fc.constantFrom(...ATTRIBUTE_TYPES), fc.record(flags))
    .map(([type, chosen]) => attribute(type, chosen))
  const text = fc.oneof(
    anyText(),
    fc.emailAddress(),
    fc.uuid(),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.constantFrom(...OPTIONS, 'true', '+1 555 867 5309', '0912 345 678', 'Ada Lovelace', '2026-11-20'),
    fc.bigInt().map(String),
    fc.tuple(fc.bigInt(), fc.nat()).map(([whole, fraction]) => `${whole}.${fraction}`),
  )
  const parts = fc.dictionary(
    fc.constantFrom('firstName', 'lastName', 'line1', 'country', 'amount', 'currency'),
    text,
  )
  const currency = fc.record({ amount: text, currency: fc.constantFrom('USD', 'eur') })
  const number = fc.oneof(
    fc.double(),
    fc.bigInt().map((integer) => JSON.rawJSON(String(integer))),
  )
  const value = fc.oneof(text, parts, currency, number, fc.boolean(), fc.jsonValue())
  const anyValue = fc.oneof(value, fc.array(value, { maxLength: 4 }))

  test('canonical data does not change when it is checked again', () => {
    fc.assert(
      fc.property(anyAttribute, anyValue, (each, sent) => {
        const first = checkData('patch', { v: sent }, bySlug(each), locale)
        if ('problems' in first) return
        const again = accept(checkData('patch', parseJson(JSON.stringify(first.set)), bySlug(each), locale))
        expect(JSON.stringify(again.set)).toBe(JSON.stringify(first.set))
        // Amounts that were sent without a currency have one now.
        expect({ ...again, cleared: first.cleared, bareAmounts: first.bareAmounts }).toEqual(first)
      }),
      { numRuns: 3000 },
    )
  })

  test('checkData does not throw for any JSON value', () => {
    fc.assert(
      fc.property(anyAttribute, fc.jsonValue(), fc.boolean(), (each, sent, isInside) => {
        const result = checkData('create', isInside ? { v: sent } : sent, bySlug(each), locale)
        if (!('problems' in result)) return
        expect(result.problems.length).toBeGreaterThan(0)
        for (const problem of result.problems) expect(problem.message).toMatch(/^(must|is|has) .*[^.]$/)
      }),
      { numRuns: 2000 },
    )
  })
})
