import type { Attribute } from './objects.ts'

/** A text attribute with the given differences. */
export const attributeOf = (more: Partial<Attribute> = {}): Attribute => ({
  id: 'a',
  objectId: 'o',
  name: 'A',
  slug: 'a',
  type: 'text',
  isRequired: false,
  isUnique: false,
  isList: false,
  isNaming: false,
  isActive: true,
  displayOrder: 0,
  config: null,
  defaultValue: null,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  ...more,
})
