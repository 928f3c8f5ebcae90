import { Select } from '@mantine/core'
import { CURRENCY_CODES } from '../../../contract/currencies.ts'

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
      limit={50}
    />
  )
}
