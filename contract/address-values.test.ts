import { expect, test } from 'vitest'
import { addressParts, formatAddress, shortAddress } from './address-values.ts'

test.each([
  [
    { line1: '501 Summit Street', city: 'Helena', state: 'MT', postalCode: '59601', country: 'US' },
    '501 Summit Street, Helena, MT 59601, United States',
  ],
  [
    { line1: '10 Downing Street', city: 'London', postalCode: 'SW1A 2AA', country: 'gb' },
    '10 Downing Street, London SW1A 2AA, United Kingdom',
  ],
  [
    { line1: 'Unter den Linden 77', city: 'Berlin', postalCode: '10117', country: 'DE' },
    'Unter den Linden 77, 10117 Berlin, Germany',
  ],
  [{ city: 'Springfield', postalCode: '12345', state: 'Anywhere' }, '12345 Springfield, Anywhere'],
  [{ city: 'Toronto', country: 'CA' }, 'Toronto, Canada'],
  [{}, ''],
])('formats an address in the order of its country', (address, text) => {
  expect(formatAddress(address)).toBe(text)
})

test('lists the fields of an address in the order of its country', () => {
  expect(addressParts('US').slice(2)).toEqual(['city', 'state', 'postalCode'])
  expect(addressParts('GB').slice(2)).toEqual(['city', 'postalCode', 'state'])
  expect(addressParts(undefined).slice(2)).toEqual(['postalCode', 'city', 'state'])
})

test.each([
  [
    { line1: '501 Summit Street', city: 'Helena', state: 'MT', postalCode: '59601', country: 'US' },
    'Helena, MT · 501 Summit Street',
  ],
  [{ line1: 'Unter den Linden 77', city: 'Berlin', country: 'DE' }, 'Berlin · Unter den Linden 77'],
  [{ city: 'Toronto', country: 'CA' }, 'Toronto, Canada'],
  [{ line1: 'Saint Paul, Minnesota' }, 'Saint Paul, Minnesota'],
])('a short address begins with the city', (address, text) => {
  expect(shortAddress(address)).toBe(text)
})
