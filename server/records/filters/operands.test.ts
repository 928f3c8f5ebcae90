import fc from 'fast-check'
import parsePhoneNumber, { getCountries } from 'libphonenumber-js/min'
import { describe, expect, test } from 'vitest'
import { ATTRIBUTE_TYPES, type AttributeType } from '../../../contract/attribute-types.ts'
import { dayOf } from '../values/day.ts'
import { canonicalDecimal } from '../values/number.ts'
import { normalPhone } from '../values/phone.ts'
import { comparableOperand, searchOperand } from './operands.ts'

const locale = { country: 'US', currency: 'USD' }
const ID = '0198c0de-0000-7000-8000-00000000abcd'
const compare = (type: AttributeType, text: string) => comparableOperand({ type }, text, locale)
const search = (type: AttributeType, text: string) => searchOperand({ type }, text)

describe('comparableOperand', () => {
  test.each<[AttributeType, string, string]>([
    ['text', ' Acme% ', ' Acme% '],
    ['text', '', ''],
    ['email', 'Ada@Example.COM', 'ada@example.com'],
    ['email', 'not an address', 'not an address'],
    ['number', '1.50', '1.5'],
    ['number', '-0', '0'],
    ['number', '1e3', '1000'],
    ['currency', '007', '7'],
    ['date', '2026-11-20', '2026-11-20'],
    ['date', '2026-11-20T23:30:00-02:00', '2026-11-21'],
    ['phone_number', '(555) 867-5309', '+15558675309'],
    ['phone_number', '+1 555 867 5309 x12', '+15558675309;ext=12'],
    ['phone_number', '867-5309', '8675309'],
    ['phone_number', 'none', ''],
    ['checkbox', 'true', 'true'],
    ['checkbox', 'false', 'false'],
    ['select', 'Won', 'Won'],
    ['list', 'vip', 'vip'],
    ['reference', ID.toUpperCase(), ID],
    ['member', ` ${ID.toUpperCase()} `, ID],
    ['name', 'Ada Lovelace', 'Ada Lovelace'],
    ['domain', ' https://www.Acme.com:8443/about?a=1#b ', 'acme.com'],
    ['domain', 'xn--bcher-kva.example', 'bücher.example'],
    ['domain', 'N/A', 'n/a'],
    ['address', '1 St James', '1 St James'],
  ])('converts %s %j to %j', (type, text, value) => {
    expect(compare(type, text)).toEqual({ value })
  })

  test.each<[AttributeType, string]>([
    ['number', 'ten'],
    ['number', ''],
    ['number', '1e400'],
    ['currency', '1,5'],
    ['date', '2026-02-29'],
    ['date', 'today'],
    ['checkbox', 'yes'],
    ['checkbox', 'TRUE'],
    ['reference', 'x'],
    ['member', 'me'],
    ['member', 'ada@example.com'],
    ['member', 'x'],
  ])('%s rejects %j', (type, text) => {
    expect(compare(type, text)).toEqual({ problem: expect.stringMatching(/^must be .*[^.]$/) })
  })
})

describe('searchOperand', () => {
  test.each<[AttributeType, string, string]>([
    ['text', '50%', '50%'],
    ['email', 'Ada@', 'Ada@'],
    ['phone_number', '(555) 867', '555867'],
    ['phone_number', ' +1 (555)', '+1555'],
    ['phone_number', '٥٥٥', '555'],
    ['domain', 'https://www.Acme', 'acme'],
    ['domain', '.com/about', '.com'],
    ['domain', 'BÜCH', 'büch'],
    ['domain', 'shop.xn--bcher-kva.', 'shop.bücher.'],
    ['domain', 'www', 'www'],
    ['domain', 'https://', 'https://'],
  ])('converts %s %j to %j', (type, text, value) => {
    expect(search(type, text)).toEqual({ value })
  })

  test('rejects a part of a phone number without a digit', () => {
    expect(search('phone_number', '+ -')).toEqual({ problem: 'must contain a digit, such as 867' })
  })
})

test.each(ATTRIBUTE_TYPES)('%s rejects text that PostgreSQL cannot store', (type) => {
  for (const text of ['1\u0000', '\ud800', '\udc00a']) {
    expect(compare(type, text)).toHaveProperty('problem')
    expect(search(type, text)).toHaveProperty('problem')
  }
})

