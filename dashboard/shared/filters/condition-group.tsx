// Conditions as chips, joined by "and" or "or". Inner groups have a frame and a button that negates them.
import { Fragment, type ReactNode } from 'react'
import { JunctionButton, NotButton, RemoveButton } from './chip-parts.tsx'
import classes from './filters.module.css'
import { focusAdding } from './focus-adding.ts'
import { asTree, isLeaf, type LogicGroup, type LogicTree, rootOf, withItem, withLeaf } from './logic-tree.ts'

interface GroupProps<Leaf> {
  group: LogicGroup<Leaf>
  onChange(group: LogicGroup<Leaf>): void
  /** @param set undefined removes it */
  render(leaf: Leaf, set: (leaf: Leaf | undefined) => void): ReactNode
  /** The button at the end of an inner group. */
  add(append: (leaf: Leaf) => void): ReactNode
}

interface ItemProps<Leaf> extends Omit<GroupProps<Leaf>, 'group' | 'onChange'> {
  item: LogicTree<Leaf>
  set(item: LogicTree<Leaf> | undefined): void
}

function Item<Leaf>({ item, set, render, add }: ItemProps<Leaf>): ReactNode {
  if (isLeaf(item)) return render(item, set)
  const group = rootOf(item)
  return (
    <fieldset className={classes.group} aria-label="Group of conditions">
      <NotButton
        isNegated={group.isNegated === true}
        onChange={(isNegated) => set(asTree({ ...group, isNegated }))}
      />
      <ConditionGroup group={group} onChange={(changed) => set(asTree(changed))} render={render} add={add} />
      {add((leaf) => set(asTree(withLeaf(group, leaf))))}
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
