// "where stage is Won and close date is in the last 365 days"
import { useMemo } from 'react'
import { FILTERS_MAX } from '../../../../contract/limits.ts'
import { AddCondition, AddToGroup } from '../../../shared/filters/add-condition.tsx'
import { ConditionWords } from '../../../shared/filters/chip-parts.tsx'
import { ConditionGroup } from '../../../shared/filters/condition-group.tsx'
import type { FilterTree as PlainTree } from '../../../shared/filters/filter.ts'
import {
  affirmedRoot,
  canGroup,
  type LogicGroup,
  leavesOf,
  rootTree,
  withLeaf,
} from '../../../shared/filters/logic-tree.ts'
import { useReferenceNames } from '../../../shared/filters/use-reference-names.ts'
import { useBuilder } from './builder-context.ts'
import { filterWords } from './builder-words.ts'
import { Chooser, findChoices } from '../../../ui/chooser.tsx'
import { AddButton } from './add-button.tsx'
import { type FieldCondition, type FilterTree, isRelative, treeIn } from './conditions.ts'
import { fieldChoices } from './field-choices.ts'
import { FilterForm } from './filter-form.tsx'
import { PartChip } from './part-chip.tsx'
import { fieldsAlong, type ReportField } from './report-fields.ts'
import { Sentence } from './sentence.tsx'

const FULL = `A report has at most ${FILTERS_MAX} filters`

type NameOf = ReturnType<typeof useReferenceNames>

/** The conditions of the filter in the form of table filters, for looking up names of records. */
function plainTree(tree: FilterTree | undefined): PlainTree | null {
  const leaves = leavesOf(tree).filter(({ value }) => !isRelative(value))
  const conditions = leaves.map(({ field, operator, value }) => ({
    attributeSlug: field,
    operator,
    value: value as string,
  }))
  return conditions.length > 0 ? { and: conditions } : null
}

/** The fields that filters can read. Only filters can also read attributes along references. */
function useFilterFields() {
  const { objects, fields, models } = useBuilder()
  return useMemo(() => {
    const { near, far } = fieldsAlong(objects, models)
    // Attributes along two references are not offered, because there are too many.
    return { chosen: [...fields, ...near], known: [...fields, ...near, ...far] }
  }, [objects, fields, models])
}

interface ConditionProps {
  fields: readonly ReportField[]
  condition: FieldCondition
  nameOf: NameOf
  set(condition: FieldCondition | undefined): void
}

function Condition({ fields, condition, nameOf, set }: ConditionProps) {
  const { objects } = useBuilder()
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

/** The steps of adding a condition: choose a field, then complete the form. */
function useSteps(fields: readonly ReportField[]) {
  const { objects } = useBuilder()
  return {
    picker: (pick: (field: ReportField) => void) => (
      <Chooser
        placeholder="Find a field"
        find={(typed) => findChoices(fieldChoices(objects, fields), typed)}
        onPick={(slug) => {
          const found = fields.find((field) => field.slug === slug)
          if (found) pick(found)
        }}
      />
    ),
    form: (field: ReportField, apply: (condition: FieldCondition) => void) => (
      <FilterForm key={field.slug} field={field} onApply={apply} />
    ),
  }
}

export function FilterSentence() {
  const { draft, act, filtering, setFiltering } = useBuilder()
  const { chosen, known } = useFilterFields()
  const tree = treeIn<FieldCondition>(draft.filters)
  const nameOf = useReferenceNames(plainTree(tree), known)
  const root = affirmedRoot(tree)
  const steps = useSteps(chosen)
  const isFull = leavesOf(tree).length >= FILTERS_MAX
  const set = (group: LogicGroup<FieldCondition>) => act({ does: 'filters', tree: rootTree(group, tree) })
  return (
    <Sentence name="filters" lead="where" zone="filters">
      {root.items.length === 0 && <span className="muted small">no filters</span>}
      <ConditionGroup
        group={root}
        onChange={set}
        render={(condition, change) => (
          <Condition fields={known} condition={condition} nameOf={nameOf} set={change} />
        )}
        add={(append) => (
          <AddToGroup
            {...steps}
            label="Add a condition to the group"
            target={(toggle) => <AddButton label="Condition" onClick={toggle} />}
            onAdd={append}
          />
        )}
      />
      <AddCondition
        {...steps}
        label="Add a filter"
        target={(toggle) => (
          <AddButton label="Filter" fullReason={isFull ? FULL : undefined} onClick={toggle} />
        )}
        adding={filtering}
        setAdding={setFiltering}
        canGroup={canGroup(root)}
        onAdd={(condition, isGrouped) => set(withLeaf(root, condition, isGrouped))}
      />
    </Sentence>
  )
}
