// When records were created and changed: what filters may name beside the attributes of an object.
import type { Attribute } from '../api/objects.ts'

const momentOf = (slug: string, name: string): Attribute => ({
  id: slug,
  objectId: '',
  name,
  slug,
  type: 'date',
  isRequired: true,
  isUnique: false,
  isList: false,
  isNaming: false,
  isActive: true,
  displayOrder: 0,
  config: null,
  createdAt: '',
  updatedAt: '',
})

const MOMENTS = [momentOf('created_at', 'Created'), momentOf('updated_at', 'Updated')]

/** What records can be filtered by. */
export const filterable = (attributes: readonly Attribute[]): readonly Attribute[] => [
  ...attributes,
  ...MOMENTS,
]
