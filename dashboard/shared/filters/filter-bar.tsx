// The filter of a view: its conditions as chips, and the way to one more.
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Attribute } from '../api/objects.ts'
import { AddFilter, type Adding } from './add-filter.tsx'
import type { Condition, FilterTree } from './filter.ts'
import { FilterChips } from './filter-chips.tsx'
import { fromGroup, isCondition, replaceItem, rootGroup, rootTree, withItem } from './filter-tree.ts'
import { useReferenceNames } from './use-reference-names.ts'

interface FilterBarProps {
  attributes: readonly Attribute[]
  filter: FilterTree | null
  onChange(filter: FilterTree | null): void
  adding: Adding
  setAdding(adding: Adding): void
}

/** A new condition joins the group that was asked for, or begins one. */
function added(filter: FilterTree | null, condition: Condition, asGroup: boolean): FilterTree | null {
  const root = rootGroup(filter)
  const last = root.items.length - 1
  const item = root.items[last]
  if (!asGroup || !item || !isCondition(item)) return rootTree(withItem(root, condition))
  const other = root.junction === 'and' ? ('or' as const) : ('and' as const)
  return rootTree(replaceItem(root, last, fromGroup({ junction: other, items: [item, condition] })))
}

export function FilterBar({ attributes, filter, onChange, adding, setAdding }: FilterBarProps) {
  const nameOf = useReferenceNames(filter, attributes)
  const [asGroup, setAsGroup] = useState(false)
  const root = rootGroup(filter)
  const canGroup = root.items.length > 1 && isCondition(root.items.at(-1) ?? { and: [] })
  return (
    <search className="row fill wrap gap-6" aria-label="Filter">
      <FilterChips
        group={root}
        attributes={attributes}
        nameOf={nameOf}
        onChange={(group) => onChange(rootTree(group))}
      />
      <AddFilter
        attributes={attributes}
        adding={adding}
        setAdding={(next) => {
          if (next === undefined) setAsGroup(false)
          setAdding(next)
        }}
        onAdd={(condition) => onChange(added(filter, condition, asGroup))}
        grouping={canGroup ? { isOn: asGroup, set: setAsGroup } : undefined}
      />
      {root.items.length > 0 && (
        <Button variant="subtle" color="gray" onClick={() => onChange(null)}>
          Clear
        </Button>
      )}
    </search>
  )
}
