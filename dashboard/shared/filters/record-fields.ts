// Fields that every record has, besides the attributes of its object, as filters name them.
import type { Attribute } from '../api/objects.ts'

const fieldOf = (
  field: Pick<Attribute, 'slug' | 'name' | 'type' | 'objectId'> & Partial<Attribute>,
): Attribute => ({
  id: field.slug,
  isRequired: true,
  isUnique: false,
  isList: false,
  isNaming: false,
  isActive: true,
  displayOrder: 0,
  config: null,
  createdAt: '',
  updatedAt: '',
  ...field,
})

/** What records can be filtered by. @param attributes of one object */
export function filterable(attributes: readonly Attribute[]): readonly Attribute[] {
  const [first] = attributes
  if (!first) return []
  const { objectId } = first
  return [
    ...attributes,
    fieldOf({ slug: 'created_at', name: 'Created', type: 'date', objectId }),
    fieldOf({ slug: 'updated_at', name: 'Updated', type: 'date', objectId }),
    fieldOf({
      ...{ slug: 'id', name: 'Record', type: 'reference', objectId },
      config: { allowed_object_id: objectId },
    }),
  ]
}
