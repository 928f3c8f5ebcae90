// Conditions in a sentence, joined by "and" or "or"; groups inside lie in a frame of their own.
import { Fragment, type ReactNode } from 'react'
import { JunctionButton, RemoveButton } from '../../../../shared/filters/chip-parts.tsx'
import classes from '../../../../shared/filters/filters.module.css'
import { asTree, groupOf, type LogicGroup, withItem } from '../../../../shared/filters/logic-tree.ts'
import type { Tree } from './conditions.ts'
import { focusAdding } from './focus.ts'

interface GroupProps<Leaf> {
  group: LogicGroup<Leaf>
  onChange(group: LogicGroup<Leaf>): void
  /** @param set undefined takes it away */
  render(leaf: Leaf, set: (leaf: Leaf | undefined) => void): ReactNode
  /** At the end of a group inside. */
  add(append: (leaf: Leaf) => void): ReactNode
}

interface ItemProps<Leaf> extends Omit<GroupProps<Leaf>, 'group' | 'onChange'> {
  item: Tree<Leaf>
  set(item: Tree<Leaf> | undefined): void
}

function Item<Leaf>({ item, set, render, add }: ItemProps<Leaf>): ReactNode {
  const group = groupOf(item)
  if (!group) return render(item as Leaf, set)
  return (
    <fieldset className={classes.group} aria-label="Group of conditions">
      <ConditionGroup group={group} onChange={(changed) => set(asTree(changed))} render={render} add={add} />
      {add((leaf) => set(asTree({ ...group, items: [...group.items, leaf] })))}
      <RemoveButton
        label="Remove the group"
        onClick={() => {
          focusAdding()
          set(undefined)
        }}
      />
    </fieldset>
  )
}

export function ConditionGroup<Leaf>({ group, onChange, render, add }: GroupProps<Leaf>) {
  return group.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity but their place
    <Fragment key={index}>
      {index > 0 && (
        <JunctionButton junction={group.junction} onChange={(junction) => onChange({ ...group, junction })} />
      )}
      <Item
        item={item}
        set={(changed) => onChange(withItem(group, index, changed))}
        render={render}
        add={add}
      />
    </Fragment>
  ))
}
