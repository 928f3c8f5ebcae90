// "only groups where sum of amount is more than 1,000"
import { Group } from '@mantine/core'
import { useState } from 'react'
import { HAVING_OPERATORS, type HavingOperator } from '../../../../contract/operators.ts'
import { ConditionWords } from '../../../shared/filters/chip-parts.tsx'
import { ConditionFrame } from '../../../shared/filters/condition-frame.tsx'
import { ConditionGroup } from '../../../shared/filters/condition-group.tsx'
import type { Condition as PlainCondition } from '../../../shared/filters/filter.ts'
import { affirmedRoot, type LogicGroup, rootTree, withLeaf } from '../../../shared/filters/logic-tree.ts'
import { OperandEditor } from '../../../shared/filters/operand-editor.tsx'
import { isReady } from '../../../shared/filters/operand-faults.ts'
import { withOperator } from '../../../shared/filters/with-operator.ts'
import { useBuilder } from './builder-context.ts'
import { havingWords, measuredField, measureWords } from './builder-words.ts'
import { Add } from './add-button.tsx'
import { type MeasureCondition, treeIn } from './conditions.ts'
import { PartChip } from './part-chip.tsx'

function useMeasure(key: string) {
  const { draft, objects, fields } = useBuilder()
  const measure = (draft.measures ?? []).find((one) => one.key === key)
  const field = fields.find(({ slug }) => slug === measure?.field)
  const isDate = field?.type === 'date' && (measure?.op === 'min' || measure?.op === 'max')
  const name = measure ? measureWords({ objects, fields }, measure) : key
  return { name, isDate, isKnown: Boolean(measure), attribute: measuredField({ name, isDate }) }
}

interface FormProps {
  condition: MeasureCondition
  onApply(condition: MeasureCondition): void
}

function HavingForm({ condition, onApply }: FormProps) {
  const [draft, setDraft] = useState(condition)
  const { attribute } = useMeasure(condition.key)
  const { operator } = draft
  const value = (draft.value ?? '') as PlainCondition['value']
  return (
    <ConditionFrame
      title={attribute.name}
      operators={{
        ...{ attribute, value: operator, offered: HAVING_OPERATORS, isFirst: true },
        onChange: (next) => setDraft(withOperator(draft, next as HavingOperator)),
      }}
      isReady={isReady(attribute, { operator, value })}
      submit="Apply"
      onSubmit={() => onApply(draft)}
    >
      <OperandEditor
        {...{ attribute, operator, value }}
        onChange={(changed) => setDraft({ ...draft, value: changed })}
      />
    </ConditionFrame>
  )
}

function Condition({
  condition,
  set,
}: {
  condition: MeasureCondition
  set(condition: MeasureCondition | undefined): void
}) {
  const measure = useMeasure(condition.key)
  return (
    <PartChip
      name={`condition ${measure.name}`}
      words={<ConditionWords {...havingWords(condition, measure)} />}
      isBroken={!measure.isKnown}
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
  const root = affirmedRoot(tree)
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
