// Chooses an operator of a type, shown in plain words.
import type { FilterOperator } from '../../../contract/operators.ts'
import { Select } from '../../ui/select.tsx'
import type { Attribute } from '../api/objects.ts'
import { operatorsOf, operatorWords } from './operator-words.ts'

export interface OperatorSelectProps {
  attribute: Pick<Attribute, 'type' | 'isList'>
  /** The operators to choose from. By default, those of the type. */
  offered?: readonly FilterOperator[] | undefined
  value: FilterOperator
  onChange(operator: FilterOperator): void
  error?: string | undefined
  /** The field gets the focus when the popover opens. */
  isFirst?: boolean
}

export function OperatorSelect({ attribute, offered, value, onChange, error, isFirst }: OperatorSelectProps) {
  const operators = offered ?? operatorsOf(attribute.type)
  // Links and files may use other operators.
  const all = operators.includes(value) ? operators : [...operators, value]
  return (
    <Select
      aria-label="Operator"
      data={all.map((one) => ({ value: one, label: operatorWords(attribute, one) }))}
      value={value}
      allowDeselect={false}
      error={error}
      onChange={(operator) => operator && onChange(operator)}
      data-autofocus={isFirst || undefined}
    />
  )
}
