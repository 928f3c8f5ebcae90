import { expect, test } from 'vitest'
import { fieldOf, filterable } from './record-fields.ts'

test('parts of attributes are text fields, listed after attributes and record fields', () => {
  const of = { objectId: 'o' }
  const attributes = [
    fieldOf({ ...of, slug: 'name', name: 'Name', type: 'name' }),
    fieldOf({ ...of, slug: 'homes', name: 'Homes', type: 'address', isList: true }),
    fieldOf({ ...of, slug: 'amount', name: 'Amount', type: 'currency' }),
  ]
  const parts = filterable(attributes).slice(attributes.length + 4)
  expect(parts.map(({ slug, name, type, isList }) => [slug, name, type, isList])).toEqual([
    ['name.firstName', 'Name (first name)', 'text', false],
    ['name.lastName', 'Name (last name)', 'text', false],
    ['homes.line1', 'Homes (street)', 'text', true],
    ['homes.line2', 'Homes (apartment, suite)', 'text', true],
    ['homes.city', 'Homes (city)', 'text', true],
    ['homes.state', 'Homes (state or region)', 'text', true],
    ['homes.postalCode', 'Homes (postal code)', 'text', true],
    ['homes.country', 'Homes (country)', 'text', true],
    ['amount.currency', 'Amount (currency)', 'text', false],
  ])
})
