// The form of a measure: operation, field and name.
import { Stack } from '@mantine/core'
import { MEASURE_OPS, type MeasureOp } from '../../../../contract/report-states.ts'
import type { ReportMeasure } from '../../../../contract/reports.ts'
import { Select } from '../../../ui/select.tsx'
import { useBuilder } from './builder-context.ts'
import { measureWords, opWords } from './builder-words.ts'
import { fieldChoices, selectData } from './field-choices.ts'
import { LabelField } from './label-field.tsx'
import { firstMeasure, measuresOf } from './report-fields.ts'

/** A choice instead of a field: the records of the source. */
const RECORDS = '*'

/** The operations on records without a field. */
const OF_RECORDS: readonly MeasureOp[] = ['count', 'percentage']

interface MeasureFormProps {
  measure: ReportMeasure
  index: number
}

export function MeasureForm({ measure, index }: MeasureFormProps) {
  const { act, objects, fields } = useBuilder()
  const { key: _, op, field: slug, label, ...rest } = measure
  const field = fields.find((one) => one.slug === slug)
  const ops = field ? measuresOf(field) : slug === undefined ? OF_RECORDS : MEASURE_OPS
  const plural = objects[0]?.model?.pluralName ?? 'Records'
  const change = (patch: Partial<ReportMeasure>, tag?: string) =>
    act({ does: 'changeMeasure', index, patch }, tag)
  const choose = (value: string) => {
    const chosen = fields.find((one) => one.slug === value)
    if (!chosen) return change({ field: undefined, op: OF_RECORDS.includes(op) ? op : 'count' })
    change({ field: value, op: measuresOf(chosen).includes(op) ? op : firstMeasure(chosen) })
  }
  return (
    <Stack gap="xs">
      <Select
        label="Measure"
        data={[...new Set([...ops, op])].map((value) => ({
          value,
          label: opWords(value, field?.type),
        }))}
        value={op}
        allowDeselect={false}
        onChange={(value) => value && change({ op: value as MeasureOp })}
        data-autofocus
      />
      <Select
        label="Of"
        data={[{ value: RECORDS, label: plural }, ...selectData(fieldChoices(objects, fields))]}
        value={slug ?? RECORDS}
        searchable
        allowDeselect={false}
        onChange={(value) => value && choose(value)}
      />
      <LabelField
        value={label}
        usual={measureWords({ objects, fields }, { ...rest, op, field: slug })}
        onChange={(text) => change({ label: text }, `measure ${index}`)}
      />
    </Stack>
  )
}
