// Compares what writers were answered with the events and records in the database.

export type RecordEvent = 'record.created' | 'record.updated' | 'record.deleted'

/** return: an update that gives a record an earlier name. merge: what says which records a winner got. */
type Special = 'restoration' | 'return' | 'merge'

/** One change of one record, as a writer meant it. */
export interface Change {
  type: RecordEvent | Special
  /** The record's name after it, new in creations and updates; of a deletion there is none. */
  marker?: string
  /** Unknown of a record whose creation got no answer. */
  record?: string
  /** Of deletions and special events: which of that type it is among those of the record, from 1; absent: the first. */
  nth?: number
  /** Several writers change the record: the log does not say in which order. */
  isShared?: true
}

/** The changes of one request, in the order of the writer: all of them were made, or none. */
export interface Entry {
  outcome: 'ok' | 'failed' | 'unknown'
  changes: Change[]
  /** When the request was sent and when its answer was there, in ms of the machine's clock. */
  sentAt: number
  answeredAt: number
}

export interface WrittenEvent {
  id: string
  type: RecordEvent
  subject: string
  /** The record's name after the change, or its last. */
  name: string
  /** Its name before an update that changed it. */
  nameBefore: string | null
  /** An update that changed no value; absent: it is none. */
  isMerge?: boolean
  version: number
}

export interface Book {
  log: readonly Entry[]
  /** In the order of the feed. */
  events: readonly WrittenEvent[]
  records: readonly { id: string; name: string; version: number }[]
  /** Ids of what is in the trash, and of what was to be deleted for good. */
  trash?: { ids: readonly string[]; purged: readonly string[] }
}

/** A record is created by its first version; a later creation is its return from the trash. */
const isRestoration = ({ type, version }: Pick<WrittenEvent, 'type' | 'version'>) =>
  type === 'record.created' && version > 1

const keyOf = ({ type, marker, record, nth = 1 }: Change) => {
  if (type === 'record.created' || type === 'record.updated') return `${type} ${marker}`
  return `${type} ${record}${nth > 1 ? ` (${nth})` : ''}`
}

/** An update of this ledger always has a new name, unless it returns one. */
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
  const strangers = events.map(keysOf(events)).filter((key) => !allowed.has(key))
  return [...counts, ...strangers.map((key) => `${key}: an unexpected event`)]
}

const halfFaults = ({ log }: Book, byKey: EventsByKey): string[] =>
  log
    .filter((entry) => entry.outcome === 'unknown' && happened(entry, byKey))
    .flatMap(({ changes }) => changes.filter((change) => !byKey.has(keyOf(change))))
    .map((change) => `${keyOf(change)}: not done, unlike the rest of its request`)

/** A record's events follow from each other, in the order of the feed. */
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

/** In this order each event of a record is its next version. */
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

/** As the history has them. */
const historyFaults = ({ events }: Book) =>
  versionFaults(
    events.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    'id',
  )

/** What the last event of each shared record left: the order of its writers is known only from its versions. */
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

/** What should be there if the log were played again: record → name. */
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

/** A record has the version of its last event. */
function recordVersionFaults({ events, records }: Book): string[] {
  const last = new Map<string, number>()
  for (const { subject, version } of events) last.set(subject, Math.max(version, last.get(subject) ?? 0))
  return records
    .filter(({ id, version }) => (last.get(id) ?? version) !== version)
    .map(({ id, version }) => `${id}: version ${version}, its last event says ${last.get(id)}`)
}

/** What was deleted last is in the trash, unless it was to be deleted for good; nothing else is. */
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

/** The log as it was at a moment: what was on its way then may have been carried out, what was sent later was not. */
export const logUntil = (log: readonly Entry[], moment: number): Entry[] =>
  log.map((entry) => {
    if (entry.sentAt > moment) return { ...entry, outcome: 'failed' }
    return entry.answeredAt < moment || entry.outcome === 'failed' ? entry : { ...entry, outcome: 'unknown' }
  })

/** How many of the requests without an answer were carried out. */
export function countHappened({ log, events }: Book): number {
  const byKey = byKeyOf(events)
  return log.filter((entry) => entry.outcome === 'unknown' && happened(entry, byKey)).length
}

/**
 * Every acknowledged change has exactly one event, a refused one none; a request without an answer was carried out
 * as a whole or not at all; the records are what the log comes to. @returns what is not so, in words
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
