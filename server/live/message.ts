// Messages of the stream as text/event-stream.
import type { StoredEventType } from '../../contract/events.ts'
import { LIVE_IDS_MAX, type LiveChange, type LiveMessages } from '../../contract/live.ts'

export interface LiveEvent {
  id: string
  type: StoredEventType
  subject: string
  objectId: string | null
}

/** One line of data, because JSON has no line breaks; an empty id clears the last one. */
export const messageText = <Name extends keyof LiveMessages>(
  name: Name,
  data: LiveMessages[Name],
  id?: string,
) => `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** The changes of one organization in order, without duplicates. */
export function liveChanges(events: readonly LiveEvent[]): LiveChange[] {
  const groups = new Map<string, { type: StoredEventType; objectId: string | null; ids: Set<string> }>()
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

/**
 * @param spreadMs the time over which the receivers spread their reads
 * @returns '' without events
 */
export function changesText(events: readonly LiveEvent[], spreadMs = 0): string {
  const last = events.at(-1)
  return last ? messageText('changes', { changes: liveChanges(events), spreadMs }, last.id) : ''
}

/** The missed events are unknown: the page reads everything again, and continues from here. */
export const RELOAD_TEXT: string = messageText('reload', {}, '')

/** The inbox of the stream's member has changed. */
export const INBOX_TEXT: string = messageText('inbox', {})

/** A heartbeat keeps idle connections open that proxies and the server would close. Without it a client reconnects. */
export const beatText = (spreadMs: number): string => messageText('beat', { spreadMs })
