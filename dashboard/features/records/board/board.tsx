// Records as cards in columns, one column for each option of a select attribute or each member. Moving a card changes
// the record.

import {
  type CollisionDetection,
  closestCenter,
  DndContext,
  type DragEndEvent,
  DragOverlay,
  type DragStartEvent,
  pointerWithin,
  useDndContext,
} from '@dnd-kit/core'
import { Box } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Columns3 } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { namingAttribute, recordName } from '../../../../contract/record-name.ts'
import { ownerAttribute } from '../../../../contract/standard-objects.ts'
import { membersQuery } from '../../../shared/api/members.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import type { CrmRecord, RecordData } from '../../../shared/api/records.ts'
import type { AskedTree } from '../../../shared/filters/filter.ts'
import type { ViewState } from '../../../shared/filters/view-state.ts'
import { EmptyState } from '../../../shared/state.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { SILENT, usePointerSensors } from '../../../ui/sorting.tsx'
import classes from './board.module.css'
import { BoardContext, type BoardParts, type CardPlace, useBoard } from './board-context.ts'
import { type BoardSource, boardGroupsQuery } from './board-data.ts'
import { CardFace } from './card.tsx'
import { Column } from './column.tsx'
import { ColumnSwitcher } from './column-switcher.tsx'
import {
  boardAttributes,
  type ColumnAttribute,
  type ColumnValue,
  canTake,
  cardFields,
  columnSort,
  columnsAtRest,
  columnTitle,
  columnValues,
  firstColumn,
  type Move,
} from './columns.ts'
import { type Held, useKeyboardMove } from './use-keyboard-move.ts'
import { useMove } from './use-move.ts'

/** Used in the toolbar of the page, and exported here to be in the same file as the board. */
export { BoardDisplay } from './board-display.tsx'

export interface BoardProps {
  objectWithAttributes: ObjectWithAttributes
  view: ViewState
  /** All filters of the view, including its text search. */
  filterTree: AskedTree | null
  /** Opens the form for a new record with these initial values. */
  onCreate?: ((values: RecordData) => void) | undefined
}

/** The column under the pointer, else the nearest one, because a finger may leave the columns. */
const collision: CollisionDetection = (drag) => {
  const within = pointerWithin(drag)
  return within.length > 0 ? within : closestCenter(drag)
}

const HELP =
  'Arrow keys go to other cards, Enter opens. Space picks the card up; then arrow keys choose a column, Space drops, Escape cancels.'

/** Texts about moves for screen readers. */
function useWords(source: BoardSource, values: readonly ColumnValue[]) {
  const naming = namingAttribute(source.object.attributes)
  const nameOf = (record: CrmRecord) => recordName(naming, record)
  const place = (value: ColumnValue) =>
    `${columnTitle(source.groupBy, value)}, column ${values.indexOf(value) + 1} of ${values.length}`
  return { nameOf, place }
}

/** The common code of moves by pointer, menu and keyboard. */
function useBoardMoves(source: BoardSource, values: readonly ColumnValue[]) {
  const save = useMove(source)
  const { nameOf, place } = useWords(source, values)
  const [message, announce] = useState('')
  const [toFocus, setToFocus] = useState<CardPlace>()
  const move = async (asked: Move) => {
    announce(`${nameOf(asked.record)} moved to ${place(asked.to)}`)
    if (await save(asked)) return true
    announce(`${nameOf(asked.record)} could not be moved: it is back in ${place(asked.from)}`)
    return false
  }
  const drop = async (held: Held) => {
    const { id } = held.record
    setToFocus({ id, value: held.to })
    if (!(await move(held))) setToFocus({ id, value: held.from })
  }
  const keyboard = useKeyboardMove({
    targets: values.filter((value) => canTake(source.groupBy, value)),
    onDrop: (held) => void drop(held),
    announce: {
      picked: ({ record, from }) => announce(`${nameOf(record)} picked up from ${place(from)}`),
      over: ({ to }) => announce(place(to)),
      cancelled: ({ record, from }) => announce(`${nameOf(record)} stays in ${place(from)}`),
    },
  })
  const focus = { toFocus, onFocused: () => setToFocus(undefined) }
  return { message, move: (asked: Move) => void move(asked), nameOf, ...keyboard, ...focus }
}

/** Dragging of cards by mouse and touch. */
function Dragging({ children }: { children: ReactNode }) {
  const { move } = useBoard()
  const [lifted, setLifted] = useState<CrmRecord>()
  const onDragStart = ({ active }: DragStartEvent) => setLifted(active.data.current?.['record'])
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    setLifted(undefined)
    const [from, to] = [active.data.current?.['from'], over?.data.current?.['value']]
    if (over && lifted && from !== to) move({ record: lifted, from, to })
  }
  return (
    <DndContext
      sensors={usePointerSensors()}
      collisionDetection={collision}
      accessibility={SILENT}
      onDragStart={onDragStart}
      onDragEnd={onDragEnd}
      onDragCancel={() => setLifted(undefined)}
    >
      {children}
      <DragOverlay dropAnimation={null}>{lifted && <CardFace record={lifted} />}</DragOverlay>
    </DndContext>
  )
}

