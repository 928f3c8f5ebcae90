// A field for each parameter that a workflow declares.
import { Checkbox, NumberInput, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { WorkflowParameter } from '../../../api/workflows.ts'
import type { Draft, Drafts } from './parameters.ts'

interface FieldProps {
  parameter: WorkflowParameter
  draft: Draft | undefined
  error: string | undefined
  onChange(draft: Draft): void
}

function TextField({ parameter: { name, label, type, required }, draft, error, onChange }: FieldProps) {
  const field = { label: label || name, required: required ?? false, error, value: String(draft ?? '') }
  if (type === 'number')
    return <NumberInput {...field} onChange={(value) => onChange(String(value))} allowDecimal />
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
  const { parameter, draft, error, onChange } = props
  const label = parameter.label || parameter.name
  if (parameter.type === 'checkbox')
    return (
      <Checkbox
        label={label}
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
  /** By the parameter's name. */
  errors: Readonly<Record<string, string>>
  onChange(name: string, draft: Draft): void
}

export function ParameterFields({ parameters, drafts, errors, onChange }: ParameterFieldsProps) {
  return parameters.map((parameter) => (
    <Field
      key={parameter.name}
      parameter={parameter}
      draft={drafts[parameter.name]}
      error={errors[parameter.name]}
      onChange={(draft) => onChange(parameter.name, draft)}
    />
  ))
}
