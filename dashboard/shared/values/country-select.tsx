import { COUNTRY_CODES } from '../../../contract/countries.ts'
import { countryName } from '../../../contract/language.ts'
import { lazy } from '../../ui/lazy.ts'
import { Select } from '../../ui/select.tsx'

const countries = lazy(() =>
  COUNTRY_CODES.map((code) => ({ value: code, label: countryName(code) })).sort((a, b) =>
    a.label.localeCompare(b.label),
  ),
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
      data={countries()}
      value={value}
      onChange={onChange}
      searchable
      clearable={clearable}
      limit={60}
    />
  )
}
