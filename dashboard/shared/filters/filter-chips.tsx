// A group of conditions as chips, joined by "and" or "or".
import { Fragment, type ReactNode } from 'react'
import type { Attribute } from '../api/objects.ts'
import { AddToGroup } from './add-filter.tsx'
import { JunctionButton, RemoveButton } from './chip-parts.tsx'
import { ConditionChip, type NameOf } from './condition-chip.tsx'
import type { FilterTree } from './filter.ts'
import {
  type FilterGroup,
  fromGroup,
  isCondition,
  isPlainGroup,
  replaceItem,
  toGroup,
  withItem,
} from './filter-tree.ts'
import classes from './filters.module.css'
import { treeWords } from './operator-words.ts'

interface FilterChipsProps {
  group: FilterGroup
  attributes: readonly Attribute[]
  nameOf: NameOf
  onChange(group: FilterGroup): void
}

interface ItemProps extends Omit<FilterChipsProps, 'group' | 'onChange'> {
  item: FilterTree
  onChange(item: FilterTree | null): void
}

/** A link may bring deeper trees than can be made here: they are shown, and kept. */
function DeepChip({ item, attributes, nameOf, onChange }: ItemProps) {
  const words = treeWords(item, attributes, nameOf)
  return (
    <span className={classes.chip}>
      <span className={classes.words} title={words}>
        {words}
      </span>
      <RemoveButton label={`Remove filter ${words}`} onClick={() => onChange(null)} />
    </span>
  )
}

function GroupChip({ item, onChange, ...props }: ItemProps): ReactNode {
  if (isCondition(item)) return null
  const group = toGroup(item)
  return (
    <fieldset className={classes.group} aria-label="Group of conditions">
      <FilterChips {...props} group={group} onChange={(changed) => onChange(fromGroup(changed))} />
      <AddToGroup
        attributes={props.attributes}
        onAdd={(condition) => onChange(fromGroup(withItem(group, condition)))}
      />
      <RemoveButton label="Remove filter group" onClick={() => onChange(null)} />
    </fieldset>
  )
}

function Item(props: ItemProps) {
  const { item } = props
  if (isCondition(item)) return <ConditionChip {...props} condition={item} />
  return isPlainGroup(item) ? <GroupChip {...props} /> : <DeepChip {...props} />
}

export function FilterChips({ group, onChange, ...props }: FilterChipsProps) {
  return group.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity but their place
    <Fragment key={index}>
      {index > 0 && (
        <JunctionButton junction={group.junction} onChange={(junction) => onChange({ ...group, junction })} />
      )}
      <Item {...props} item={item} onChange={(changed) => onChange(replaceItem(group, index, changed))} />
    </Fragment>
  ))
}
