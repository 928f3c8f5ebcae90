import currencies from 'currency-codes'
import countries from 'i18n-iso-countries'
import { expect, test } from 'vitest'
import { COUNTRY_CODES } from './countries.ts'
import { CURRENCY_CODES } from './currencies.ts'

test('the dashboard offers exactly the countries that the service accepts', () => {
  expect(COUNTRY_CODES).toEqual(Object.keys(countries.getAlpha2Codes()).sort())
})

test('the dashboard offers exactly the currencies that the service accepts', () => {
  expect(CURRENCY_CODES).toEqual(currencies.codes().sort())
})
