// A list of items with several fields each, such as the branches of a branch.
import { ArrowDown, ArrowUp, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { RowsFieldset } from '../../../ui/rows-fieldset.tsx'
import { type FieldListProps, type FieldProps, useProblem } from './field-props.ts'
import { fieldsOf } from './form-fields.ts'
import { isOrdered, movedRow, newRow, rowNoun } from './new-rows.ts'
import { SmallButton } from './small-button.tsx'

type Row = Readonly<Record<string, unknown>>

/** Renders the fields of a row, which may contain rows themselves. */
interface Drawing {
  Fields(props: FieldListProps): ReactNode
}

interface RowProps extends Drawing, Pick<FieldProps, 'field' | 'place'> {
  rows: readonly Row[]
  index: number
  onChange(rows: readonly Row[]): void
}

function RowActions({ field, rows, index, onChange }: Omit<RowProps, 'Fields'>) {
  const title = `${rowNoun(field.name)} ${index + 1}`
  const isNeeded = field.isRequired && rows.length === 1
  return (
    <div className="flex fixed gap-2">
      {isOrdered(field.name) && rows.length > 1 && (
        <>
          <SmallButton
            icon={ArrowUp}
            label={`Move ${title} up`}
            disabled={index === 0}
            onClick={() => onChange(movedRow(rows, index, -1))}
          />
          <SmallButton
            icon={ArrowDown}
            label={`Move ${title} down`}
            disabled={index === rows.length - 1}
            onClick={() => onChange(movedRow(rows, index, 1))}
          />
        </>
      )}
      {!isNeeded && (
        <SmallButton icon={X} label={`Remove ${title}`} onClick={() => onChange(rows.toSpliced(index, 1))} />
      )}
    </div>
  )
}

function RowBox(props: RowProps) {
  const { field, rows, index, place, onChange, Fields } = props
  const noun = rowNoun(field.name)
  const title = `${noun.slice(0, 1).toUpperCase()}${noun.slice(1)} ${index + 1}`
  return (
    <fieldset className="stack gap-12 box" aria-label={title}>
      <div className="row between gap-4 medium">
        <span>{title}</span>
        <RowActions {...props} />
      </div>
      <Fields
        fields={fieldsOf(field.schema.items ?? {})}
        values={rows[index] ?? {}}
        place={`${place}[${index}]`}
        onChange={(row) => onChange(rows.with(index, row))}
      />
    </fieldset>
  )
}

export function RowsField({ field, value, onChange, place, Fields }: FieldProps & Drawing) {
  const rows = (Array.isArray(value) ? value : []) as Row[]
  const error = useProblem(place, true)
  const set = (changed: readonly Row[]) =>
    onChange(changed.length === 0 && !field.isRequired ? undefined : changed)
  return (
    <RowsFieldset
      label={field.label}
      description={field.description}
      error={error}
      noun={rowNoun(field.name)}
      isFull={rows.length >= (field.schema.maxItems ?? Number.POSITIVE_INFINITY)}
      onAdd={() => set([...rows, newRow(field.name, rows)])}
    >
      {rows.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
        <RowBox key={index} {...{ field, rows, index, place, Fields }} onChange={set} />
      ))}
    </RowsFieldset>
  )
}
