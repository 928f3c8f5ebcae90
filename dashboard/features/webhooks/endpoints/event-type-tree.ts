// The event types as a tree of checkboxes: all types, subjects, and verbs.
import { EVENT_TYPES, type EventType } from '../../../../contract/events.ts'

interface Branch {
  label: string
  /** In the order of the specification. */
  types: readonly EventType[]
}

export const ALL_TYPES = Object.keys(EVENT_TYPES) as EventType[]

const branch = (label: string, noun: string): Branch => ({
  label,
  types: ALL_TYPES.filter((type) => type.startsWith(`${noun}.`)),
})

export const BRANCHES: readonly Branch[] = [
  branch('Records', 'record'),
  branch('Activities', 'activity'),
  branch('Workflows', 'workflow'),
]

/** `Created` for record.created. */
export function verbOf(type: EventType): string {
  const verb = type.slice(type.indexOf('.') + 1)
  return verb.slice(0, 1).toUpperCase() + verb.slice(1)
}

/** null: every type, the same as all checkboxes checked. */
export type ChosenTypes = readonly EventType[] | null

export type Box = 'checked' | 'unchecked' | 'some'

/** The checkbox of a group of types. */
export function boxOf(chosen: ChosenTypes, types: readonly EventType[]): Box {
  const count = types.filter((type) => (chosen ?? ALL_TYPES).includes(type)).length
  if (count === 0) return 'unchecked'
  return count === types.length ? 'checked' : 'some'
}

/** Toggling a partly chosen group selects all of its types. */
export function toggled(chosen: ChosenTypes, types: readonly EventType[]): ChosenTypes {
  const before = chosen ?? ALL_TYPES
  const isOff = boxOf(chosen, types) === 'checked'
  const after = ALL_TYPES.filter((type) => (types.includes(type) ? !isOff : before.includes(type)))
  return after.length === ALL_TYPES.length ? null : after
}

/** `Records, activity.created`: complete groups are shown by name. */
export function summarizeTypes(chosen: ChosenTypes): string {
  if (chosen === null) return 'All events'
  if (chosen.length === 0) return 'No events'
  return BRANCHES.flatMap(({ label, types }) =>
    boxOf(chosen, types) === 'checked' ? [label] : types.filter((type) => chosen.includes(type)),
  ).join(', ')
}
