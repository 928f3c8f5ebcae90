// The id of a record or member: usually a template, sometimes a chosen one.
import { useQuery } from '@tanstack/react-query'
import { membersQuery } from '../../../shared/api/members.ts'
import { ReferencePicker } from '../../../shared/values/reference-picker.tsx'
import { Select } from '../../../ui/select.tsx'
import { isId } from '../canvas/value-words.ts'
import { type FieldProps, type InputProps, textOf, useInput } from './field-props.ts'
import { useFormPlace } from './form-context.ts'
import { TemplateInput } from './template-input.tsx'
import { Switched } from './value-or-template.tsx'

interface CertainProps extends Omit<InputProps, 'description'> {
  value: string | null
  onChange(value: unknown): void
}

function MemberPicker({ onChange, ...field }: CertainProps) {
  const { data = [] } = useQuery(membersQuery(useFormPlace().context.org))
  return (
    <Select
      {...field}
      data={data.map(({ user }) => ({ value: user.id, label: user.name || user.email }))}
      onChange={(id) => onChange(id ?? '')}
      clearable
    />
  )
}

/** @param isMember chooses a member of the organization instead of a record */
export function RecordField({ isMember = false, ...props }: FieldProps & { isMember?: boolean }) {
  const { value, onChange, object } = props
  const { objects } = useFormPlace().context
  // No description between label and field, because the buttons next to the field are aligned with it.
  const { description: _, ...input } = useInput(props)
  const target = objects.find(({ id, slug }) => id === object || slug === object)
  const template = (text: string) => (
    <TemplateInput {...input} value={text} onChange={onChange} placeholder="Choose a record" />
  )
  const id = textOf(value)
  // A text field without an object to choose from, and for text that is neither id nor template and must be corrected.
  if ((!isMember && !target) || (id !== '' && !id.includes('{{') && !isId(id))) return template(id)
  const certain = { ...input, value: id || null, onChange }
  return (
    <Switched
      value={value}
      what={isMember ? 'the user' : 'the record'}
      onChange={onChange}
      none=""
      isLabelled
      template={template}
      editor={
        isMember ? (
          <MemberPicker {...certain} />
        ) : (
          <ReferencePicker
            label={props.field.label}
            error={input.error}
            required={input.required}
            objectId={target?.id ?? ''}
            value={id || null}
            onChange={(chosen) => onChange(chosen ?? '')}
          />
        )
      }
    />
  )
}
