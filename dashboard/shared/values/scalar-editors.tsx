// Editors of values that are one text: what is typed goes out as it is, the service says what is wrong with it.
import { Checkbox, Select, TextInput } from '@mantine/core'
import type { HTMLInputTypeAttribute } from 'react'
import { COUNTRY_CODES } from '../../../contract/countries.ts'
import type { EditorProps } from './editor-props.ts'
import { type Address, countryName, type PersonName } from './format.ts'
import { OnePicker } from './one-picker.tsx'
import classes from './values.module.css'

const textOf = (value: unknown) => (value === undefined || value === null ? '' : String(value))

export function TextEditor({
  value,
  onChange,
  type = 'text',
  ...field
}: EditorProps & { type?: HTMLInputTypeAttribute }) {
  return (
    <TextInput
      {...field}
      data-autofocus={field.autoFocus || undefined}
      type={type}
      value={textOf(value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
    />
  )
}

export const DayEditor = (props: EditorProps) => <TextEditor {...props} type="date" />

export function CheckboxEditor({ value, onChange, label, required: _, ...field }: EditorProps) {
  return (
    <Checkbox
      {...field}
      label={label}
      checked={value === true}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  )
}

export function SelectEditor({ options, value, ...field }: EditorProps & { options: readonly string[] }) {
  const data = options.map((option) => ({ value: option, label: option }))
  return <OnePicker {...field} data={data} value={textOf(value) || null} />
}

/** Without its empty parts; null when nothing is left. */
function compact<Value extends object>(value: Value): Value | null {
  const entries = Object.entries(value).filter(([, part]) => part !== undefined && part !== '')
  return entries.length > 0 ? (Object.fromEntries(entries) as Value) : null
}

export function NameEditor({ value, onChange, label, error, autoFocus, required }: EditorProps) {
  const name = (value ?? {}) as PersonName
  const set = (part: PersonName) => onChange(compact({ ...name, ...part }))
  return (
    <fieldset className={classes.group} aria-label={label}>
      <div className={classes.pair}>
        <TextInput
          label="First name"
          value={name.firstName ?? ''}
          autoFocus={autoFocus ?? false}
          data-autofocus={autoFocus || undefined}
          required={required ?? false}
          withAsterisk={required ?? false}
          error={error}
          onChange={({ currentTarget }) => set({ firstName: currentTarget.value })}
        />
        <TextInput
          label="Last name"
          value={name.lastName ?? ''}
          onChange={({ currentTarget }) => set({ lastName: currentTarget.value })}
        />
      </div>
    </fieldset>
  )
}

const COUNTRIES = COUNTRY_CODES.map((code) => ({ value: code, label: countryName(code) })).sort((a, b) =>
  a.label.localeCompare(b.label),
)

export function CountrySelect({
  value,
  onChange,
  clearable = true,
  ...field
}: {
  value: string | null
  onChange(value: string | null): void
  label: string
  error?: string | undefined
  disabled?: boolean
  clearable?: boolean
}) {
  return (
    <Select
      {...field}
      data={COUNTRIES}
      value={value}
      onChange={onChange}
      searchable
      clearable={clearable}
      limit={60}
    />
  )
}

const ADDRESS_PARTS = [
  ['line1', 'Street'],
  ['line2', 'Apartment, suite'],
  ['postalCode', 'Postal code'],
  ['city', 'City'],
  ['state', 'State or region'],
] as const

export function AddressEditor({ value, onChange, label, error, autoFocus }: EditorProps) {
  const address = (value ?? {}) as Address
  const set = (part: Address) => onChange(compact({ ...address, ...part }))
  return (
    <fieldset className={classes.group} aria-label={label}>
      {label && <legend className={classes.legend}>{label}</legend>}
      <div className="stack gap-8">
        {ADDRESS_PARTS.map(([part, name], index) => (
          <TextInput
            key={part}
            label={name}
            value={address[part] ?? ''}
            autoFocus={(autoFocus ?? false) && index === 0}
            error={index === 0 ? error : undefined}
            onChange={({ currentTarget }) => set({ [part]: currentTarget.value })}
          />
        ))}
        <CountrySelect
          label="Country"
          value={address.country ?? null}
          onChange={(country) => set({ country: country ?? '' })}
        />
      </div>
    </fieldset>
  )
}
