import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { currencyOf } from './currency-signs.ts'
import { localeOf, readNumber } from './read-number.ts'

const LOCALES = [
  'en-US',
  'en-IN',
  'de-DE',
  'de-CH',
  'fr-FR',
  'es-ES',
  'pl-PL',
  'sv-SE',
  'ar-EG',
  'hi-IN-u-nu-deva',
  'fa-IR',
  'pt-BR',
  'ja-JP',
]

const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 30 })
/** Plain decimals of up to 30 digits. */
const decimals = fc.tuple(fc.boolean(), digits, fc.nat(30)).map(([isNegative, all, point]) => {
  const text = all.join('')
  const whole = text.slice(0, Math.min(point, text.length)).replace(/^0+(?=\d)/, '') || '0'
  const fraction = text.slice(Math.min(point, text.length)).replace(/0+$/, '')
  const number = fraction === '' ? whole : `${whole}.${fraction}`
  return isNegative && number !== '0' ? `-${number}` : number
})

test.each(LOCALES)('a number that %s formats is read back, up to 30 digits', (tag) => {
  const locale = localeOf(tag)
  for (const useGrouping of ['always', 'min2', false] as const) {
    const format = new Intl.NumberFormat(tag, { maximumFractionDigits: 30, useGrouping })
    fc.assert(
      fc.property(decimals, (value) => {
        expect(readNumber(format.format(value as unknown as number), locale)?.value).toBe(value)
      }),
    )
  }
})

test.each(LOCALES)('an amount of money that %s formats is read back with its currency', (tag) => {
  const locale = localeOf(tag)
  fc.assert(
    fc.property(decimals, fc.constantFrom('EUR', 'JPY', 'GBP', 'CHF'), (value, currency) => {
      for (const currencyDisplay of ['code', 'narrowSymbol'] as const) {
        const options = { style: 'currency', currency, currencyDisplay, maximumFractionDigits: 30 } as const
        const text = new Intl.NumberFormat(tag, options).format(value as unknown as number)
        expect(readNumber(text, locale, currencyOf(tag, currency))).toMatchObject({ value, currency })
      }
    }),
  )
})

test('any text is read as a plain decimal or as undefined', () => {
  const chars = fc.string({ unit: fc.constantFrom(..."0123456789.,' -+()kmKMb$€EUR٣") })
  fc.assert(
    fc.property(chars, fc.constantFrom(...LOCALES), (text, tag) => {
      const reading = readNumber(text, localeOf(tag), currencyOf(tag, 'USD'))
      if (reading) expect(reading.value).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/)
    }),
  )
})

describe.each([
  ['en-US', '12,500', '12500', true],
  ['en-US', '1.500', '1.5', true],
  ['en-US', '1234.5', '1234.5', false],
  ['en-US', '12k', '12000', true],
  ['en-US', '1.5M', '1500000', true],
  ['en-US', '2 mn', '2000000', true],
  ['en-US', '(1,200)', '-1200', true],
  ['en-US', '1,200-', '-1200', true],
  ['en-US', '−5', '-5', false],
  ['en-US', '+5', '5', false],
  ['en-US', '.5', '0.5', false],
  ['en-US', '5.', '5', false],
  ['en-US', '0,5', '0.5', true],
  ['en-US', '1.234,56', '1234.56', true],
  ['en-US', '1.234.567', '1234567', true],
  ['en-US', '12,34,567', '1234567', false],
  ['en-US', '1,2345', '1.2345', true],
  ['en-US', '007', '7', false],
  ['en-US', '-0.00', '0', false],
  ['de-DE', '1.500', '1500', true],
  ['de-DE', '1,50', '1.5', false],
  ['de-DE', '1.50', '1.5', true],
  ['de-DE', '0.500', '0.5', true],
  ['de-DE', '12.500,50', '12500.5', false],
  ['de-CH', '1’500.25', '1500.25', false],
  ['fr-FR', '12 500,5', '12500.5', false],
  ['ar-EG', '١٢٬٥٠٠٫٥', '12500.5', false],
])('%s %s', (tag, text, value, isUnclear) => {
  test(`is ${value}`, () => expect(readNumber(text, localeOf(tag))).toEqual({ value, isUnclear }))
})

test.each([
  '',
  ' ',
  '-',
  '.',
  ',',
  'k',
  'abc',
  '1,50,0',
  '1.2.3',
  '1 2',
  '--5',
  '(5',
  '5 5k',
  '12kk',
  '1e5',
  '€',
])('"%s" is not a number', (text) =>
  expect(readNumber(text, localeOf('en-US'), currencyOf('en-US', 'USD'))).toBeUndefined(),
)

test.each([
  ['$12,500.50', '12500.5', 'USD', 'USD'],
  ['$12k', '12000', 'CAD', 'CAD'],
  ['12,50 €', '12.5', 'USD', 'EUR'],
  ['eur 12k', '12000', 'USD', 'EUR'],
  ['-£5', '-5', 'USD', 'GBP'],
  ['€-5', '-5', 'USD', 'EUR'],
  ['($5)', '-5', 'USD', 'USD'],
  ['12k EUR', '12000', 'USD', 'EUR'],
  ['CA$5', '5', 'USD', 'CAD'],
])('%s is %s in a field of %s', (text, value, own, currency) => {
  expect(readNumber(text, localeOf('en-US'), currencyOf('en-US', own))).toMatchObject({ value, currency })
})
