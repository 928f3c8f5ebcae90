// "where stage is Won and close date is in the last 365 days"
import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { FILTERS_MAX } from '../../../../../contract/limits.ts'
import { ConditionWords } from '../../../../shared/filters/chip-parts.tsx'
import { ConditionGroup } from '../../../../shared/filters/condition-group.tsx'
import type { FilterTree as PlainTree } from '../../../../shared/filters/filter.ts'
import { FilterPopover } from '../../../../shared/filters/filter-popover.tsx'
import {
  asTree,
  canGroup,
  type LogicGroup,
  leavesOf,
  rootOf,
  rootTree,
  withLeaf,
} from '../../../../shared/filters/logic-tree.ts'
import { useReferenceNames } from '../../../../shared/filters/use-reference-names.ts'
import { type Filtering, useBuilder } from './builder-context.ts'
import { filterWords } from './builder-words.ts'
import { AddButton, Chooser } from './chooser.tsx'
import { type FieldCondition, type FilterTree, isRelative, treeIn } from './conditions.ts'
import { fieldChoices } from './field-choices.ts'
import { FilterForm } from './filter-form.tsx'
import { PartChip } from './part-chip.tsx'
import type { ReportField } from './report-fields.ts'
import { Sentence } from './sentence.tsx'

type NameOf = ReturnType<typeof useReferenceNames>

/** References in the filter, as the filters of tables have them. */
function plainTree(tree: FilterTree | undefined): PlainTree | null {
  const leaves = leavesOf(tree).filter(({ value }) => !isRelative(value))
  const conditions = leaves.map(({ field, operator, value }) => ({
    attributeSlug: field,
    operator,
    value: value as string,
  }))
  return conditions.length > 0 ? { and: conditions } : null
}

interface ConditionProps {
  condition: FieldCondition
  nameOf: NameOf
  set(condition: FieldCondition | undefined): void
}

function Condition({ condition, nameOf, set }: ConditionProps) {
  const { objects, fields } = useBuilder()
  const field = fields.find(({ slug }) => slug === condition.field)
  const words = filterWords({ objects, fields }, condition, nameOf)
  const form = (close: () => void) =>
    field && (
      <FilterForm
        field={field}
        condition={condition}
        onApply={(changed) => {
          close()
          set(changed)
        }}
      />
    )
  return (
    <PartChip
      name={`filter ${[words.name, words.verb, words.operand].join(' ').trim()}`}
      words={field ? <ConditionWords {...words} /> : `${words.name} is no longer a field`}
      isBroken={!field}
      onRemove={() => set(undefined)}
      form={field && form}
    />
  )
}

/** First the field, then what must hold for it. */
function Steps({
  filtering,
  setFiltering,
  onAdd,
}: {
  filtering: Filtering
  setFiltering(filtering: Filtering): void
  onAdd(condition: FieldCondition): void
}) {
  const { objects, fields } = useBuilder()
  if (filtering)
    return (
      <FilterForm
        key={filtering.slug}
        field={filtering}
        onApply={(condition) => {
          setFiltering(undefined)
          onAdd(condition)
        }}
      />
    )
  const pick = (slug: string) => setFiltering(fields.find((field) => field.slug === slug))
  return <Chooser placeholder="Find a field" groups={fieldChoices(objects, fields)} onPick={pick} />
}

/** Inside of a group: it keeps to itself what it is adding. */
function AddToGroup({ onAdd }: { onAdd(condition: FieldCondition): void }) {
  const [filtering, setFiltering] = useState<ReportField | null>()
  return (
    <FilterPopover
      isOpen={filtering !== undefined}
      onClose={() => setFiltering(undefined)}
      label="Add a condition to the group"
      target={<AddButton label="Condition" onClick={() => setFiltering(null)} />}
    >
      <Steps filtering={filtering} setFiltering={setFiltering} onAdd={onAdd} />
    </FilterPopover>
  )
}

function AddFilter({
  root,
  set,
}: {
  root: LogicGroup<FieldCondition>
  set(group: LogicGroup<FieldCondition>): void
}) {
  const { filtering, setFiltering } = useBuilder()
  const [isGroup, setGroup] = useState(false)
  const isFull = leavesOf(asTree(root)).length >= FILTERS_MAX
  const close = () => {
    setGroup(false)
    setFiltering(undefined)
  }
  return (
    <FilterPopover
      isOpen={filtering !== undefined}
      onClose={close}
      label="Add a filter"
      target={
        <AddButton
          label="Filter"
          fullReason={isFull ? `A report has at most ${FILTERS_MAX} filters` : undefined}
          onClick={() => setFiltering(filtering === undefined ? null : undefined)}
        />
      }
    >
      <Steps
        filtering={filtering}
        setFiltering={setFiltering}
        onAdd={(condition) => {
          setGroup(false)
          set(withLeaf(root, condition, isGroup))
        }}
      />
      {canGroup(root) && (
        <Checkbox
          mt="xs"
          label="Group with the last filter"
          checked={isGroup}
          onChange={({ currentTarget }) => setGroup(currentTarget.checked)}
        />
      )}
    </FilterPopover>
  )
}

export function FilterSentence() {
  const { draft, act, fields } = useBuilder()
  const tree = treeIn<FieldCondition>(draft.filters)
  const nameOf = useReferenceNames(plainTree(tree), fields)
  const root = rootOf(tree)
  const set = (group: LogicGroup<FieldCondition>) => act({ does: 'filters', tree: rootTree(group, tree) })
  return (
    <Sentence name="filters" lead="where" zone="filters">
      {root.items.length === 0 && <span className="muted small">no filters</span>}
      <ConditionGroup
        group={root}
        onChange={set}
        render={(condition, change) => <Condition condition={condition} nameOf={nameOf} set={change} />}
        add={(append) => <AddToGroup onAdd={append} />}
      />
      <AddFilter root={root} set={set} />
    </Sentence>
  )
}
