// A record's timeline: combines its activities and its changes, which are two lists of the service.

import type { Attribute } from '../../../shared/api/objects.ts'
import { localDay } from '../../../shared/values/local-input.ts'
import type { Activity } from '../../activities/api.ts'
import { happenedAt } from '../../activities/arrange.ts'
import type { HistoryEntry } from '../api/history.ts'

export type TimelineItem =
  | { kind: 'activity'; id: string; at: string; activity: Activity }
  /** Consecutive changes by the same person on the same day, the latest first. */
  | { kind: 'changes'; id: string; at: string; entries: HistoryEntry[] }

interface Source<Item> {
  /** The loaded items, the latest first. */
  items: readonly Item[]
  hasMore: boolean
}

/** The source may have more items before this time, which are not loaded. */
const edgeOf = <Item>({ items, hasMore }: Source<Item>, atOf: (item: Item) => string): string => {
  const last = items.at(-1)
  return hasMore && last !== undefined ? atOf(last) : ''
}

/** Key of the author and the record: a history also contains entries of records that were merged into this one. */
const whoseOf = ({ actor, apiKey, workflow, recordId, mergedIds }: HistoryEntry) =>
  `${actor?.id} ${apiKey?.id} ${workflow?.id} ${recordId} ${mergedIds !== null}`

function folds(
  item: TimelineItem | undefined,
  entry: HistoryEntry,
): item is TimelineItem & { kind: 'changes' } {
  if (item?.kind !== 'changes') return false
  const [first] = item.entries
  return first !== undefined && whoseOf(first) === whoseOf(entry) && localDay(first.at) === localDay(entry.at)
}

function fold(items: readonly TimelineItem[]): TimelineItem[] {
  const folded: TimelineItem[] = []
  for (const item of items) {
    const last = folded.at(-1)
    const [entry] = item.kind === 'changes' ? item.entries : []
    if (entry && folds(last, entry)) last.entries.push(entry)
    else folded.push(item.kind === 'changes' ? { ...item, entries: [...item.entries] } : item)
  }
  return folded
}

/** false for changes of deleted attributes only. */
const saysSomething = ({ changes }: HistoryEntry) => changes === null || Object.keys(changes).length > 0

/**
 * The latest first, without items that are older than the loaded part of either list. So items that are loaded later
 * appear below the others, never between them.
 * @param past activities that have happened @param loaded all activities as the service ordered them
 */
export function timelineOf(
  past: readonly Activity[],
  loaded: Source<Activity>,
  history: Source<HistoryEntry>,
): TimelineItem[] {
  const activityEdge = edgeOf(loaded, ({ activityDate }) => activityDate)
  const historyEdge = edgeOf(history, ({ at }) => at)
  const edge = activityEdge > historyEdge ? activityEdge : historyEdge
  const items: TimelineItem[] = [
    ...past.map((activity) => ({
      kind: 'activity' as const,
      id: activity.id,
      at: happenedAt(activity),
      activity,
    })),
    ...history.items
      .filter(saysSomething)
      .map((entry) => ({ kind: 'changes' as const, id: entry.id, at: entry.at, entries: [entry] })),
  ]
  const shown = items.filter(({ at }) => at >= edge)
  return fold(shown.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)))
}

/** Whether the entry is the restoration of the record from the trash. */
export const isRestored = ({ type, version }: HistoryEntry): boolean =>
  type === 'record.created' && version > 1

/** How many values were changed; a creation counts as one change. */
export const countChanges = (entries: readonly HistoryEntry[]): number =>
  entries.reduce((sum, { changes }) => sum + (changes ? Object.keys(changes).length : 1), 0)

const moveWords = (value: unknown) => (typeof value === 'string' && value !== '' ? value : 'none')

/**
 * The first and last value of changed select attributes: "Stage Qualified → Won"; empty when none changed.
 * @param entries the latest first
 */
export function movesOf(entries: readonly HistoryEntry[], attributes: readonly Attribute[]): string {
  const moves = attributes.flatMap(({ slug, name, type, isList }) => {
    const changes = entries.flatMap((entry) => entry.changes?.[slug] ?? [])
    const [latest, earliest] = [changes[0], changes.at(-1)]
    if (type !== 'select' || isList || !latest || !earliest || latest.to === earliest.from) return []
    return [`${name} ${moveWords(earliest.from)} → ${moveWords(latest.to)}`]
  })
  return moves.join(', ')
}
