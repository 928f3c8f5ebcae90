// The default value of an attribute, edited in the editor for its type.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { mayHaveDefault } from '../../../../contract/default-values.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import type { DataForm } from '../../../shared/form/use-data-form.ts'
import { ValueEditor } from '../../../shared/values/value-editor.tsx'
import { holdsMany } from '../../../types/types.ts'

/** Form values with a default value. */
export interface WithDefaultValue {
  defaultValue: unknown
}

/** The paths of errors in the default value or a part of it. */
export const defaultPaths = (errors: Record<string, string>): string[] =>
  Object.keys(errors).filter((path) => path.startsWith('defaultValue'))

/** Converts a list to a single value if the attribute holds only one. */
export const fittingDefault = (attribute: Pick<Attribute, 'type' | 'isList'>, value: unknown): unknown =>
  Array.isArray(value) && !holdsMany(attribute) ? (value[0] ?? null) : value

interface DefaultFieldProps<Values extends WithDefaultValue> {
  form: Pick<DataForm<Values>, 'values' | 'change' | 'errors' | 'fieldsKey'>
  attribute: Attribute
}

export function DefaultField<Values extends WithDefaultValue>({
  form,
  attribute,
}: DefaultFieldProps<Values>) {
  const [cleared, setCleared] = useState(0)
  if (!mayHaveDefault(attribute)) return null
  const { values, change, errors, fieldsKey } = form
  const set = (defaultValue: unknown) => change({ defaultValue } as Partial<Values>)
  const value = fittingDefault(attribute, values.defaultValue)
  const [path] = defaultPaths(errors)
  return (
    <div className="stack gap-4">
      <ValueEditor
        key={`${fieldsKey} ${attribute.type} ${attribute.isList} ${cleared}`}
        attribute={{ ...attribute, name: 'Default' }}
        label="Default"
        value={value}
        onChange={set}
        error={path === undefined ? undefined : errors[path]}
      />
      <span className="muted tiny">New records begin with it; those that are there stay as they are</span>
      {value !== null && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          className="start"
          onClick={() => {
            set(null)
            setCleared(cleared + 1)
          }}
        >
          No default
        </Button>
      )}
    </div>
  )
}
