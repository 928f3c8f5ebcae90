// A tree of conditions as rows. Nested groups are in separate boxes.
import { Button } from '@mantine/core'
import { Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  asTree,
  GROUPS_MAX,
  groupOf,
  type Junction,
  type LogicGroup,
  type LogicTree,
  placeOfItem,
  rootOf,
  rootTree,
  withItem,
} from '../../../shared/filters/logic-tree.ts'
import { Select } from '../../../ui/select.tsx'
import { SmallButton } from './small-button.tsx'

/** How leaves are rendered and created. */
export interface LeafKind<Leaf> {
  /** Noun for a leaf in labels of buttons. */
  noun: string
  empty(): Leaf
  render(leaf: Leaf, place: string, onChange: (leaf: Leaf) => void): ReactNode
  /** Whether at least one leaf is required. */
  isNeeded: boolean
}

interface RowsProps<Leaf> {
  kind: LeafKind<Leaf>
  tree: LogicTree<Leaf> | undefined
  place: string
  depth: number
  onChange(tree: LogicTree<Leaf> | undefined): void
}

type Match = Pick<LogicGroup<unknown>, 'junction' | 'isNegated'>

const MATCHES: Readonly<Record<string, Match & { label: string }>> = {
  all: { label: 'All conditions', junction: 'and', isNegated: false },
  any: { label: 'Any condition', junction: 'or', isNegated: false },
  notAll: { label: 'Not all conditions', junction: 'and', isNegated: true },
  none: { label: 'No condition', junction: 'or', isNegated: true },
}

function MatchSelect({ group, onChange }: { group: Match; onChange(match: Match): void }) {
  const { junction, isNegated = false } = group
  const [chosen] =
    Object.entries(MATCHES).find(
      ([, match]) => match.junction === junction && match.isNegated === isNegated,
    ) ?? []
  return (
    <Select
      aria-label="Match"
      data={Object.entries(MATCHES).map(([value, { label }]) => ({ value, label }))}
      value={chosen ?? null}
      allowDeselect={false}
      onChange={(value) => {
        const match = value === null ? undefined : MATCHES[value]
        if (match) onChange({ junction: match.junction, isNegated: match.isNegated === true })
      }}
    />
  )
}

interface ItemProps<Leaf> extends RowsProps<Leaf> {
  tree: LogicTree<Leaf>
  number: number
  isOnly: boolean
}

function Item<Leaf>({ kind, tree, place, depth, number, isOnly, onChange }: ItemProps<Leaf>) {
  const isGroup = groupOf(tree) !== undefined
  return (
    <li className="flex start gap-4">
      {isGroup ? (
        <div className="fill box sunken">
          <LogicRows kind={kind} tree={tree} place={place} depth={depth + 1} onChange={onChange} />
        </div>
      ) : (
        <div className="fill">{kind.render(tree as Leaf, place, onChange)}</div>
      )}
      {!(isOnly && kind.isNeeded && depth === 1) && (
        <SmallButton
          icon={X}
          label={`Remove ${isGroup ? 'group' : kind.noun} ${number}`}
          mt={4}
          onClick={() => onChange(undefined)}
        />
      )}
    </li>
  )
}

interface AddProps<Leaf> extends Pick<RowsProps<Leaf>, 'kind' | 'depth'> {
  group: LogicGroup<Leaf>
  set(group: LogicGroup<Leaf>): void
}

/** A nested group gets the other junction, because a group with the same junction would have no effect. */
function AddButtons<Leaf>({ kind, depth, group, set }: AddProps<Leaf>) {
  const add = (item: LogicTree<Leaf>) => set({ ...group, items: [...group.items, item] })
  const other: Junction = group.junction === 'and' ? 'or' : 'and'
  const plus = <Plus size={14} aria-hidden />
  return (
    <div className="flex fixed gap-2">
      <Button variant="subtle" color="gray" leftSection={plus} onClick={() => add(kind.empty())}>
        Add {kind.noun}
      </Button>
      {group.items.length > 0 && depth < GROUPS_MAX && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={plus}
          onClick={() => add(asTree({ junction: other, items: [kind.empty()] }))}
        >
          Add group
        </Button>
      )}
    </div>
  )
}

export function LogicRows<Leaf>({ kind, tree, place, depth, onChange }: RowsProps<Leaf>) {
  const group = rootOf(tree)
  const set = (changed: LogicGroup<Leaf>) => onChange(rootTree(changed, tree))
  return (
    <div className="stack shrink gap-8">
      {(group.items.length > 1 || group.isNegated || depth > 1) && (
        <MatchSelect group={group} onChange={(match) => set({ ...group, ...match })} />
      )}
      {group.items.length > 0 && (
        <ul className="stack gap-12">
          {group.items.map((item, index) => (
            <Item
              // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity but their place
              key={index}
              kind={kind}
              tree={item}
              place={placeOfItem(tree, place, index)}
              depth={depth}
              number={index + 1}
              isOnly={group.items.length === 1}
              onChange={(changed) => set(withItem(group, index, changed))}
            />
          ))}
        </ul>
      )}
      <AddButtons kind={kind} depth={depth} group={group} set={set} />
    </div>
  )
}
