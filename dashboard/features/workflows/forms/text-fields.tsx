// Text inputs: texts with templates, any JSON, numbers.
import { Checkbox, NumberInput, TextInput } from '@mantine/core'
import { anyAsText, readAny } from './any-value.ts'
import { addressesAsText, readAddresses } from './comma-list.ts'
import { type FieldProps, textOf, textOrNone, useInput } from './field-props.ts'
import { TemplateInput } from './template-input.tsx'
import { type Codec, useTyped } from './use-typed.ts'

export function TextField(props: FieldProps) {
  const { field, value, onChange } = props
  return (
    <TemplateInput
      {...useInput(props)}
      value={textOf(value)}
      onChange={(text) => onChange(textOrNone(text, field))}
      isLong={field.kind === 'longTemplate'}
    />
  )
}

const ANY: Codec = { read: readAny, print: anyAsText }
const ADDRESSES: Codec = { read: (text) => ({ value: readAddresses(text) }), print: addressesAsText }

function TypedField({ codec, ...props }: FieldProps & { codec: Codec }) {
  const { field, value, onChange } = props
  const { error, ...input } = useInput(props)
  const typed = useTyped(value, codec, (read) =>
    onChange(read === '' && !field.isRequired ? undefined : read),
  )
  return (
    <TemplateInput
      {...input}
      value={typed.text}
      onChange={typed.type}
      error={typed.problem ?? error}
      isLong={field.kind === 'json'}
      isCode={field.kind === 'json'}
    />
  )
}

/** Text, or any other JSON value. */
export const AnyField = (props: FieldProps) => <TypedField {...props} codec={ANY} />

/** A list is typed with commas. */
export const AddressesField = (props: FieldProps) => <TypedField {...props} codec={ADDRESSES} />

export function NumberField(props: FieldProps) {
  const { field, value, onChange } = props
  const { default: usual, minimum, maximum } = field.schema
  return (
    <NumberInput
      {...useInput(props)}
      value={typeof value === 'number' ? value : ''}
      placeholder={usual === undefined ? undefined : String(usual)}
      min={minimum}
      max={maximum}
      allowDecimal={false}
      onChange={(number) => onChange(number === '' ? undefined : Number(number))}
    />
  )
}

/** Text without templates, such as a name. */
export function PlainField(props: FieldProps) {
  const { field, value, onChange } = props
  return (
    <TextInput
      {...useInput(props)}
      value={textOf(value)}
      autoComplete="off"
      spellCheck={false}
      onChange={({ currentTarget }) => onChange(textOrNone(currentTarget.value, field))}
    />
  )
}

export function TimeField(props: FieldProps) {
  const { field, value, onChange } = props
  return (
    <TextInput
      {...useInput(props)}
      type="time"
      value={textOf(value)}
      onChange={({ currentTarget }) => onChange(textOrNone(currentTarget.value, field))}
    />
  )
}

export function FlagField(props: FieldProps) {
  const { value, onChange } = props
  const { required: _, ...input } = useInput(props)
  return (
    <Checkbox
      {...input}
      checked={value === true}
      onChange={({ currentTarget }) => onChange(currentTarget.checked || undefined)}
    />
  )
}
