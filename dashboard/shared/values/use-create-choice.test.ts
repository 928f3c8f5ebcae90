import { expect, test } from 'vitest'
import { attributeOf } from '../api/attribute.fixture.ts'
import { askedOf } from './use-create-choice.tsx'

test('askedOf returns the name and the required attributes without a default', () => {
  const attributes = [
    attributeOf({ slug: 'name', isNaming: true }),
    attributeOf({ slug: 'code', isRequired: true }),
    attributeOf({ slug: 'stage', isRequired: true, defaultValue: 'New' }),
    attributeOf({ slug: 'note' }),
  ]
  const object = {
    ...{ id: 'o', slug: 'things', type: 'custom' as const, isActive: true, namingAttributeId: 'a' },
    ...{ pluralName: 'Things', singularName: 'Thing', description: '', createdAt: '', updatedAt: '' },
    attributes,
  }
  expect(askedOf(object).map(({ slug }) => slug)).toEqual(['name', 'code'])
})