describe('canonicalDecimal', () => {
  const digits = fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 15 })
    .map((each) => each.join(''))
  const decimal = fc.record({ sign: fc.constantFrom('', '-'), whole: digits, fraction: digits })

  /** The number times ten to the 15th power, in exact arithmetic. */
  const scaled = (text: string) => {
    const [whole = '', fraction = ''] = text.replace('-', '').split('.')
    const size = BigInt(whole + fraction.padEnd(15, '0'))
    return text.startsWith('-') ? -size : size
  }

  test('keeps the value exactly, in one spelling', () => {
    fc.assert(
      fc.property(decimal, ({ sign, whole, fraction }) => {
        const sent = `${sign}${whole}.${fraction}`
        const canonical = canonicalDecimal(sent)
        expect(canonical).toMatch(/^(0|-?(0|[1-9]\d*)(\.\d*[1-9])?)$/)
        expect(scaled(canonical ?? '')).toBe(scaled(sent))
        expect(canonicalDecimal(`${canonical}`)).toBe(canonical)
        expect(canonicalDecimal(`${sign}${whole}${fraction}e-${fraction.length}`)).toBe(canonical)
      }),
    )
  })

  test.each([
    [`${'9'.repeat(30)}`, `${'9'.repeat(30)}`],
    [`1${'0'.repeat(29)}`, `1${'0'.repeat(29)}`],
    [`1${'0'.repeat(30)}`, undefined],
    [`0.${'0'.repeat(29)}1`, `0.${'0'.repeat(29)}1`],
    [`0.${'0'.repeat(30)}1`, undefined],
    [`1.${'0'.repeat(500)}`, '1'],
    [`1.${'1'.repeat(30)}`, undefined],
    ['1e-31', undefined],
    ['1e999999999999999999999', undefined],
    ['0e999999999999999999999', '0'],
    ['', undefined],
    ['NaN', undefined],
    ['١', undefined],
  ])('converts %s to %s', (text, canonical) => {
    expect(canonicalDecimal(text)).toBe(canonical)
  })
})

test('dayOf returns the UTC day of every timestamp, with any offset', () => {
  const dates = fc.date({
    min: new Date('0001-01-02T00:00:00Z'),
    max: new Date('9999-12-30T00:00:00Z'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(dates, fc.integer({ min: -1439, max: 1439 }), (date, offset) => {
      const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1)
      const clock = new Date(Math.abs(offset) * 60_000).toISOString().slice(11, 16)
      const day = date.toISOString().slice(0, 10)
      expect(dayOf(`${local}${offset < 0 ? '-' : '+'}${clock}`)).toBe(day)
      expect(dayOf(day)).toBe(day)
    }),
  )
})

test('dayOf accepts exactly the days of the calendar', () => {
  const part = fc.integer({ min: 0, max: 33 }).map((each) => String(each).padStart(2, '0'))
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9999 }), part, part, (year, month, day) => {
      const text = `${String(year).padStart(4, '0')}-${month}-${day}`
      const date = new Date(`${text}T00:00:00Z`)
      const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
      expect(dayOf(text)).toBe(exists ? text : undefined)
    }),
    { numRuns: 2000 },
  )
})

describe('normalPhone', () => {
  test('accepts every number that the library considers possible', () => {
    const digits = fc
      .array(fc.integer({ min: 0, max: 9 }), { minLength: 4, maxLength: 13 })
      .map((each) => each.join(''))
    const text = fc
      .tuple(fc.constantFrom('', '+', '0', '+1', '+44', '+49', '+1310', '+599'), digits)
      .map((each) => each.join(''))
    fc.assert(
      fc.property(text, fc.constantFrom(...getCountries(), undefined), (number, country) => {
        const phone = parsePhoneNumber(number, {
          extract: false,
          ...(country && { defaultCountry: country }),
        })
        if (!phone?.isPossible()) return
        expect(normalPhone(number, country ?? 'XX')).toMatch(/^\+\d+$/)
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    ['+1 310-1234', 'DE', '+13101234'],
    ['+44 20 7946 0958', 'US', '+442079460958'],
    ['020 7946 0958', 'GB', '+442079460958'],
    ['011 44 20 7946 0958', 'US', '+442079460958'],
    ['0171 2345678', 'DE', '+491712345678'],
    ['416 555 0123', 'CA', '+14165550123'],
    ['0171 2345678', 'XX', undefined],
    ['5558675309', '__proto__', undefined],
    ['', 'US', undefined],
  ])('converts %s in %s to %s', (text, country, expected) => {
    expect(normalPhone(text, country)).toBe(expected)
  })
})
