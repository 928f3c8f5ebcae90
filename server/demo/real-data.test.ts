import { expect, test } from 'vitest'
import { founding, headquarters, officeAddress, readCompanies, readPeople } from './real-data.ts'

test.each<[string, unknown]>([
  ['Saint Paul, Minnesota', { city: 'Saint Paul', state: 'Minnesota', country: 'US' }],
  ['Washington, D.C.', { city: 'Washington', state: 'D.C.', country: 'US' }],
  ['Miami, Florida[3]', { city: 'Miami', state: 'Florida', country: 'US' }],
  ['Dublin, Ireland', { city: 'Dublin', country: 'IE' }],
  ['Warmley, Bristol, United Kingdom', { city: 'Warmley', state: 'Bristol', country: 'GB' }],
  ['Columbus, Ohio; Detroit, Michigan', { line1: 'Columbus, Ohio; Detroit, Michigan', country: 'US' }],
  ['none', undefined],
])('reads the headquarters %s', (text, address) => {
  expect(headquarters(text)).toEqual(address)
})

test.each<[string, unknown]>([
  ['1902', { founded: 1902 }],
  ['2013 (1888)', { founded: 2013, founding_note: '2013 (1888)' }],
  ['1904/1946/1959', { founded: 1904, founding_note: '1904/1946/1959' }],
])('reads the founding year %s', (text, data) => {
  expect(founding(text)).toEqual(data)
})

test.each<[string, unknown]>([
  [
    '511 Hart Senate Office Building Washington DC 20510',
    {
      line1: '511 Hart Senate Office Building',
      city: 'Washington',
      state: 'DC',
      postalCode: '20510',
      country: 'US',
    },
  ],
  ['Somewhere else', { line1: 'Somewhere else' }],
  ['', undefined],
])('reads the office address %s', (text, address) => {
  expect(officeAddress(text)).toEqual(address)
})

test('reads every row of the samples and adds nothing', async () => {
  const companies = await readCompanies()
  expect(companies).toHaveLength(503)
  expect(companies[0]).toEqual({
    name: '3M',
    ticker: 'MMM',
    sector: 'Industrials',
    sub_industry: 'Industrial Conglomerates',
    address: { city: 'Saint Paul', state: 'Minnesota', country: 'US' },
    sp500_since: '1957-03-04',
    cik: '66740',
    founded: 1902,
    tags: ['S&P 500'],
    fictional: false,
  })
  const people = await readPeople()
  expect(people).toHaveLength(537)
  expect(people[1]).toEqual({
    name: { firstName: 'Amy Jean', lastName: 'Klobuchar' },
    phone: '202-224-3244',
    birthday: '1960-05-25',
    office_address: officeAddress('425 Dirksen Senate Office Building Washington DC 20510'),
    chamber: 'Senate',
    state: 'MN',
    party: 'Democrat',
    website: 'https://www.klobuchar.senate.gov',
    first_elected: '2007-01-04',
    bioguide_id: 'K000367',
    tags: ['US Congress'],
    fictional: false,
  })
})
