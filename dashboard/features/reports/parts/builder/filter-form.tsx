// A condition on a field: the operator in plain words, and what it compares with; of dates also a span about today.
import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { FilterOperator } from '../../../../../contract/operators.ts'
import { RELATIVE_DATES, type RelativeDate } from '../../../../../contract/report-states.ts'
import { capitalized } from '../../../../shared/api/errors.ts'
import type { Condition } from '../../../../shared/filters/filter.ts'
import { OperandEditor } from '../../../../shared/filters/operand-editor.tsx'
import { conditionFault } from '../../../../shared/filters/operand-faults.ts'
import { firstOperand, isComplete } from '../../../../shared/filters/operands.ts'
import { firstOperator, operatorsOf, operatorWords } from '../../../../shared/filters/operator-words.ts'
import { withOperator } from '../../../../shared/filters/with-operator.ts'
import { Select } from '../../../../ui/select.tsx'
import { relativeWords } from './builder-words.ts'
import { type FieldCondition, isRelative } from './conditions.ts'
import type { ReportField } from './report-fields.ts'

/** Operators that compare a date with a span. */
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

/** As conditions on attributes are edited. */
const plainOf = ({ field, operator, value }: FieldCondition): Condition => ({
  attributeSlug: field,
  operator,
  value: isRelative(value) ? '' : ((value ?? '') as Condition['value']),
})

const isDone = (field: ReportField, condition: FieldCondition) =>
  isRelative(condition.value) ||
  (isComplete(plainOf(condition)) && conditionFault(field, plainOf(condition)) === undefined)

function changedOperator(condition: FieldCondition, operator: FilterOperator): FieldCondition {
  if (isRelative(condition.value) && WITH_SPANS.includes(operator)) return { ...condition, operator }
  const { value } = withOperator(plainOf(condition), operator)
  return { ...condition, operator, value }
}

function operatorChoices(field: ReportField, current: FilterOperator) {
  const offered = operatorsOf(field.type)
  const all = offered.includes(current) ? offered : [...offered, current]
  return all.map((value) => ({ value, label: operatorWords(field, value) }))
}

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
  /** The one to change; undefined for a new one. */
  condition?: FieldCondition | undefined
  onApply(condition: FieldCondition): void
}

export function FilterForm({ field, condition, onApply }: FilterFormProps) {
  const [draft, setDraft] = useState(() => condition ?? begin(field))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isDone(field, draft)) onApply(draft)
      }}
    >
      <Stack gap="xs">
        <Text fw={600} truncate>
          {field.fullName}
        </Text>
        <Select
          aria-label="Operator"
          data={operatorChoices(field, draft.operator)}
          value={draft.operator}
          allowDeselect={false}
          onChange={(operator) => operator && setDraft(changedOperator(draft, operator))}
          data-autofocus
        />
        <Operand field={field} draft={draft} set={setDraft} />
        <Group justify="flex-end">
          <Button type="submit" disabled={!isDone(field, draft)}>
            {condition ? 'Change filter' : 'Add filter'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
