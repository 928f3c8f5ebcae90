// Whether values are unique, and what follows where they no longer are.
import { Checkbox, type CheckboxProps } from '@mantine/core'
import { NEVER_UNIQUE } from '../../../../contract/attribute-types.ts'
import type { Attribute } from '../../../shared/api/objects.ts'

export function UniqueField({ attribute, ...field }: { attribute: Attribute } & CheckboxProps) {
  if (NEVER_UNIQUE.has(attribute.type)) return null
  return (
    <>
      <Checkbox label="Unique" description="No two records have the same value" {...field} />
      {attribute.isUnique && field.checked === false && (
        <p className="muted small" role="status">
          Imports and programs can then no longer find records by this value.
        </p>
      )}
    </>
  )
}
