// Whether values are unique, and the consequence of switching this off.
import { Checkbox, type CheckboxProps } from '@mantine/core'
import { NEVER_UNIQUE } from '../../../../contract/attribute-types.ts'
import { hasDefault } from '../../../../contract/default-values.ts'
import type { Attribute } from '../../../shared/api/objects.ts'

export function UniqueField({ attribute, ...field }: { attribute: Attribute } & CheckboxProps) {
  if (NEVER_UNIQUE.has(attribute.type)) return null
  const isHeld = !attribute.isUnique && hasDefault(attribute)
  return (
    <>
      <Checkbox
        label="Unique"
        description={
          isHeld
            ? 'Several records get the default: save without it first'
            : 'No two records have the same value'
        }
        disabled={isHeld}
        {...field}
      />
      {attribute.isUnique && field.checked === false && (
        <p className="muted small" role="status">
          Imports and programs can then no longer find records by this value.
        </p>
      )}
    </>
  )
}
