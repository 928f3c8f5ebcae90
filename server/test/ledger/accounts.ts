// The books: what writers were told, held against the events and records in the database.

export type RecordEvent = 'record.created' | 'record.updated' | 'record.deleted'

/** One change of one record, as a writer meant it. */
export interface Change {
  type: RecordEvent
  /** The record's name after it, never used twice; of a deletion there is none. */
  marker?: string
  /** Unknown of a record whose creation got no answer. */
  record?: string
}

/** The changes of one request, in the order of the writer: all of them were made, or none. */
export interface Entry {
  outcome: 'ok' | 'failed' | 'unknown'
  changes: Change[]
}

export interface WrittenEvent {
  id: string
  type: RecordEvent
  subject: string
  /** The record's name after the change, or its last. */
  name: string
  /** Its name before an update. */
  nameBefore: string | null
}

export interface Book {
  log: readonly Entry[]
  /** By id. */
  events: readonly WrittenEvent[]
  records: readonly { id: string; name: string }[]
}

const keyOf = ({ type, marker, record }: Change) => `${type} ${type === 'record.deleted' ? record : marker}`

const keyOfEvent = ({ type, subject, name }: WrittenEvent) => keyOf({ type, marker: name, record: subject })

type EventsByKey = ReadonlyMap<string, readonly WrittenEvent[]>

/** Whether what a request was to do was done: by its events. */
const happened = ({ changes }: Entry, events: EventsByKey) =>
  changes.some((change) => events.has(keyOf(change)))

function eventFaults({ log, events }: Book, byKey: EventsByKey): string[] {
  const allowed = new Map<string, [min: number, max: number]>()
  for (const { outcome, changes } of log)
    for (const change of changes) {
      const [min, max] = allowed.get(keyOf(change)) ?? [0, 0]
      allowed.set(keyOf(change), [min + Number(outcome === 'ok'), max + Number(outcome !== 'failed')])
    }
  const counts = [...allowed].flatMap(([key, [min, max]]) => {
    const count = byKey.get(key)?.length ?? 0
    return count < min || count > max ? [`${key}: ${count} events, not ${min} to ${max}`] : []
  })
  const strangers = events.map(keyOfEvent).filter((key) => !allowed.has(key))
  return [...counts, ...strangers.map((key) => `${key}: an event nobody asked for`)]
}

const halfFaults = ({ log }: Book, byKey: EventsByKey): string[] =>
  log
    .filter((entry) => entry.outcome === 'unknown' && happened(entry, byKey))
    .flatMap(({ changes }) => changes.filter((change) => !byKey.has(keyOf(change))))
    .map((change) => `${keyOf(change)}: not done, unlike the rest of its request`)

/** A record's events follow from each other. */
function chainFaults({ events }: Book): string[] {
  const names = new Map<string, string | undefined>()
  return events.flatMap((event) => {
    const before = names.get(event.subject)
    const isFirst = !names.has(event.subject)
    names.set(event.subject, event.type === 'record.deleted' ? undefined : event.name)
    if (event.type === 'record.created') return isFirst ? [] : [`${keyOfEvent(event)}: it was there before`]
    const from = event.type === 'record.updated' ? event.nameBefore : event.name
    return before === from ? [] : [`${keyOfEvent(event)}: from ${from}, but the record was at ${before}`]
  })
}

/** What should be there if the log were played again: record → name. */
function replay({ log }: Book, byKey: EventsByKey): Map<string, string> {
  const state = new Map<string, string>()
  const isDone = (entry: Entry) =>
    entry.outcome === 'ok' || (entry.outcome === 'unknown' && happened(entry, byKey))
  for (const change of log.filter(isDone).flatMap(({ changes }) => changes)) {
    const record = change.record ?? byKey.get(keyOf(change))?.[0]?.subject ?? ''
    if (change.marker === undefined) state.delete(record)
    else state.set(record, change.marker)
  }
  return state
}

function stateFaults(book: Book, byKey: EventsByKey): string[] {
  const expected = replay(book, byKey)
  const actual = new Map(book.records.map(({ id, name }) => [id, name]))
  const ids = [...new Set([...expected.keys(), ...actual.keys()])]
  return ids
    .filter((id) => expected.get(id) !== actual.get(id))
    .map((id) => `${id}: it is ${actual.get(id)}, the log says ${expected.get(id)}`)
}

/** How many of the requests without an answer were carried out. */
export function countHappened({ log, events }: Book): number {
  const byKey = Map.groupBy(events, keyOfEvent)
  return log.filter((entry) => entry.outcome === 'unknown' && happened(entry, byKey)).length
}

/**
 * Every acknowledged change has exactly one event, a refused one none; a request without an answer was carried out
 * as a whole or not at all; the records are what the log comes to. @returns what is not so, in words
 */
export function audit(book: Book): string[] {
  const byKey = Map.groupBy(book.events, keyOfEvent)
  return [eventFaults, halfFaults, chainFaults, stateFaults].flatMap((faultsOf) => faultsOf(book, byKey))
}