/** The collapsed columns, stored on this device separately for each attribute. */
function useFolded({ org, object, groupBy }: BoardSource) {
  const [folded, setFolded] = useLocalStorage<string[]>({
    key: `rapport-folded:${org}:${object.slug}:${groupBy.slug}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const keyOf = (value: ColumnValue) => (value === null ? '' : `=${value}`)
  return {
    isFolded: (value: ColumnValue) => folded.includes(keyOf(value)),
    toggle: (value: ColumnValue) => {
      const key = keyOf(value)
      setFolded(folded.includes(key) ? folded.filter((other) => other !== key) : [...folded, key])
    },
  }
}

/** While a card is moved, hidden columns appear collapsed at the end, so that the other columns do not move. */
function AllColumns() {
  const { source, values, shown, held } = useBoard()
  const { active } = useDndContext()
  const { isFolded, toggle } = useFolded(source)
  const isMoving = active !== null || held !== undefined
  return (
    <Box className="flex rest gap-8 sunken relative scroll" p={12}>
      {(isMoving ? values : shown).map((value) => (
        <Column
          key={value === null ? '' : `=${value}`}
          value={value}
          isFolded={isFolded(value) || !shown.includes(value)}
          onFold={() => toggle(value)}
        />
      ))}
    </Box>
  )
}

/** On a phone: one column at a time. The chosen column stays when its last card is moved. */
function OneColumn() {
  const { source, values, held } = useBoard()
  const { data } = useQuery(boardGroupsQuery(source))
  const [chosen, setChosen] = useState<ColumnValue>()
  const isKnown = chosen !== undefined && values.includes(chosen)
  const first = data && firstColumn(values, data.groups)
  if (first !== undefined && !isKnown) setChosen(first)
  const value = held ? held.to : isKnown ? chosen : values[0]
  if (value === undefined) return null
  return (
    <div className={classes.single}>
      <ColumnSwitcher value={value} onChange={setChosen} />
      <Column key={value} value={value} />
    </div>
  )
}

function Loaded({ source, props }: { source: BoardSource; props: BoardProps }) {
  const { objectWithAttributes: object, view, onCreate } = props
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const { data } = useQuery({ ...boardGroupsQuery(source), placeholderData: keepPreviousData })
  const values = useMemo(() => columnValues(source.groupBy, data?.groups ?? []), [source.groupBy, data])
  const shown = columnsAtRest(values, data?.groups ?? [])
  const { message, ...moves } = useBoardMoves(source, values)
  const locked = object.isActive
    ? undefined
    : `${object.pluralName} are inactive: records can be read, not changed`
  const fields = cardFields(object.attributes, view)
  const owner = ownerAttribute(object.attributes)
  const parts: BoardParts = {
    ...{ source, values, shown, locked, fields, onCreate, ...moves },
    // If the columns are owners, every card of a column would have the same owner.
    owner: owner?.id === source.groupBy.id ? undefined : owner,
  }
  return (
    <BoardContext value={parts}>
      <div className="stack rest">
        <p id="board-help" className="visually-hidden">
          {locked ?? HELP}
        </p>
        <div role="status" aria-live="assertive" className="visually-hidden">
          {message}
        </div>
        <Dragging>{isNarrow ? <OneColumn /> : <AllColumns />}</Dragging>
      </div>
    </BoardContext>
  )
}

/** Adds the members that columns represent; undefined until they are loaded. */
function useColumnAttribute(groupBy: Attribute | undefined): ColumnAttribute | undefined {
  const hasMembers = groupBy?.type === 'member'
  const { data } = useQuery({ ...membersQuery(useOrg()), enabled: hasMembers })
  return useMemo(() => {
    if (!groupBy || !hasMembers) return groupBy
    if (!data) return undefined
    const named = data.map(({ user }) => [user.id, user.name || user.email] as const)
    return { ...groupBy, members: new Map(named.toSorted(([, a], [, b]) => a.localeCompare(b))) }
  }, [groupBy, hasMembers, data])
}

export function Board(props: BoardProps) {
  const { objectWithAttributes: object, view, filterTree } = props
  const org = useOrg()
  const attributes = boardAttributes(object.attributes, view)
  const groupBy = useColumnAttribute(attributes?.groupBy)
  if (!attributes)
    return (
      <EmptyState icon={Columns3} title={`${object.pluralName} have no attribute for columns`}>
        The columns of a board are the options of a select attribute, or members. Add such an attribute to see
        a board here.
      </EmptyState>
    )
  if (!groupBy) return null
  const source = { org, object, ...attributes, groupBy, filter: filterTree, sort: columnSort(view.sort) }
  return <Loaded key={groupBy.id} source={source} props={props} />
}
