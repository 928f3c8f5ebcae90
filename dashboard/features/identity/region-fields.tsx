// Country, currency and time zone: a single line shows the guess, three fields change it.
import { Anchor, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { countryName } from '../../../contract/language.ts'
import { TimeZoneSelect } from '../../shared/time-zone-select.tsx'
import { CountrySelect } from '../../shared/values/country-select.tsx'
import { CurrencySelect } from '../../shared/values/currency-select.tsx'
import { currencyOf, type Region } from './form/guess-region.ts'

interface RegionFieldsProps {
  value: Region
  onChange(value: Region): void
  /** Messages by field. */
  errors: Record<string, string>
  disabled?: boolean
}

export function RegionFields({ value, onChange, errors, disabled = false }: RegionFieldsProps) {
  const set = (part: Partial<Region>) => onChange({ ...value, ...part })
  return (
    <Stack gap="sm">
      <CountrySelect
        label="Country"
        value={value.country}
        onChange={(country) => country && set({ country })}
        clearable={false}
        error={errors.country}
        disabled={disabled}
      />
      <CurrencySelect
        label="Currency"
        value={value.currency}
        onChange={(currency) => set({ currency })}
        error={errors.currency}
        disabled={disabled}
      />
      <TimeZoneSelect
        value={value.timeZone}
        onChange={(timeZone) => set({ timeZone })}
        error={errors.timeZone}
        disabled={disabled}
      />
    </Stack>
  )
}

/** For a new organization: the currency follows the country. */
export function GuessedRegion({ value, onChange, errors }: RegionFieldsProps) {
  const [isOpen, setOpen] = useState(false)
  const change = (next: Region) =>
    onChange(next.country === value.country ? next : { ...next, currency: currencyOf(next.country) })
  if (isOpen || Object.keys(errors).length > 0)
    return <RegionFields value={value} onChange={change} errors={errors} />
  return (
    <Text c="dimmed">
      {countryName(value.country)}, {value.currency}, {value.timeZone.replaceAll('_', ' ')}.{' '}
      <Anchor component="button" type="button" onClick={() => setOpen(true)}>
        Change
      </Anchor>
    </Text>
  )
}
