// A column: its head and its cards. Only visible cards are rendered.
import { useDndContext, useDroppable } from '@dnd-kit/core'
import { Skeleton, Stack, Text } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import type { CrmRecord } from '../../../shared/api/records.ts'
import { ErrorState } from '../../../shared/state.tsx'
import classes from './board.module.css'
import { useBoard } from './board-context.ts'
import { columnQuery } from './board-data.ts'
import { Card } from './card.tsx'
import { recordsOf } from './card-places.ts'
import { ColumnHead, FoldedHead } from './column-head.tsx'
import { type ColumnValue, canTake, columnTitle } from './columns.ts'

const CARD_HEIGHT = 88
const GAP = 8
const AHEAD = 10

type Cards = Virtualizer<HTMLDivElement, Element>

/** The cards of a column are loaded when it first becomes visible, because a board may have hundreds of columns. */
function useCards(value: ColumnValue) {
  const { source } = useBoard()
  const { ref, inViewport } = useInViewport<HTMLDivElement>()
  const [isSeen, setSeen] = useState(false)
  if (inViewport && !isSeen) setSeen(true)
  const query = useInfiniteQuery({ ...columnQuery(source, value), enabled: isSeen })
  return { ref, query, records: recordsOf(query.data) }
}

/** Loads the next page before its first card becomes visible. */
function useMore(
  query: ReturnType<typeof useCards>['query'],
  { last, count }: { last: number; count: number },
) {
  const { hasNextPage, isFetching, isError, fetchNextPage } = query
  const isNear = hasNextPage && !isFetching && !isError && last >= count - AHEAD
  useEffect(() => {
    if (isNear) void fetchNextPage()
  }, [isNear, fetchNextPage])
}

/** Focuses a card again after the keyboard has moved it to this column. */
function useFocus(cards: Cards, records: readonly CrmRecord[], value: ColumnValue): void {
  const { toFocus, onFocused } = useBoard()
  const isHere = toFocus !== undefined && toFocus.value === value
  const index = isHere ? records.findIndex(({ id }) => id === toFocus.id) : -1
  useEffect(() => {
    if (index < 0) return
    cards.scrollToIndex(index)
    const frame = requestAnimationFrame(() => {
      const link = cards.scrollElement?.querySelector<HTMLElement>(`[data-card="${toFocus?.id}"]`)
      link?.focus({ preventScroll: true })
      if (link) onFocused()
    })
    return () => cancelAnimationFrame(frame)
  })
}

function Loading() {
  return (
    <Stack gap={8} pb={8} aria-busy="true">
      <Skeleton height={CARD_HEIGHT - GAP} radius="md" />
      <Skeleton height={CARD_HEIGHT - GAP} radius="md" />
      <span className="visually-hidden">Loading</span>
    </Stack>
  )
}

function List({
  cards,
  records,
  value,
}: {
  cards: Cards
  records: readonly CrmRecord[]
  value: ColumnValue
}) {
  const { groupBy } = useBoard().source
  return (
    <ul
      className="relative"
      style={{ height: cards.getTotalSize() }}
      aria-label={columnTitle(groupBy, value)}
    >
      {cards.getVirtualItems().map(({ index, start, key }) => {
        const record = records[index]
        return (
          record && (
            <li
              key={key}
              ref={cards.measureElement}
              data-index={index}
              className={classes.item}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Card record={record} value={value} />
            </li>
          )
        )
      })}
    </ul>
  )
}

function Cards({ value }: { value: ColumnValue }) {
  const { ref, query, records } = useCards(value)
  const { object } = useBoard().source
  const scroll = useRef<HTMLDivElement>(null)
  const cards = useVirtualizer<HTMLDivElement, Element>({
    count: records.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => CARD_HEIGHT,
    getItemKey: (index) => records[index]?.id ?? index,
    gap: GAP,
    overscan: 3,
  })
  useMore(query, { last: cards.getVirtualItems().at(-1)?.index ?? 0, count: records.length })
  useFocus(cards, records, value)
  return (
    <div ref={scroll} className={classes.scroll}>
      <div ref={ref}>
        {query.isPending && <Loading />}
        {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        {query.isSuccess && records.length === 0 && (
          <Text c="dimmed" ta="center" py={16}>
            No {object.pluralName.toLowerCase()}
          </Text>
        )}
        <List cards={cards} records={records} value={value} />
        {query.isFetchingNextPage && <Loading />}
      </div>
    </div>
  )
}

/** Whether the column accepts cards, and whether a card is over it, by pointer or keyboard. */
function useTarget(value: ColumnValue) {
  const { source, held } = useBoard()
  const isTarget = canTake(source.groupBy, value)
  const { setNodeRef, isOver } = useDroppable({
    id: `column:${value === null ? '' : `=${value}`}`,
    data: { value },
    disabled: !isTarget,
  })
  const { active } = useDndContext()
  const from = active ? active.data.current?.['from'] : held?.from
  const isMoving = active !== null || held !== undefined
  const isUnder = active ? isOver : held !== undefined && held.to === value
  return { setNodeRef, isTarget, isMoving, isUnder: isUnder && from !== value }
}

interface ColumnProps {
  value: ColumnValue
  isFolded?: boolean
  /** undefined if columns cannot be collapsed. */
  onFold?: (() => void) | undefined
}

export function Column({ value, isFolded = false, onFold }: ColumnProps) {
  const { source } = useBoard()
  const { setNodeRef, isTarget, isMoving, isUnder } = useTarget(value)
  const ref = useRef<HTMLElement | null>(null)
  useEffect(() => {
    if (isUnder) ref.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [isUnder])
  return (
    <section
      ref={(node) => {
        ref.current = node
        setNodeRef(node)
      }}
      className={classes.column}
      data-folded={isFolded || undefined}
      aria-label={columnTitle(source.groupBy, value)}
      data-column
      data-under={isUnder || undefined}
      data-refuses={(isMoving && !isTarget) || undefined}
    >
      {isFolded && onFold ? (
        <FoldedHead value={value} onFold={onFold} />
      ) : (
        <>
          <ColumnHead value={value} onFold={onFold} />
          <Cards value={value} />
        </>
      )}
    </section>
  )
}
