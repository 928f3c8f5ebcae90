// The form of a delay step: waits for a duration, or until a time.
import { NumberInput, SegmentedControl, SimpleGrid } from '@mantine/core'
import { Select } from '../../../ui/select.tsx'
import { useProblem } from './field-props.ts'
import { FieldList } from './fields.tsx'
import { type FormField, withField } from './form-fields.ts'
import { type Span, secondsOf, spanOf, UNITS, type Unit } from './spans.ts'

type Config = Readonly<Record<string, unknown>>

interface DelayFieldsProps {
  fields: readonly FormField[]
  config: Config
  place: string
  onChange(config: Config): void
}

const WAYS = [
  { value: 'for', label: 'For a time' },
  { value: 'until', label: 'Until a time' },
]

const BEGUN: Readonly<Record<string, Config>> = { for: { seconds: 3600 }, until: { until: '' } }

function SpanField({ config, place, onChange }: Omit<DelayFieldsProps, 'fields'>) {
  const span = spanOf(Number(config['seconds'] ?? 0))
  const error = useProblem(place)
  const set = (part: Partial<Span>) => onChange(withField(config, 'seconds', secondsOf({ ...span, ...part })))
  return (
    <SimpleGrid cols={2} spacing={8}>
      <NumberInput
        label="For"
        value={span.amount}
        min={0}
        error={error}
        allowDecimal={false}
        onChange={(amount) => set({ amount: Number(amount) })}
      />
      <Select
        label="Unit"
        data={UNITS}
        value={span.unit}
        allowDeselect={false}
        onChange={(unit) => unit && set({ unit: unit as Unit })}
      />
    </SimpleGrid>
  )
}

export function DelayFields({ fields, config, place, onChange }: DelayFieldsProps) {
  const way = config['seconds'] === undefined ? 'until' : 'for'
  const others = fields.filter(({ name }) => name !== 'seconds')
  return (
    <>
      <SegmentedControl
        aria-label="Wait"
        data={WAYS}
        value={way}
        onChange={(chosen) => onChange(BEGUN[chosen] ?? {})}
        fullWidth
      />
      {way === 'for' ? (
        <SpanField config={config} place={place} onChange={onChange} />
      ) : (
        <FieldList fields={others} values={config} place={place} onChange={onChange} />
      )}
    </>
  )
}
