// A record's timeline: its activities and its changes, two lists of the service read as one.

import type { Attribute } from '../../../shared/api/objects.ts'
import { localDay } from '../../../shared/values/local-input.ts'
import type { Activity } from '../../activities/api.ts'
import { happenedAt } from '../../activities/arrange.ts'
import type { HistoryEntry } from '../api/history.ts'

export type TimelineItem =
  | { kind: 'activity'; id: string; at: string; activity: Activity }
  /** Changes by one person in a row, on one day, the latest first. */
  | { kind: 'changes'; id: string; at: string; entries: HistoryEntry[] }

interface Source<Item> {
  /** The latest first, as far as they are loaded. */
  items: readonly Item[]
  hasMore: boolean
}

/** Before this moment a source may have more than is loaded. */
const edgeOf = <Item>({ items, hasMore }: Source<Item>, atOf: (item: Item) => string): string => {
  const last = items.at(-1)
  return hasMore && last !== undefined ? atOf(last) : ''
}

/** Of one person, and of one record: it has the history of those that were merged into it too. */
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

/** Changes that change nothing which is still to be seen say nothing. */
const saysSomething = ({ changes }: HistoryEntry) => changes === null || Object.keys(changes).length > 0

/**
 * The latest first, and nothing before the moment from which one of the two is not loaded: what is older appears
 * below what is there, never in its midst.
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

/** Whether the entry is the return of the record from the trash. */
export const isRestored = ({ type, version }: HistoryEntry): boolean =>
  type === 'record.created' && version > 1

/** How many values were changed; a creation counts as one change. */
export const countChanges = (entries: readonly HistoryEntry[]): number =>
  entries.reduce((sum, { changes }) => sum + (changes ? Object.keys(changes).length : 1), 0)

const moveWords = (value: unknown) => (typeof value === 'string' && value !== '' ? value : 'none')

/**
 * Where select values came from and where they are now: "Stage Qualified → Won"; empty when none changed.
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
