// A field for each parameter of a workflow.
import { Checkbox, TagsInput, Textarea, TextInput } from '@mantine/core'
import { NumberEditor } from '../../../shared/values/number-editor.tsx'
import type { WorkflowParameter } from '../api/workflows.ts'
import type { Draft, Drafts } from './parameters.ts'

interface FieldProps {
  parameter: WorkflowParameter
  draft: Draft | undefined
  error: string | undefined
  hasFocus: boolean
  onChange(draft: Draft): void
}

/** Focuses a field that is rendered when the dialog opens (data-autofocus) or later (autoFocus). */
const focused = (hasFocus: boolean) => ({ autoFocus: hasFocus, 'data-autofocus': hasFocus || undefined })

function TextField({ parameter, draft, error, hasFocus, onChange }: FieldProps) {
  const { name, label, type, required } = parameter
  const value = String(draft ?? '')
  const field = { label: label || name, required: required ?? false, error, value, ...focused(hasFocus) }
  if (type === 'number')
    return <NumberEditor {...field} value={value || null} onChange={(read) => onChange(String(read ?? ''))} />
  if (type === 'json')
    return (
      <Textarea
        {...field}
        description="JSON"
        ff="monospace"
        spellCheck={false}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  return (
    <TextInput
      {...field}
      type={type === 'date' ? 'date' : 'text'}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

function Field(props: FieldProps) {
  const { parameter, draft, error, hasFocus, onChange } = props
  const label = parameter.label || parameter.name
  if (parameter.type === 'checkbox')
    return (
      <Checkbox
        label={label}
        {...focused(hasFocus)}
        checked={draft === true}
        error={error}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    )
  if (parameter.type === 'list')
    return (
      <TagsInput
        label={label}
        description="Enter after each"
        {...focused(hasFocus)}
        required={parameter.required ?? false}
        value={Array.isArray(draft) ? draft : []}
        error={error}
        onChange={onChange}
      />
    )
  return <TextField {...props} />
}

interface ParameterFieldsProps {
  parameters: readonly WorkflowParameter[]
  drafts: Drafts
  /** Errors by name of the parameter. */
  errors: Readonly<Record<string, string>>
  /** Whether the first field gets the focus. */
  hasFocus: boolean
  onChange(name: string, draft: Draft): void
}

export function ParameterFields(props: ParameterFieldsProps) {
  const { parameters, drafts, errors, hasFocus, onChange } = props
  return parameters.map((parameter, at) => (
    <Field
      key={parameter.name}
      parameter={parameter}
      draft={drafts[parameter.name]}
      error={errors[parameter.name]}
      hasFocus={hasFocus && at === 0}
      onChange={(draft) => onChange(parameter.name, draft)}
    />
  ))
}
