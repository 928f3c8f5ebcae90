// "only groups where sum of amount is more than 1,000"
import { Group } from '@mantine/core'
import { HAVING_OPERATORS } from '../../../../contract/operators.ts'
import { ConditionWords } from '../../../shared/filters/chip-parts.tsx'
import { ConditionForm } from '../../../shared/filters/condition-form.tsx'
import { ConditionGroup } from '../../../shared/filters/condition-group.tsx'
import { affirmedRoot, type LogicGroup, rootTree, withLeaf } from '../../../shared/filters/logic-tree.ts'
import { Add } from './add-button.tsx'
import { useBuilder } from './builder-context.ts'
import { havingWords, measuredField, measureWords } from './builder-words.ts'
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
        <ConditionForm
          attribute={measure.attribute}
          condition={condition}
          submit="Apply"
          offered={HAVING_OPERATORS}
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
