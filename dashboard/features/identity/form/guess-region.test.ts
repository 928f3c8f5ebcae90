import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { COUNTRY_CODES } from '../../../../contract/countries.ts'
import { CURRENCY_CODES } from '../../../../contract/currencies.ts'
import { isTimeZone } from '../../../shared/time-zone.ts'
import { currencyOf, guessRegion } from './guess-region.ts'

/** Languages as systems and browsers report them: BCP 47, and forms outside of it. */
const LANGUAGES = fc.oneof(
  fc.constantFrom(
    ...[
      'en-US@posix',
      'en_US.UTF-8',
      'C',
      'POSIX',
      'C.UTF-8',
      '',
      '*',
      'de@euro',
      'sr-RS@latin',
      'x-klingon',
    ],
    ...['es-419', 'en-001', 'en-150', 'eo', 'yi', 'zh-Hant-TW', 'i-default', 'de-DE-u-co-phonebk', 'und'],
  ),
  fc.string(),
  fc.stringMatching(/^[a-z]{2,3}([-_@.][A-Za-z0-9]{1,8}){0,3}$/),
)
const TIME_ZONES = fc.oneof(
  fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
  fc.constantFrom(
    'Etc/Unknown',
    '',
    ':/etc/localtime',
    '+02:00',
    'CEST',
    'Mars/Olympus',
    'undefined',
    undefined,
  ),
  fc.string(),
)

describe('guessRegion', () => {
  test.each([
    ['en-US', 'Europe/Berlin', { country: 'DE', currency: 'EUR' }],
    ['en-US', 'America/New_York', { country: 'US', currency: 'USD' }],
    ['de', 'Europe/Zurich', { country: 'CH', currency: 'CHF' }],
    ['pt-BR', 'America/Sao_Paulo', { country: 'BR', currency: 'BRL' }],
    ['ja', 'UTC', { country: 'JP', currency: 'JPY' }],
  ])('language %s, time zone %s', (language, timeZone, expected) =>
    expect(guessRegion({ language, timeZone })).toEqual({ ...expected, timeZone }),
  )

  test.each([
    ['en-GB', 'Etc/Unknown', { country: 'GB', currency: 'GBP', timeZone: 'UTC' }],
    ['en-US@posix', 'Europe/Vienna', { country: 'AT', currency: 'EUR', timeZone: 'Europe/Vienna' }],
    ['en-US@posix', undefined, { country: 'US', currency: 'USD', timeZone: 'UTC' }],
    ['es-419', '+02:00', { country: 'US', currency: 'USD', timeZone: 'UTC' }],
    ['en-AU', 'AET', { country: 'AU', currency: 'AUD', timeZone: 'UTC' }],
  ])('language %s, time zone %s: ignores an invalid language or time zone', (language, timeZone, expected) =>
    expect(guessRegion({ language, timeZone })).toEqual(expected),
  )

  test('returns a region that the service accepts, for any language and time zone of a browser', () => {
    fc.assert(
      fc.property(LANGUAGES, TIME_ZONES, (language, named) => {
        const { country, currency, timeZone } = guessRegion({ language, timeZone: named })
        expect(COUNTRY_CODES).toContain(country)
        expect(CURRENCY_CODES).toContain(currency)
        expect(isTimeZone(timeZone)).toBe(true)
      }),
    )
  })
})

describe('currencyOf', () => {
  test.each([
    ['MX', 'MXN'],
    ['CL', 'CLP'],
    ['UY', 'UYU'],
    ['FR', 'EUR'],
    ['EC', 'USD'],
    ['SN', 'USD'],
  ])('%s → %s', (country, currency) => expect(currencyOf(country)).toBe(currency))

  test('returns a known currency for every country', () => {
    for (const country of COUNTRY_CODES) expect(CURRENCY_CODES).toContain(currencyOf(country))
  })
})
