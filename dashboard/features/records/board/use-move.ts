// Moves a card: shown immediately with counts and sums, saved in the order of the moves, reverted when refused.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { recordsKey } from '../../../shared/api/records.ts'
import { useEditRecord } from '../../../shared/records/edit-record.ts'
import { type BoardSource, boardGroupsQuery, columnQuery } from './board-data.ts'
import { withCard, withoutCard } from './card-places.ts'
import { type ColumnValue, type Move, movedGroups } from './columns.ts'

interface Target {
  client: QueryClient
  source: BoardSource
}

/** Shows the given record in its new column. Running requests are cancelled, because their results are older. */
async function show({ client, source }: Target, move: Move): Promise<void> {
  const [from, to] = [columnQuery(source, move.from).queryKey, columnQuery(source, move.to).queryKey]
  const groups = boardGroupsQuery(source).queryKey
  await Promise.all([from, to, groups].map((queryKey) => client.cancelQueries({ queryKey })))
  client.setQueryData(from, (pages) => pages && withoutCard(pages, move.record.id))
  client.setQueryData(to, (pages) => pages && withCard(pages, move.record, source.sort))
  client.setQueryData(
    groups,
    (list) => list && { ...list, groups: movedGroups(list.groups, move, source.sumOf) },
  )
}

function moved({ record, to }: Move, { groupBy }: BoardSource) {
  const { [groupBy.slug]: _, ...others } = record.data
  const data = to === null ? others : { ...others, [groupBy.slug]: to }
  return { ...record, data, updatedAt: new Date().toISOString() }
}

/** Reloads the columns and counts that the moves changed. Other lists of these records reload when next shown. */
function refresh({ client, source }: Target, touched: ReadonlySet<ColumnValue>): void {
  const { org, object } = source
  void client.invalidateQueries({ queryKey: recordsKey(org, object.slug), refetchType: 'none' })
  const keys = [...touched].map((value) => columnQuery(source, value).queryKey)
  for (const queryKey of [...keys, boardGroupsQuery(source).queryKey])
    void client.invalidateQueries({ queryKey })
}

/** @returns a function that moves a record, and resolves to whether the move was saved */
export function useMove(source: BoardSource): (move: Move) => Promise<boolean> {
  const client = useQueryClient()
  const edit = useEditRecord(source.object.slug)
  const waiting = useRef({ last: Promise.resolve(), count: 0, touched: new Set<ColumnValue>() })

  async function save(target: Target, move: Move): Promise<boolean> {
    const { record, from, to } = move
    const isSaved = await edit({ recordId: record.id, attribute: source.groupBy, from, to })
    if (!isSaved) await show(target, { record, from: to, to: from })
    return isSaved
  }

  return async (move) => {
    const [target, queue] = [{ client, source }, waiting.current]
    queue.count += 1
    queue.touched.add(move.from).add(move.to)
    await show(target, { ...move, record: moved(move, source) })
    const saving = queue.last.then(() => save(target, move))
    queue.last = saving.then(() => undefined)
    const isSaved = await saving
    queue.count -= 1
    // While another move is pending, data of the service is older than what is shown.
    if (queue.count === 0) refresh(target, queue.touched)
    return isSaved
  }
}
