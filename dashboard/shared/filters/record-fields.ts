// Fields that every record has in addition to its attributes, with the names that filters use.
import { TYPE_CONTRACTS } from '../../../contract/attribute-types.ts'
import type { Attribute } from '../api/objects.ts'
import { partWords } from '../values/part-words.ts'

/** A field that is not an attribute of an object. */
export const fieldOf = (
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
  defaultValue: null,
  createdAt: '',
  updatedAt: '',
  ...field,
})

export const recordFields = (objectId: string): Attribute[] => [
  fieldOf({ slug: 'created_at', name: 'Created', type: 'date', objectId }),
  fieldOf({ slug: 'updated_at', name: 'Updated', type: 'date', objectId }),
  fieldOf({ slug: 'created_by', name: 'Created by', type: 'member', objectId, isRequired: false }),
  fieldOf({
    ...{ slug: 'id', name: 'Record', type: 'reference', objectId },
    config: { allowed_object_id: objectId },
  }),
]

/** The parts of an attribute's values, as fields. The amount of money is omitted: the attribute itself compares it. */
export const partFields = ({ slug, name, type, isList, objectId }: Attribute): Attribute[] =>
  (TYPE_CONTRACTS[type].parts ?? [])
    .filter((part) => part !== 'amount')
    .map((part) =>
      fieldOf({
        ...{ slug: `${slug}.${part}`, name: `${name} (${partWords(part)})`, type: 'text' },
        ...{ isList, objectId, isRequired: false },
      }),
    )

/** All fields to filter by. An attribute overrides a field with its slug. @param attributes of one object */
export function filterable(attributes: readonly Attribute[]): readonly Attribute[] {
  const [first] = attributes
  if (!first) return []
  const own = new Set(attributes.map(({ slug }) => slug))
  const fields = recordFields(first.objectId).filter(({ slug }) => !own.has(slug))
  return [...attributes, ...fields, ...attributes.flatMap(partFields)]
}
