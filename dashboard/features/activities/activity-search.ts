// The filters of the activities page: in its address, and as the API accepts them.
import { ACTIVITY_TYPES, type ActivityType } from '../../../contract/activity-types.ts'
import type { ActivityFilters, RecordRef } from './api.ts'
import { startOfDay } from './days.ts'

export interface ActivitySearch {
  type?: ActivityType
  /** `me`, or a user's id. */
  by?: string
  /** `me`, or the id of the assigned user. */
  assignee?: string
  /** First day, `2026-11-21`. */
  from?: string
  /** Last day. */
  to?: string
  /** Slug of an object: activities that are linked to any of its records. */
  object?: string
  /** `<objectId>:<recordId>` */
  record?: string
  tasks?: 'open' | 'done'
  q?: string
  /** The activity that is open in the side panel. */
  activity?: string
  /** 1: the panel for a new activity is open. */
  create?: 1
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const RECORD = /^[0-9a-f-]{36}:[0-9a-f-]{36}$/i
const SLUG = /^[a-z][a-z0-9_]{0,62}$/
const DAY = /^\d{4}-\d\d-\d\d$/
const SEARCH_MAX = 200

const isDay = (text: string) => DAY.test(text) && startOfDay(text) !== undefined

const VALID: Readonly<Record<Exclude<keyof ActivitySearch, 'create'>, (text: string) => boolean>> = {
  type: (text) => (ACTIVITY_TYPES as readonly string[]).includes(text),
  by: (text) => text === 'me' || UUID.test(text),
  assignee: (text) => text === 'me' || UUID.test(text),
  from: isDay,
  to: isDay,
  object: (text) => SLUG.test(text),
  record: (text) => RECORD.test(text) && text.split(':').every((id) => UUID.test(id)),
  tasks: (text) => text === 'open' || text === 'done',
  q: (text) => text.trim() !== '' && text.length <= SEARCH_MAX,
  activity: (text) => UUID.test(text),
}

/** Ignores invalid parts. */
export function validActivitySearch(search: Record<string, unknown>): ActivitySearch {
  const known = Object.entries(VALID).flatMap(([key, isValid]) => {
    const value = search[key]
    // The router parses text that looks like a number as a number.
    const text = typeof value === 'number' || typeof value === 'string' ? String(value) : undefined
    return text !== undefined && isValid(text) ? [[key, text]] : []
  })
  return { ...Object.fromEntries(known), ...(Number(search['create']) === 1 && { create: 1 as const }) }
}

/** The record that the address names. */
export function recordIn({ record }: ActivitySearch): RecordRef | undefined {
  const [objectId, recordId] = record?.split(':') ?? []
  return objectId && recordId ? { objectId, recordId } : undefined
}

/** Clearing the filters removes only these: other parts of the address stay. */
export const filterKeys = ['type', 'by', 'assignee', 'from', 'to', 'object', 'record', 'tasks', 'q'] as const

/** The filters of "My tasks". */
export const MY_TASKS = { assignee: 'me', tasks: 'open' } as const satisfies ActivitySearch

interface Known {
  /** The signed-in user's id. */
  userId: string
  /** The id of the object with this slug; the slug itself if there is no such object. */
  objectId(slug: string): string
}

export function filtersOf(search: ActivitySearch, { userId, objectId }: Known): ActivityFilters {
  const { type, by, assignee, from, to, object, tasks, q } = search
  const first = from && startOfDay(from)
  const after = to && startOfDay(to, 1)
  const record = recordIn(search)
  return {
    ...(type && { type }),
    ...(by && { createdBy: by === 'me' ? userId : by }),
    ...(assignee && { assignee: assignee === 'me' ? userId : assignee }),
    ...(first && { from: first }),
    ...(after && { to: after }),
    ...(object && { objectId: objectId(object) }),
    ...(record && { recordId: record.recordId }),
    ...(tasks && { isOpen: tasks === 'open' }),
    ...(q && { q: q.trim() }),
  }
}
