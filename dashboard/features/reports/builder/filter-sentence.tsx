// "where stage is Won and close date is in the last 365 days"
import { useMemo } from 'react'
import { FILTERS_MAX } from '../../../../contract/limits.ts'
import { RELATIVE_DATES } from '../../../../contract/report-states.ts'
import { capitalized } from '../../../shared/api/errors.ts'
import { AddCondition, AddToGroup } from '../../../shared/filters/add-condition.tsx'
import { ConditionWords } from '../../../shared/filters/chip-parts.tsx'
import { ConditionForm } from '../../../shared/filters/condition-form.tsx'
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
import { firstComparison } from '../../../shared/filters/operator-words.ts'
import { isSpan, spanWords } from '../../../shared/filters/spans.ts'
import { useReferenceNames } from '../../../shared/filters/use-reference-names.ts'
import { Chooser, findChoices } from '../../../ui/chooser.tsx'
import { AddButton } from './add-button.tsx'
import { useBuilder } from './builder-context.ts'
import { filterWords } from './builder-words.ts'
import { type FieldCondition, type FilterTree, treeIn } from './conditions.ts'
import { fieldChoices } from './field-choices.ts'
import { PartChip } from './part-chip.tsx'
import { fieldsAlong, type ReportField } from './report-fields.ts'
import { Sentence } from './sentence.tsx'

const FULL = `A report has at most ${FILTERS_MAX} filters`

const SPANS = RELATIVE_DATES.map((value) => ({ value, label: capitalized(spanWords(value)) }))

function begin({ slug, type }: ReportField): FieldCondition {
  const first = firstComparison(type)
  return { field: slug, ...first, ...(type === 'date' && { value: { relative: 'last_30_days' } }) }
}

const named = (field: ReportField) => ({ ...field, name: field.fullName })

type NameOf = ReturnType<typeof useReferenceNames>

/** The conditions of the filter in the form of table filters, for looking up names of records. */
function plainTree(tree: FilterTree | undefined): PlainTree | null {
  const leaves = leavesOf(tree).filter(({ value }) => !isSpan(value))
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
      <ConditionForm
        attribute={named(field)}
        condition={condition}
        submit="Change filter"
        spans={SPANS}
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
      <ConditionForm
        key={field.slug}
        attribute={named(field)}
        condition={begin(field)}
        submit="Add filter"
        spans={SPANS}
        onApply={apply}
      />
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
