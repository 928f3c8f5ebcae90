// Compares the answers that writers got with the events and records in the database.

export type RecordEvent = 'record.created' | 'record.updated' | 'record.deleted'

/** return: an update that gives a record an earlier name. merge: the event that lists the losers of a winner. */
type Special = 'restoration' | 'return' | 'merge'

/** One change of one record, as a writer requested it. */
export interface Change {
  type: RecordEvent | Special
  /** The record's name after the change: a new name for creations and updates, absent for deletions. */
  marker?: string
  /** Absent if the creation of the record got no answer. */
  record?: string
  /** For deletions and special events: its number among the record's events of the type, from 1; absent: the first. */
  nth?: number
  /** Several writers change the record, in an order that the log does not contain. */
  isShared?: true
}

/** The changes of one request, in the order of the writer: all were made, or none. */
export interface Entry {
  outcome: 'ok' | 'failed' | 'unknown'
  changes: Change[]
  /** The times when the request was sent and when its answer arrived, in ms of the machine's clock. */
  sentAt: number
  answeredAt: number
}

export interface WrittenEvent {
  id: string
  type: RecordEvent
  subject: string
  /** The record's name after the change; for a deletion its last name. */
  name: string
  /** The record's name before an update of the name. */
  nameBefore: string | null
  /** An update without changed values, which a merge writes. */
  isMerge?: boolean
  version: number
}

export interface Book {
  log: readonly Entry[]
  /** In the order of the feed. */
  events: readonly WrittenEvent[]
  records: readonly { id: string; name: string; version: number }[]
  /** Ids of records in the trash, and of records for which permanent deletion was requested. */
  trash?: { ids: readonly string[]; purged: readonly string[] }
}

/** The first version of a record is its creation; a later creation is a restoration from the trash. */
const isRestoration = ({ type, version }: Pick<WrittenEvent, 'type' | 'version'>) =>
  type === 'record.created' && version > 1

const keyOf = ({ type, marker, record, nth = 1 }: Change) => {
  if (type === 'record.created' || type === 'record.updated') return `${type} ${marker}`
  return `${type} ${record}${nth > 1 ? ` (${nth})` : ''}`
}

/** Every update in this ledger has a new name, except one that returns an earlier name. */
function specialEvents(events: readonly WrittenEvent[]): Map<WrittenEvent, Special> {
  const names = new Set<string>()
  const found = new Map<WrittenEvent, Special>()
  for (const event of events.toSorted((a, b) => a.version - b.version)) {
    const named = `${event.subject} ${event.name}`
    if (isRestoration(event)) found.set(event, 'restoration')
    else if (event.isMerge) found.set(event, 'merge')
    else if (event.type === 'record.updated' && names.has(named)) found.set(event, 'return')
    names.add(named)
  }
  return found
}

function keysOf(events: readonly WrittenEvent[]): (event: WrittenEvent) => string {
  const special = specialEvents(events)
  const ofSubject = Map.groupBy(special.keys(), ({ subject }) => subject)
  /** A record is deleted again only after it was restored. */
  const countBefore = ({ subject, version }: WrittenEvent, type: Special) =>
    ofSubject.get(subject)?.filter((one) => one.version < version && special.get(one) === type).length ?? 0
  return (event) => {
    const type = special.get(event)
    const nth = countBefore(event, type ?? 'restoration') + 1
    return keyOf({ type: type ?? event.type, marker: event.name, record: event.subject, nth })
  }
}

const byKeyOf = (events: readonly WrittenEvent[]) => Map.groupBy(events, keysOf(events))

type EventsByKey = ReadonlyMap<string, readonly WrittenEvent[]>

/** Whether a request was carried out, judged by its events. */
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
  const strangers = events.map(keysOf(events)).filter((key) => !allowed.has(key))
  return [...counts, ...strangers.map((key) => `${key}: an unexpected event`)]
}

const halfFaults = ({ log }: Book, byKey: EventsByKey): string[] =>
  log
    .filter((entry) => entry.outcome === 'unknown' && happened(entry, byKey))
    .flatMap(({ changes }) => changes.filter((change) => !byKey.has(keyOf(change))))
    .map((change) => `${keyOf(change)}: not done, unlike the rest of its request`)

/** Each event of a record must start from the state after its previous event, in the order of the feed. */
function chainFaults({ events }: Book): string[] {
  const nameOf = keysOf(events)
  const names = new Map<string, string | undefined>()
  const lastNames = new Map<string, string>()
  return events.flatMap((event) => {
    const { type, subject } = event
    const [before, last] = [names.get(subject), lastNames.get(subject)]
    const isFirst = !names.has(subject)
    names.set(subject, type === 'record.deleted' ? undefined : event.name)
    lastNames.set(subject, event.name)
    if (isRestoration(event))
      return !isFirst && before === undefined && last === event.name
        ? []
        : [`${nameOf(event)}: as ${event.name}, but the record was at ${before}, last at ${last}`]
    if (type === 'record.created') return isFirst ? [] : [`${nameOf(event)}: it was there before`]
    const from = type === 'record.updated' && !event.isMerge ? event.nameBefore : event.name
    return before === from ? [] : [`${nameOf(event)}: from ${from}, but the record was at ${before}`]
  })
}

