// Chooses the formats of dates and numbers in the file. Shown only for columns of such types.
import { Group } from '@mantine/core'
import { NUMBER_TYPES } from '../../../../contract/attribute-types.ts'
import type { CellFormat } from '../../../../contract/imports.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { Select } from '../../../ui/select.tsx'
import { type Draft, isFilled } from '../map/mapping.ts'

const DATES: { value: CellFormat['dates']; label: string }[] = [
  { value: 'ymd', label: 'Year first: 2026-12-31' },
  { value: 'dmy', label: 'Day first: 31/12/2026' },
  { value: 'mdy', label: 'Month first: 12/31/2026' },
]
const DECIMALS: { value: CellFormat['decimal']; label: string }[] = [
  { value: '.', label: 'With a point: 1,234.50' },
  { value: ',', label: 'With a comma: 1.234,50' },
]

const WIDTH = { base: '100%', sm: 240 }

interface FormatChoiceProps {
  draft: Draft
  attributes: readonly Attribute[]
  onChange(draft: Draft): void
}

export function FormatChoice({ draft, attributes, onChange }: FormatChoiceProps) {
  const types = new Set(attributes.filter(({ slug }) => isFilled(draft, slug)).map(({ type }) => type))
  const set = (format: Partial<CellFormat>) => onChange({ ...draft, format: { ...draft.format, ...format } })
  const hasDates = types.has('date')
  const hasNumbers = !types.isDisjointFrom(NUMBER_TYPES)
  if (!hasDates && !hasNumbers) return null
  return (
    <Group gap={16}>
      {hasDates && (
        <Select
          w={WIDTH}
          label="Dates are written"
          data={DATES}
          value={draft.format.dates}
          onChange={(dates) => dates && set({ dates })}
          allowDeselect={false}
        />
      )}
      {hasNumbers && (
        <Select
          w={WIDTH}
          label="Numbers are written"
          data={DECIMALS}
          value={draft.format.decimal}
          onChange={(decimal) => decimal && set({ decimal })}
          allowDeselect={false}
        />
      )}
    </Group>
  )
}
