// Edits the operand of a condition with the editor of the attribute's type.
import { Group } from '@mantine/core'
import { type FilterOperator, OPERATOR_SHAPES } from '../../../contract/operators.ts'
import type { Attribute } from '../api/objects.ts'
import { isCreator } from '../values/attribute-config.ts'
import { MemberPicker, MembersPicker } from '../values/member-picker.tsx'
import { ValueEditor } from '../values/value-editor.tsx'
import type { Condition, Operand } from './filter.ts'
import { operandFault } from './operand-faults.ts'
import { arityOf, comparedAs } from './operands.ts'

interface OperandEditorProps {
  attribute: Attribute
  operator: FilterOperator
  value: Condition['value']
  onChange(value: Condition['value']): void
  /** Offers the signed-in user as a member. Not in workflows and reports. */
  withMe?: boolean | undefined
  autoFocus?: boolean | undefined
}

/** The type of the editor: an option is chosen from a list, but a part of an option is typed. */
const compared = ({ type }: Attribute, operator: FilterOperator): Attribute['type'] =>
  type === 'select' && !OPERATOR_SHAPES[operator]?.isPart ? type : comparedAs(type)

const operandOf = (value: unknown): Operand =>
  typeof value === 'number' || typeof value === 'boolean' ? value : String(value ?? '')
const operandsOf = (value: Condition['value']): Operand[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => one !== '')

function MemberOperand({ attribute, operator, value, onChange, withMe, autoFocus }: OperandEditorProps) {
  const offered = { withMe, withOthers: isCreator(attribute), autoFocus }
  const ids = operandsOf(value).map(String)
  if (arityOf(operator) === 'many')
    return <MembersPicker {...offered} value={ids} onChange={onChange} aria-label="Values" />
  return (
    <MemberPicker
      {...offered}
      value={ids[0] ?? null}
      onChange={(id) => onChange(id ?? '')}
      aria-label="Value"
    />
  )
}

export function OperandEditor(props: OperandEditorProps) {
  const { attribute, operator, value, onChange, autoFocus } = props
  const arity = arityOf(operator)
  const simple = { ...attribute, isList: arity === 'many', type: compared(attribute, operator) }
  const faultOf = (one: Operand) => operandFault(simple.type, one)
  if (arity === 'nothing') return null
  if (attribute.type === 'member') return <MemberOperand {...props} />
  if (arity === 'many')
    return (
      <ValueEditor
        attribute={simple}
        value={operandsOf(value)}
        onChange={(values) => onChange(Array.isArray(values) ? values.map(operandOf) : [])}
        aria-label="Values"
        autoFocus={autoFocus}
        error={operandsOf(value)
          .map(faultOf)
          .find((fault) => fault !== undefined)}
      />
    )
  const operands = Array.isArray(value) ? value : [value, '']
  const editor = (index: number, label: string) => (
    <ValueEditor
      attribute={simple}
      value={operands[index] === '' ? null : operands[index]}
      onChange={(one) =>
        onChange(
          arity === 'two'
            ? [operands[0] ?? '', operands[1] ?? ''].with(index, operandOf(one))
            : operandOf(one),
        )
      }
      aria-label={label}
      autoFocus={autoFocus && index === 0}
      error={faultOf(operands[index] ?? '')}
    />
  )
  if (arity === 'one') return editor(0, 'Value')
  return (
    <Group gap="xs" wrap="nowrap" grow>
      {editor(0, 'From')}
      {editor(1, 'To')}
    </Group>
  )
}
