// The form of a condition on a field: operator and value. Dates can also be compared with a relative span.
import { useState } from 'react'
import type { FilterOperator } from '../../../../contract/operators.ts'
import { RELATIVE_DATES, type RelativeDate } from '../../../../contract/report-states.ts'
import { capitalized } from '../../../shared/api/errors.ts'
import { ConditionFrame } from '../../../shared/filters/condition-frame.tsx'
import type { Condition } from '../../../shared/filters/filter.ts'
import { OperandEditor } from '../../../shared/filters/operand-editor.tsx'
import { isReady } from '../../../shared/filters/operand-faults.ts'
import { firstOperand } from '../../../shared/filters/operands.ts'
import { firstOperator } from '../../../shared/filters/operator-words.ts'
import { withOperator } from '../../../shared/filters/with-operator.ts'
import { Select } from '../../../ui/select.tsx'
import { relativeWords } from './builder-words.ts'
import { type FieldCondition, isRelative } from './conditions.ts'
import type { ReportField } from './report-fields.ts'

/** Operators that can compare a date with a relative span, such as the last 30 days. */
const WITH_SPANS: readonly FilterOperator[] = [
  'equals',
  'notEquals',
  'greaterThan',
  'greaterThanOrEqual',
  'lessThan',
  'lessThanOrEqual',
]

const EXACT = 'exact'
const SPANS = [
  { value: EXACT, label: 'A day' },
  ...RELATIVE_DATES.map((value) => ({ value, label: capitalized(relativeWords(value)) })),
]

function begin({ slug, type }: ReportField): FieldCondition {
  const operator = firstOperator(type)
  if (type === 'date') return { field: slug, operator, value: { relative: 'last_30_days' } }
  return { field: slug, operator, value: firstOperand(operator) }
}

/** Changes the operator. A span is removed if the operator compares only with days. */
function changedOperator(condition: FieldCondition, operator: FilterOperator): FieldCondition {
  if (!isRelative(condition.value)) return withOperator(condition, operator)
  return WITH_SPANS.includes(operator)
    ? { ...condition, operator }
    : withOperator({ ...condition, value: '' }, operator)
}

/** Values of a definition are not typed, so this asserts their type. */
const plainOf = ({ operator, value }: FieldCondition) => ({
  operator,
  value: (value ?? '') as Condition['value'],
})

interface PartProps {
  field: ReportField
  draft: FieldCondition
  set(condition: FieldCondition): void
}

function Operand({ field, draft, set }: PartProps) {
  const { operator, value } = draft
  const hasSpans = field.type === 'date' && WITH_SPANS.includes(operator)
  const span = isRelative(value) ? value.relative : EXACT
  return (
    <>
      {hasSpans && (
        <Select
          aria-label="When"
          data={SPANS}
          value={span}
          allowDeselect={false}
          searchable
          onChange={(chosen) =>
            chosen && set({ ...draft, value: chosen === EXACT ? '' : { relative: chosen as RelativeDate } })
          }
        />
      )}
      {!isRelative(value) && (
        <OperandEditor
          attribute={field}
          operator={operator}
          value={plainOf(draft).value}
          onChange={(changed) => set({ ...draft, value: changed })}
        />
      )}
    </>
  )
}

interface FilterFormProps {
  field: ReportField
  /** The condition to change; undefined for a new one. */
  condition?: FieldCondition | undefined
  onApply(condition: FieldCondition): void
}

export function FilterForm({ field, condition, onApply }: FilterFormProps) {
  const [draft, setDraft] = useState(() => condition ?? begin(field))
  return (
    <ConditionFrame
      title={field.fullName}
      operators={{
        ...{ attribute: field, value: draft.operator, isFirst: true },
        onChange: (operator) => setDraft(changedOperator(draft, operator)),
      }}
      isReady={isRelative(draft.value) || isReady(field, plainOf(draft))}
      submit={condition ? 'Change filter' : 'Add filter'}
      onSubmit={() => onApply(draft)}
    >
      <Operand field={field} draft={draft} set={setDraft} />
    </ConditionFrame>
  )
}
