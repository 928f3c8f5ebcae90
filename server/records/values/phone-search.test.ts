import { describe, expect, test } from 'vitest'
import { matchesPhone, type PhoneOperator, phoneSearch } from './phone-search.ts'

const matches = (phone: string, operator: PhoneOperator, digits: string) =>
  matchesPhone(phone, phoneSearch(operator, digits))

const US = '+15558675309'
const GB = '+442079460958'
const HU = '+3612345678'
const IT = '+390612345678'
const RU = '+74951234567'
const EXTENSION = '+15558675309;ext=12'

describe('phoneSearch in national and international formats', () => {
  test.each<[string, PhoneOperator, string]>([
    [US, 'startsWith', '555867'],
    [US, 'startsWith', '1555'],
    [US, 'startsWith', '+1555'],
    [GB, 'startsWith', '0207946'],
    [GB, 'startsWith', '20'],
    [GB, 'startsWith', '4420'],
    [GB, 'startsWith', '0'],
    [HU, 'startsWith', '061234'],
    [IT, 'startsWith', '0612'],
    [RU, 'startsWith', '8495'],
    [GB, 'contains', '02079'],
    [GB, 'contains', '7946'],
    [GB, 'contains', '+4420'],
    [GB, 'endsWith', '02079460958'],
    [GB, 'endsWith', '0958'],
    [HU, 'endsWith', '0612345678'],
    [EXTENSION, 'startsWith', '555867'],
    [EXTENSION, 'startsWith', '5558675309;ext=12'],
    [EXTENSION, 'contains', '5309;ext=1'],
    [EXTENSION, 'endsWith', '12'],
    [EXTENSION, 'endsWith', '5309;ext=12'],
  ])('matches %s %s %s', (phone, operator, digits) => expect(matches(phone, operator, digits)).toBe(true))

  test.each<[string, PhoneOperator, string]>([
    [US, 'startsWith', '0555'],
    [US, 'startsWith', '8675309'],
    [US, 'startsWith', '+555'],
    [IT, 'startsWith', '6123'],
    [GB, 'startsWith', '+20'],
    [GB, 'contains', '0946'],
    [GB, 'contains', '+207'],
    [GB, 'endsWith', '0207946'],
    [GB, 'endsWith', '09460958'],
    [EXTENSION, 'endsWith', '5309'],
    [EXTENSION, 'startsWith', '5558675309;ext=2'],
  ])('does not match %s %s %s', (phone, operator, digits) =>
    expect(matches(phone, operator, digits)).toBe(false),
  )
})

test('no start of a search is a prefix of another, so that an index finds each number once', () => {
  for (const digits of ['0', '1', '5', '06', '44', '555', '0207']) {
    const { starts } = phoneSearch('startsWith', digits)
    const sorted = starts.toSorted()
    expect(sorted.filter((one, place) => place > 0 && one.startsWith(sorted[place - 1] ?? ''))).toEqual([])
  }
})
