// The filter of a view: its conditions as chips, and the way to one more.
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Attribute } from '../api/objects.ts'
import { AddFilter, type Adding, AddToGroup } from './add-filter.tsx'
import { ConditionChip } from './condition-chip.tsx'
import { ConditionGroup } from './condition-group.tsx'
import type { FilterTree } from './filter.ts'
import { canGroup, rootOf, simplified, withLeaf } from './logic-tree.ts'
import { useReferenceNames } from './use-reference-names.ts'

interface FilterBarProps {
  attributes: readonly Attribute[]
  filter: FilterTree | null
  onChange(filter: FilterTree | null): void
  adding: Adding
  setAdding(adding: Adding): void
}

export function FilterBar({ attributes, filter, onChange, adding, setAdding }: FilterBarProps) {
  const nameOf = useReferenceNames(filter, attributes)
  const [asGroup, setAsGroup] = useState(false)
  const root = rootOf(filter)
  const set = (group: typeof root) => onChange(simplified(group))
  return (
    <search className="row fill wrap gap-6" aria-label="Filter">
      <ConditionGroup
        group={root}
        onChange={set}
        render={(condition, change) => (
          <ConditionChip condition={condition} attributes={attributes} nameOf={nameOf} onChange={change} />
        )}
        add={(append) => <AddToGroup attributes={attributes} onAdd={append} />}
      />
      <AddFilter
        attributes={attributes}
        adding={adding}
        setAdding={(next) => {
          if (next === undefined) setAsGroup(false)
          setAdding(next)
        }}
        onAdd={(condition) => set(withLeaf(root, condition, asGroup))}
        grouping={canGroup(root) ? { isOn: asGroup, set: setAsGroup } : undefined}
      />
      {root.items.length > 0 && (
        <Button variant="subtle" color="gray" onClick={() => onChange(null)}>
          Clear
        </Button>
      )}
    </search>
  )
}
