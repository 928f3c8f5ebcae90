// The fields of a form for a new record, each with its error.
import type { Attribute } from '../api/objects.ts'
import type { RecordData } from '../api/records.ts'
import type { DataForm } from '../form/use-data-form.ts'
import { ValueEditor } from './value-editor.tsx'

/** The error of a field, or of a part of its value, such as `address.country`. */
const errorOf = (errors: Record<string, string>, slug: string) =>
  Object.entries(errors).find(([path]) => path === slug || path.startsWith(`${slug}.`))?.[1]

interface RecordFieldsProps {
  form: Pick<DataForm<RecordData>, 'values' | 'change' | 'errors' | 'fieldsKey'>
  attributes: readonly Attribute[]
}

export function RecordFields({ form, attributes }: RecordFieldsProps) {
  return attributes.map((attribute, index) => (
    <ValueEditor
      key={`${form.fieldsKey} ${attribute.slug}`}
      attribute={attribute}
      label={attribute.name}
      required={attribute.isRequired}
      autoFocus={index === 0}
      value={form.values[attribute.slug] ?? null}
      onChange={(value) => form.change({ [attribute.slug]: value })}
      error={errorOf(form.errors, attribute.slug)}
    />
  ))
}
