// "only groups where sum of amount is more than 1,000"
import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { HAVING_OPERATORS, type HavingOperator } from '../../../../../contract/operators.ts'
import { ConditionGroup } from '../../../../shared/filters/condition-group.tsx'
import { type LogicGroup, rootOf, rootTree, withLeaf } from '../../../../shared/filters/logic-tree.ts'
import { operandFault } from '../../../../shared/filters/operand-faults.ts'
import { NumberEditor } from '../../../../shared/values/number-editor.tsx'
import { DayEditor } from '../../../../shared/values/text-editor.tsx'
import { Select } from '../../../../ui/select.tsx'
import { useBuilder } from './builder-context.ts'
import { havingVerb, havingWords, measureWords } from './builder-words.ts'
import { Add } from './chooser.tsx'
import { type MeasureCondition, treeIn } from './conditions.ts'
import { PartChip } from './part-chip.tsx'

function useMeasure(key: string) {
  const { draft, objects, fields } = useBuilder()
  const measure = (draft.measures ?? []).find((one) => one.key === key)
  const field = fields.find(({ slug }) => slug === measure?.field)
  const isDate = field?.type === 'date' && (measure?.op === 'min' || measure?.op === 'max')
  return {
    name: measure ? measureWords({ objects, fields }, measure) : key,
    isDate,
    isKnown: Boolean(measure),
  }
}

const isUnary = (operator: HavingOperator) => operator === 'isEmpty' || operator === 'isNotEmpty'

/** What is kept of the operand when the operator changes. */
function operandFor(operator: HavingOperator, value: unknown): unknown {
  if (isUnary(operator)) return 'true'
  const [first = '', second = ''] = [value].flat().map((one) => (one === 'true' ? '' : one))
  return operator === 'between' ? [first, second] : first
}

const isDone = ({ operator, value }: MeasureCondition, isDate: boolean) =>
  isUnary(operator) ||
  [value].flat().every((one) => {
    const text = String(one ?? '').trim()
    return text !== '' && operandFault(isDate ? 'date' : 'number', text) === undefined
  })

interface OperandProps {
  draft: MeasureCondition
  isDate: boolean
  set(value: unknown): void
}

function Operand({ draft: { operator, value }, isDate, set }: OperandProps) {
  if (isUnary(operator)) return null
  const values = [value].flat()
  const names = values.length > 1 ? ['From', 'To'] : ['Value']
  return (
    <Group gap="xs" wrap="nowrap" grow>
      {names.map((name, index) => {
        const Editor = isDate ? DayEditor : NumberEditor
        const change = (changed: unknown) => {
          const one = changed ?? ''
          set(values.length > 1 ? values.with(index, one) : one)
        }
        const fault = operandFault(isDate ? 'date' : 'number', String(values[index] ?? ''))
        return (
          <Editor
            key={name}
            aria-label={name}
            value={values[index] ?? null}
            onChange={change}
            error={fault}
          />
        )
      })}
    </Group>
  )
}

interface FormProps {
  condition: MeasureCondition
  isNew?: boolean
  onApply(condition: MeasureCondition): void
}

function HavingForm({ condition, onApply }: FormProps) {
  const [draft, setDraft] = useState(condition)
  const { name, isDate } = useMeasure(condition.key)
  const operators = HAVING_OPERATORS.map((value) => ({ value, label: havingVerb(value, isDate) }))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isDone(draft, isDate)) onApply(draft)
      }}
    >
      <Stack gap="xs">
        <Text fw={600} truncate>
          {name}
        </Text>
        <Select
          aria-label="Operator"
          data={operators}
          value={draft.operator}
          allowDeselect={false}
          onChange={(chosen) => {
            const operator = chosen as HavingOperator
            setDraft({ ...draft, operator, value: operandFor(operator, draft.value) })
          }}
          data-autofocus
        />
        <Operand draft={draft} isDate={isDate} set={(value) => setDraft({ ...draft, value })} />
        <Group justify="flex-end">
          <Button type="submit" disabled={!isDone(draft, isDate)}>
            Apply
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Condition({
  condition,
  set,
}: {
  condition: MeasureCondition
  set(condition: MeasureCondition | undefined): void
}) {
  const { isKnown, ...measure } = useMeasure(condition.key)
  const { name, verb, operand } = havingWords(condition, measure)
  return (
    <PartChip
      name={`condition ${name}`}
      words={
        <>
          <strong>{name}</strong> {verb} {operand.trim() === '' ? '' : <strong>{operand}</strong>}
        </>
      }
      isBroken={!isKnown}
      onRemove={() => set(undefined)}
      form={(close) => (
        <HavingForm
          condition={condition}
          onApply={(changed) => {
            close()
            set(changed)
          }}
        />
      )}
    />
  )
}

export function HavingParts() {
  const { draft, act, objects, fields } = useBuilder()
  const { measures = [], having } = draft
  const tree = treeIn<MeasureCondition>(having)
  const root = rootOf(tree)
  const set = (group: LogicGroup<MeasureCondition>) => act({ does: 'having', tree: rootTree(group, tree) })
  const choices = measures.map((measure) => ({
    value: measure.key,
    label: measureWords({ objects, fields }, measure),
  }))
  const add = (append: (condition: MeasureCondition) => void) => (
    <Add
      label="Condition"
      placeholder="Find a measure"
      groups={[{ name: 'Only groups where', choices }]}
      onPick={(key) => append({ key, operator: 'greaterThan', value: '0' })}
    />
  )
  if (measures.length === 0 && root.items.length === 0) return null
  return (
    <Group gap={6} mr={12}>
      <span className="muted small">{root.items.length > 0 ? 'only groups where' : 'all groups'}</span>
      <ConditionGroup
        group={root}
        onChange={set}
        render={(condition, change) => <Condition condition={condition} set={change} />}
        add={add}
      />
      {add((condition) => set(withLeaf(root, condition)))}
    </Group>
  )
}
