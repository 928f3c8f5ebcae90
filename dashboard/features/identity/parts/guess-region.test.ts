import { describe, expect, test } from 'vitest'
import { COUNTRY_CODES } from '../../../../contract/countries.ts'
import { CURRENCY_CODES } from '../../../../contract/currencies.ts'
import { currencyOf, guessRegion } from './guess-region.ts'

describe('guessRegion', () => {
  test.each([
    ['en-US', 'Europe/Berlin', { country: 'DE', currency: 'EUR' }],
    ['en-US', 'America/New_York', { country: 'US', currency: 'USD' }],
    ['de', 'Europe/Zurich', { country: 'CH', currency: 'CHF' }],
    ['pt-BR', 'America/Sao_Paulo', { country: 'BR', currency: 'BRL' }],
    ['ja', 'UTC', { country: 'JP', currency: 'JPY' }],
    ['en-GB', 'Etc/Unknown', { country: 'GB', currency: 'GBP' }],
  ])('%s in %s', (language, timeZone, expected) =>
    expect(guessRegion({ language, timeZone })).toEqual({ ...expected, timeZone }),
  )
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

  test('is one of the currencies for every country', () => {
    for (const country of COUNTRY_CODES) expect(CURRENCY_CODES).toContain(currencyOf(country))
  })
})
