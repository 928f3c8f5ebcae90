// "Show number of deals and sum of amount of deals", or the columns of rows.
import { MEASURES_MAX, REPORT_COLUMNS_MAX } from '../../../../contract/report-states.ts'
import type { ReportColumnChoice, ReportMeasure } from '../../../../contract/reports.ts'
import { Select } from '../../../ui/select.tsx'
import { Add } from './add-button.tsx'
import { useBuilder } from './builder-context.ts'
import { isRows } from './builder-state.ts'
import { fieldWords, measureWords } from './builder-words.ts'
import { fieldChoices } from './field-choices.ts'
import { LabelField } from './label-field.tsx'
import { MeasureForm } from './measure-form.tsx'
import { PartChip } from './part-chip.tsx'
import { partOf } from './problem-places.ts'
import { firstMeasure, isRecord } from './report-fields.ts'
import { modelOf } from './report-objects.ts'
import { Sentence } from './sentence.tsx'

function useBroken(list: string) {
  const { problemsOf } = useBuilder()
  const broken = problemsOf('show')
    .map(partOf)
    .filter((part) => part?.list === list)
    .map((part) => part?.index)
  return (index: number) => broken.includes(index)
}

function Measure({ measure, index, count }: { measure: ReportMeasure; index: number; count: number }) {
  const { act, objects, fields } = useBuilder()
  const isBroken = useBroken('measures')
  const words = measureWords({ objects, fields }, measure)
  return (
    <PartChip
      name={words}
      words={words}
      isBroken={isBroken(index)}
      position={{ list: 'measures', key: measure.key, index, count }}
      onRemove={() => act({ does: 'remove', list: 'measures', index })}
      form={() => <MeasureForm measure={measure} index={index} />}
    />
  )
}

function Column({ column, index, count }: { column: ReportColumnChoice; index: number; count: number }) {
  const { act, objects, fields } = useBuilder()
  const isBroken = useBroken('columns')
  const usual = fieldWords({ objects, fields }, column.field)
  const words = column.label ?? usual
  const rename = (label: string | undefined) =>
    act({ does: 'changeColumn', index, patch: { label } }, `column ${index}`)
  return (
    <PartChip
      name={words}
      words={words}
      isBroken={isBroken(index)}
      position={{ list: 'columns', key: column.key, index, count }}
      onRemove={() => act({ does: 'remove', list: 'columns', index })}
      form={() => <LabelField value={column.label} usual={usual} onChange={rename} />}
    />
  )
}

/** A choice instead of a field: the records of the source. */
const RECORDS = '*'

function AddMeasure() {
  const { draft, act, objects, fields } = useBuilder()
  const plural = objects[0]?.model?.pluralName ?? 'records'
  const known = { objects, fields }
  const groups = fieldChoices(objects, fields).map(({ name, choices }) => ({
    name,
    choices: choices.flatMap((choice) => {
      const field = fields.find(({ slug }) => slug === choice.value)
      if (!field || (isRecord(field) && field.alias === draft.source.alias)) return []
      const op = firstMeasure(field)
      return [{ ...choice, label: measureWords(known, { op, field: field.slug }) }]
    }),
  }))
  const all = { name: plural, choices: [{ value: RECORDS, label: measureWords(known, { op: 'count' }) }] }
  const pick = (value: string) => {
    const field = fields.find(({ slug }) => slug === value)
    act({ does: 'measure', op: field ? firstMeasure(field) : 'count', field })
  }
  const isFull = (draft.measures ?? []).length >= MEASURES_MAX
  return (
    <Add
      label="Measure"
      fullReason={isFull ? `A report has at most ${MEASURES_MAX} measures` : undefined}
      placeholder="Find a measure"
      groups={[all, ...groups]}
      onPick={pick}
    />
  )
}

function AddColumn() {
  const { draft, act, objects, fields } = useBuilder()
  const isFull = (draft.columns ?? []).length >= REPORT_COLUMNS_MAX
  const pick = (value: string) => {
    const field = fields.find(({ slug }) => slug === value)
    if (field) act({ does: 'column', field })
  }
  return (
    <Add
      label="Column"
      fullReason={isFull ? `A report has at most ${REPORT_COLUMNS_MAX} columns` : undefined}
      placeholder="Find a field"
      groups={fieldChoices(objects, fields)}
      onPick={pick}
    />
  )
}

function Source() {
  const { draft, act, models } = useBuilder()
  const current = modelOf(models, draft.source.objectId)
  const missing = current ? [] : [{ value: '', label: draft.source.objectId }]
  return (
    <div className="row gap-6">
      <span className="muted small">of</span>
      <Select
        aria-label="Object"
        size="xs"
        w={150}
        data={[...missing, ...models.map(({ slug, pluralName }) => ({ value: slug, label: pluralName }))]}
        value={current?.slug ?? ''}
        searchable={models.length > 8}
        allowDeselect={false}
        onChange={(slug) => {
          const object = modelOf(models, slug ?? undefined)
          if (object && object !== current) act({ does: 'source', object })
        }}
      />
    </div>
  )
}

export function ShowSentence() {
  const { draft } = useBuilder()
  const { measures = [], columns = [] } = draft
  if (isRows(draft))
    return (
      <Sentence name="show" lead="Show" zone="columns">
        {columns.map((column, index) => (
          <Column key={column.key} column={column} index={index} count={columns.length} />
        ))}
        <AddColumn />
        <Source />
      </Sentence>
    )
  return (
    <Sentence name="show" lead="Show" zone="measures">
      {measures.map((measure, index) => (
        <Measure key={measure.key} measure={measure} index={index} count={measures.length} />
      ))}
      <AddMeasure />
      <Source />
    </Sentence>
  )
}