/** In the given order each event of a record must have its next version. */
function versionFaults(events: readonly WrittenEvent[], order: string): string[] {
  const versions = new Map<string, number>()
  const nameOf = keysOf(events)
  return events.flatMap((event) => {
    const expected = (versions.get(event.subject) ?? 0) + 1
    versions.set(event.subject, event.version)
    if (event.version === expected) return []
    return [`${nameOf(event)}: version ${event.version}, not ${expected}, by ${order}`]
  })
}

const feedFaults = ({ events }: Book) => versionFaults(events, 'place in the feed')

/** In the order of the history. */
const historyFaults = ({ events }: Book) =>
  versionFaults(
    events.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    'id',
  )

/** Shared records after their last event, record → name. Only versions show the order of changes by several writers. */
function lastOfShared({ log, events }: Book): Map<string, string> {
  const changes = log.flatMap((entry) => entry.changes).filter(({ isShared }) => isShared)
  const markers = new Set(changes.map(({ marker }) => marker))
  const shared = new Set(changes.map(({ record }) => record))
  for (const { subject, name } of events) if (markers.has(name)) shared.add(subject)
  const state = new Map<string, string>()
  for (const { type, subject, name } of events.toSorted((a, b) => a.version - b.version)) {
    if (!shared.has(subject)) continue
    if (type === 'record.deleted') state.delete(subject)
    else state.set(subject, name)
  }
  return state
}

/** The expected records after all changes of the log: record → name. */
function replay(book: Book, byKey: EventsByKey): Map<string, string> {
  const { log } = book
  const state = lastOfShared(book)
  const isDone = (entry: Entry) =>
    entry.outcome === 'ok' || (entry.outcome === 'unknown' && happened(entry, byKey))
  const own = log.filter(isDone).flatMap(({ changes }) => changes.filter(({ isShared }) => !isShared))
  for (const change of own) {
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

/** A record must have the version of its last event. */
function recordVersionFaults({ events, records }: Book): string[] {
  const last = new Map<string, number>()
  for (const { subject, version } of events) last.set(subject, Math.max(version, last.get(subject) ?? 0))
  return records
    .filter(({ id, version }) => (last.get(id) ?? version) !== version)
    .map(({ id, version }) => `${id}: version ${version}, its last event says ${last.get(id)}`)
}

/** The trash must have exactly the deleted records, without those for which permanent deletion was requested. */
function trashFaults({ events, trash }: Book): string[] {
  if (!trash) return []
  const last = new Map<string, RecordEvent>()
  for (const { subject, type } of events.toSorted((a, b) => a.version - b.version)) last.set(subject, type)
  const [there, purged] = [new Set(trash.ids), new Set(trash.purged)]
  const isKept = (id: string) => last.get(id) === 'record.deleted' && !purged.has(id)
  const lost = [...last.keys()].filter((id) => isKept(id) && !there.has(id))
  return [
    ...lost.map((id) => `${id}: deleted, and not in the trash`),
    ...trash.ids.flatMap((id) =>
      last.get(id) === 'record.deleted' ? [] : [`${id}: in the trash after ${last.get(id)}`],
    ),
  ]
}

/** The log at a given time: requests in progress may have been carried out, and later requests were not. */
export const logUntil = (log: readonly Entry[], until: number): Entry[] =>
  log.map((entry) => {
    if (entry.sentAt > until) return { ...entry, outcome: 'failed' }
    return entry.answeredAt < until || entry.outcome === 'failed' ? entry : { ...entry, outcome: 'unknown' }
  })

/** The number of requests without an answer that were carried out. */
export function countHappened({ log, events }: Book): number {
  const byKey = byKeyOf(events)
  return log.filter((entry) => entry.outcome === 'unknown' && happened(entry, byKey)).length
}

/**
 * Checks that every acknowledged change has exactly one event and a refused one none, that a request without an answer
 * was carried out as a whole or not at all, and that the records match the log. @returns the faults, in words
 */
export function audit(book: Book): string[] {
  const byKey = byKeyOf(book.events)
  const audits = [
    eventFaults,
    halfFaults,
    chainFaults,
    feedFaults,
    historyFaults,
    stateFaults,
    recordVersionFaults,
    trashFaults,
  ]
  return audits.flatMap((faultsOf) => faultsOf(book, byKey))
}
