import { expect, test } from 'vitest'
import { alongFields, isAlong } from './along.ts'
import { fieldOf, filterable } from './record-fields.ts'

const to = (id: string) => ({ type: 'reference' as const, config: { allowed_object_id: id } })
const objects = {
  deals: [
    fieldOf({ objectId: 'deals', slug: 'name', name: 'Name', type: 'text', id: '1' }),
    fieldOf({ objectId: 'deals', slug: 'contact', name: 'Contact', id: '2', ...to('people') }),
    fieldOf({ objectId: 'deals', slug: 'partners', name: 'Partners', id: '3', isList: true, ...to('none') }),
  ],
  people: [
    fieldOf({ objectId: 'people', slug: 'home', name: 'Home', type: 'address', id: '4' }),
    fieldOf({
      objectId: 'people',
      slug: 'companies',
      name: 'Companies',
      id: '5',
      isList: true,
      ...to('companies'),
    }),
  ],
  companies: [
    fieldOf({ objectId: 'companies', slug: 'industry', name: 'Industry', type: 'select', id: '6' }),
  ],
}

test('referenced attributes have paths and names, and include parts and record fields', () => {
  const { near, far } = alongFields(filterable(objects.deals), (id) => objects[id as keyof typeof objects])
  const shown = [...near, ...far].map(({ slug, name, type, isList }) => [slug, name, type, isList])
  expect(shown).toHaveLength(2 + 4 + 6 + 1 + 4)
  expect(shown).toEqual(
    expect.arrayContaining([
      ['contact.home', 'Contact → Home', 'address', false],
      ['contact.home.city', 'Contact → Home (city)', 'text', false],
      ['contact.created_at', 'Contact → Created', 'date', false],
      ['contact.companies', 'Contact → Companies', 'reference', true],
      ['contact.companies.industry', 'Contact → Companies → Industry', 'select', true],
    ]),
  )
  expect(new Set([...near, ...far].map(({ id }) => id)).size).toBe(shown.length)
})

test('a path to a part of an attribute is not a path along a reference', () => {
  const asked = ['contact.name', 'contact', 'name.lastName', 'id.name']
  expect(asked.map((path) => isAlong(path, filterable(objects.deals)))).toEqual([true, false, false, false])
})
