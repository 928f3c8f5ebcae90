import { CURRENCY_CODES } from '../../../contract/currencies.ts'
import { Select } from '../../ui/select.tsx'

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
