// Editors of values that are one text: what is typed goes out as it is, the service says what is wrong with it.
import { Checkbox, Select, TextInput } from '@mantine/core'
import type { HTMLInputTypeAttribute } from 'react'
import { COUNTRY_CODES } from '../../../contract/countries.ts'
import { CURRENCY_CODES } from '../../../contract/currencies.ts'
import { useOrganization } from '../use-organization.ts'
import { type Address, countryName, isMoney, type PersonName } from './format.ts'
import classes from './values.module.css'

/** What every editor takes; null is no value. */
export interface EditorProps {
  value: unknown
  onChange(value: unknown): void
  label?: string | undefined
  'aria-label'?: string | undefined
  error?: string | undefined
  required?: boolean | undefined
  autoFocus?: boolean | undefined
}

const textOf = (value: unknown) => (value === undefined || value === null ? '' : String(value))

export function TextEditor({
  value,
  onChange,
  type = 'text',
  inputMode,
  ...field
}: EditorProps & { type?: HTMLInputTypeAttribute; inputMode?: 'decimal' | 'tel' | 'email' }) {
  return (
    <TextInput
      {...field}
      data-autofocus={field.autoFocus || undefined}
      type={type}
      inputMode={inputMode}
      value={textOf(value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
    />
  )
}

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

export function SelectEditor({
  options,
  value,
  onChange,
  ...field
}: EditorProps & { options: readonly string[] }) {
  return (
    <Select
      {...field}
      data={options}
      value={textOf(value) || null}
      onChange={onChange}
      searchable={options.length > 8}
      clearable
    />
  )
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
      <div className={classes.rows}>
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

export function CurrencySelect({
  value,
  onChange,
  ...field
}: {
  value: string
  onChange(value: string): void
  label?: string
  'aria-label'?: string
  error?: string | undefined
  disabled?: boolean
}) {
  return (
    <Select
      {...field}
      data={CURRENCY_CODES}
      value={value}
      onChange={(code) => code && onChange(code)}
      searchable
      allowDeselect={false}
      limit={50}
    />
  )
}

export function MoneyEditor({ value, onChange, ...field }: EditorProps) {
  const { organization } = useOrganization()
  const money = isMoney(value) ? value : undefined
  const currency = money?.currency ?? organization.currency
  const setAmount = (amount: unknown) => onChange(amount === null ? null : { amount, currency })
  return (
    <div className={classes.money}>
      <TextEditor {...field} inputMode="decimal" value={money?.amount} onChange={setAmount} />
      <CurrencySelect
        aria-label="Currency"
        {...(field.label && { label: 'Currency' })}
        value={currency}
        onChange={(code) =>
          onChange(money ? { amount: money.amount, currency: code } : { amount: 0, currency: code })
        }
      />
    </div>
  )
}
