// The filter of a view: its conditions as chips, and the button that adds one.
import { ActionIcon, Button } from '@mantine/core'
import { ListFilter, Plus } from 'lucide-react'
import { later } from '../../ui/later.tsx'
import type { Attribute } from '../api/objects.ts'
import { AddCondition, type Adding, AddToGroup } from './add-condition.tsx'
import { isAlong, useAlong } from './along.ts'
import { ConditionChip } from './condition-chip.tsx'
import { ConditionGroup } from './condition-group.tsx'
import type { Condition, FilterTree } from './filter.ts'
import { focusAdding } from './focus-adding.ts'
import { ConditionForm } from './later-condition-form.ts'
import { affirmedRoot, canGroup, leavesOf, simplified, withLeaf } from './logic-tree.ts'
import { firstComparison } from './operator-words.ts'
import { useReferenceNames } from './use-reference-names.ts'

const AttributePicker = later(async () => (await import('./attribute-picker.tsx')).AttributePicker)

interface FilterBarProps {
  attributes: readonly Attribute[]
  filter: FilterTree | null
  onChange(filter: FilterTree | null): void
  adding: Adding<Attribute>
  setAdding(adding: Adding<Attribute>): void
}

const filterButton = (toggle: () => void) => (
  <Button
    variant="subtle"
    color="gray"
    leftSection={<ListFilter size={14} aria-hidden />}
    title="Filter (F)"
    aria-keyshortcuts="F"
    data-add
    onClick={toggle}
  >
    Filter
  </Button>
)

const groupButton = (toggle: () => void) => (
  <ActionIcon size="sm" aria-label="Add a condition to the group" onClick={toggle}>
    <Plus size={14} aria-hidden />
  </ActionIcon>
)

function ClearButton({ onClear }: { onClear(): void }) {
  const clear = () => {
    focusAdding()
    onClear()
  }
  return (
    <Button variant="subtle" color="gray" onClick={clear}>
      Clear
    </Button>
  )
}

/** The steps of adding a condition: choose an attribute, then complete the form. */
const stepsOf = (attributes: readonly Attribute[]) => ({
  label: 'Add a filter',
  picker: (pick: (attribute: Attribute) => void) => <AttributePicker attributes={attributes} onPick={pick} />,
  form: (attribute: Attribute, apply: (condition: Condition) => void) => (
    <ConditionForm
      key={attribute.id}
      attribute={attribute}
      condition={{ attributeSlug: attribute.slug, ...firstComparison(attribute.type) }}
      submit="Add filter"
      appliesChoice
      withMe
      onApply={apply}
    />
  ),
})

export function FilterBar({ attributes, filter, onChange, adding, setAdding }: FilterBarProps) {
  const hasPath = leavesOf(filter).some(({ attributeSlug }) => isAlong(attributeSlug, attributes))
  const { near, far } = useAlong(attributes, hasPath)
  const known = [...attributes, ...near, ...far]
  const nameOf = useReferenceNames(filter, known)
  const root = affirmedRoot(filter)
  const set = (group: typeof root) => onChange(simplified(group))
  const steps = stepsOf(attributes)
  return (
    <search className="row fill wrap gap-6" aria-label="Filter" data-sentence>
      <ConditionGroup
        group={root}
        onChange={set}
        render={(condition, change) => (
          <ConditionChip
            condition={condition}
            attributes={known}
            nameOf={nameOf}
            onChange={(changed) => {
              if (changed === undefined) focusAdding()
              change(changed)
            }}
          />
        )}
        add={(append) => <AddToGroup {...steps} target={groupButton} onAdd={append} />}
      />
      <AddCondition
        {...steps}
        target={filterButton}
        adding={adding}
        setAdding={setAdding}
        canGroup={canGroup(root)}
        onAdd={(condition, isGrouped) => set(withLeaf(root, condition, isGrouped))}
      />
      {root.items.length > 0 && <ClearButton onClear={() => onChange(null)} />}
    </search>
  )
}
