import { COUNTRY_CODES } from '../../../contract/countries.ts'
import { Select } from '../../ui/select.tsx'
import { countryName } from './format.ts'

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
