// Messages of the stream as text/event-stream.
import type { EventType } from '../../contract/events.ts'
import { LIVE_IDS_MAX, type LiveChange, type LiveMessages } from '../../contract/live.ts'

export interface LiveEvent {
  id: string
  type: EventType
  subject: string
  objectId: string | null
}

/** One line of data, since JSON has no line breaks; an id that is empty forgets the last one. */
export const messageText = <Name extends keyof LiveMessages>(
  name: Name,
  data: LiveMessages[Name],
  id?: string,
) => `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** Events of one organization in their order, each thing once. */
export function changesOf(events: readonly LiveEvent[]): LiveChange[] {
  const groups = new Map<string, { type: EventType; objectId: string | null; ids: Set<string> }>()
  for (const { type, objectId, subject } of events) {
    const key = `${type} ${objectId}`
    const group = groups.get(key) ?? { type, objectId, ids: new Set() }
    groups.set(key, group)
    group.ids.add(subject)
  }
  const all = [...groups.values()]
  const areTooMany = all.reduce((count, { ids }) => count + ids.size, 0) > LIVE_IDS_MAX
  return all.map(({ type, objectId, ids }) => ({ type, objectId, ids: areTooMany ? null : [...ids] }))
}

/** @returns '' without events */
export function changesText(events: readonly LiveEvent[]): string {
  const last = events.at(-1)
  return last ? messageText('changes', { changes: changesOf(events) }, last.id) : ''
}

/** What was missed is not known: the page reads everything again, and goes on from here. */
export const RELOAD_TEXT: string = messageText('reload', {}, '')

/** Keeps connections open that proxies and the server close when nothing happens on them. */
export const HEARTBEAT_TEXT = ':\n\n'
