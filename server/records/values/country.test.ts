import { expect, test } from 'vitest'
import { COUNTRY_CODES } from '../../../contract/countries.ts'
import { readCountry } from './country.ts'

test.each([
  ['DE', 'DE'],
  ['de', 'DE'],
  ['DEU', 'DE'],
  ['gbr', 'GB'],
  ['Germany', 'DE'],
  ['GERMANY', 'DE'],
  ['Deutschland', 'DE'],
  ['Allemagne', 'DE'],
  ['España', 'ES'],
  ['Espana', 'ES'],
  ['Belgique', 'BE'],
  ['België', 'BE'],
  ['日本', 'JP'],
  ['Россия', 'RU'],
  ['भारत', 'IN'],
  ['UK', 'GB'],
  ['U.K.', 'GB'],
  ['Great Britain', 'GB'],
  ['England', 'GB'],
  ['USA', 'US'],
  ['U.S.A.', 'US'],
  ['The United States', 'US'],
  ['UAE', 'AE'],
  ['The Netherlands', 'NL'],
  ['Holland', 'NL'],
  ['Czechia', 'CZ'],
  ['Czech Republic', 'CZ'],
  ["Cote d'Ivoire", 'CI'],
  ['Côte d’Ivoire', 'CI'],
  ['Ivory Coast', 'CI'],
  ['South Korea', 'KR'],
  ['Turkey', 'TR'],
  ['Congo', 'CG'],
])('reads %s as %s', (text, code) => expect(readCountry(text)).toBe(code))

test.each(['ZZ', 'XXX', 'ß', 'ıt', 'Atlantis', '', '12', '—'])('%j is not a country', (text) =>
  expect(readCountry(text)).toBeUndefined(),
)

test('every country is read by its code, and by its name in English and German', () => {
  for (const language of ['en', 'de']) {
    const names = new Intl.DisplayNames(language, { type: 'region' })
    for (const code of COUNTRY_CODES) {
      expect(readCountry(code)).toBe(code)
      expect(readCountry(names.of(code) ?? '')).toBe(code)
    }
  }
})
