// A condition on values: comparisons, joined by “and” or “or”.
import { Input, SimpleGrid } from '@mantine/core'
import { SEARCH_OPERATORS } from '../../../../contract/operators.ts'
import type { LogicTree } from '../../../shared/filters/logic-tree.ts'
import { arityOf } from '../../../shared/filters/operands.ts'
import { OperatorSelect } from '../../../shared/filters/operator-select.tsx'
import { anyAsText, readAny } from './any-value.ts'
import { manyAsText, readMany } from './comma-list.ts'
import { type Comparison, withComparison } from './comparison.ts'
import { type FieldProps, useProblem } from './field-props.ts'
import { type LeafKind, LogicRows } from './logic-rows.tsx'
import { TemplateInput } from './template-input.tsx'
import { type Codec, useTyped } from './use-typed.ts'

const ANY: Codec = { read: readAny, print: anyAsText }
const MANY: Codec = { read: (text) => ({ value: readMany(text) }), print: manyAsText }

interface OperandProps {
  label: string
  value: unknown
  place: string
  codec?: Codec
  placeholder?: string
  onChange(value: unknown): void
}

function OperandInput({ label, value, place, codec = ANY, placeholder, onChange }: OperandProps) {
  const typed = useTyped(value, codec, onChange)
  const error = useProblem(place)
  return (
    <TemplateInput
      aria-label={label}
      value={typed.text}
      onChange={typed.type}
      error={typed.problem ?? error}
      placeholder={placeholder}
    />
  )
}

const PLAIN = { type: 'text', isList: false } as const

interface LeafProps {
  leaf: Comparison
  place: string
  onChange(leaf: Comparison): void
}

function RightSide({ leaf, place, onChange }: LeafProps) {
  const arity = arityOf(leaf.operator)
  const at = `${place}.right`
  const set = (right: unknown) => onChange({ ...leaf, right })
  if (arity === 'nothing') return null
  if (arity !== 'two') {
    const more = arity === 'many' ? { codec: MANY, placeholder: 'Several, with commas between' } : {}
    return (
      <OperandInput
        key={arity}
        label="Compared with"
        value={leaf.right}
        place={at}
        onChange={set}
        {...more}
      />
    )
  }
  const [from = '', to = ''] = Array.isArray(leaf.right) ? leaf.right : []
  return (
    <>
      <OperandInput label="From" value={from} place={at} onChange={(value) => set([value, to])} />
      <OperandInput label="To" value={to} place={`${at}[1]`} onChange={(value) => set([from, value])} />
    </>
  )
}

function ConditionLeaf({ leaf, place, onChange }: LeafProps) {
  const error = useProblem(`${place}.operator`)
  return (
    <div className="stack shrink gap-4">
      <OperandInput
        label="Value"
        value={leaf.left}
        place={`${place}.left`}
        placeholder="Choose or type a value"
        onChange={(left) => onChange({ ...leaf, left })}
      />
      <SimpleGrid minColWidth={150} autoFlow="auto-fit" spacing={4}>
        <OperatorSelect
          attribute={PLAIN}
          offered={SEARCH_OPERATORS}
          value={leaf.operator}
          error={error}
          onChange={(operator) => onChange(withComparison(leaf, operator))}
        />
        <RightSide leaf={leaf} place={place} onChange={onChange} />
      </SimpleGrid>
    </div>
  )
}

const KIND: LeafKind<Comparison> = {
  noun: 'condition',
  isNeeded: true,
  empty: () => ({ left: '', operator: 'equals', right: '' }),
  render: (leaf, place, onChange) => <ConditionLeaf leaf={leaf} place={place} onChange={onChange} />,
}

export function ConditionField({ field, value, onChange, place }: FieldProps) {
  const error = useProblem(place, true)
  const tree = (value ?? KIND.empty()) as LogicTree<Comparison>
  return (
    <fieldset>
      <legend>
        <Input.Label labelElement="div">{field.label}</Input.Label>
      </legend>
      <LogicRows
        kind={KIND}
        tree={tree}
        place={place}
        depth={1}
        onChange={(changed) => onChange(changed ?? KIND.empty())}
      />
      {error && <Input.Error>{error}</Input.Error>}
    </fieldset>
  )
}
