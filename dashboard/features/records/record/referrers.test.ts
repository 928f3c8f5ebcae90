import { expect, test } from 'vitest'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { linkedValue, unlinkedValue } from './linked-value.ts'
import { referencesOf, referrersOf, referrerTitle, tellingAttributes } from './referrers.ts'

const attribute = (slug: string, type: Attribute['type'], target?: string) =>
  ({ slug, type, isList: false, config: target ? { allowed_object_id: target } : null }) as Attribute
const object = (id: string, attributes: Attribute[], isActive = true) =>
  ({ id, attributes, isActive }) as ObjectWithAttributes

test('finds every attribute that refers to the object, including its own, except those of inactive objects', () => {
  const objects = [
    object('companies', [attribute('parent', 'reference', 'companies'), attribute('name', 'text')]),
    object('people', [
      attribute('company', 'reference', 'companies'),
      attribute('boss', 'reference', 'people'),
    ]),
    object('old', [attribute('company', 'reference', 'companies')], false),
  ]
  expect(referrersOf(objects, 'companies').map((one) => `${one.object.id}.${one.attribute.slug}`)).toEqual([
    'companies.parent',
    'people.company',
  ])
})

test('the title omits the attribute if the object has only one such reference', () => {
  const contact = { ...attribute('contact', 'reference', 'people'), name: 'Contact' }
  const referrer = { object: { ...object('deals', [contact]), pluralName: 'Deals' }, attribute: contact }
  expect(referrerTitle(referrer, [referrer])).toBe('Deals')
  expect(referrerTitle(referrer, [referrer, referrer])).toBe('Deals · Contact')
})

test('finds references with a value in attribute order, with at most ten ids each', () => {
  const many = Array.from({ length: 12 }, (_, at) => `p${at}`)
  const attributes = [
    attribute('name', 'text'),
    attribute('company', 'reference', 'companies'),
    attribute('contact', 'reference', 'people'),
    attribute('team', 'reference', 'people'),
    attribute('owner', 'reference'),
  ]
  const data = { name: 'companies', company: 'c1', contact: null, team: many, owner: 'u1' }
  const found = referencesOf(attributes, data, [object('people', []), object('companies', [])])
  expect(found.map((one) => [one.attribute.slug, one.target.id, one.ids.length, one.more])).toEqual([
    ['company', 'companies', 1, 0],
    ['team', 'people', 10, 2],
  ])
})

test('shows the stage before the amount, and adds a date to an amount', () => {
  const deals = object('deals', [
    attribute('closes_on', 'date'),
    attribute('amount', 'currency'),
    attribute('stage', 'select'),
  ])
  const slugs = (data: Record<string, unknown>) => tellingAttributes(deals, data).map(({ slug }) => slug)
  expect(slugs({ closes_on: '2026-11-21', amount: {}, stage: 'Won' })).toEqual([
    'stage',
    'amount',
    'closes_on',
  ])
  expect(slugs({ closes_on: '2026-11-21' })).toEqual(['closes_on'])
})

test.each([
  [false, 'r1', 'r2'],
  [true, undefined, ['r2']],
  [true, ['r1'], ['r1', 'r2']],
  [true, ['r2', 'r1'], ['r2', 'r1']],
])('isList %j, %j: linking r2 gives %j', (isList, before, after) => {
  expect(linkedValue({ isList }, before, 'r2')).toEqual(after)
})

test.each([
  [false, 'r2', null],
  [true, ['r2'], null],
  [true, ['r1', 'r2'], ['r1']],
])('isList %j, %j: unlinking r2 gives %j', (isList, before, after) => {
  expect(unlinkedValue({ isList }, before, 'r2')).toEqual(after)
})
