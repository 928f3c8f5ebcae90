// Reminders of the signed-in member about a record or a task.
import { type Static, Type } from 'typebox'
import { Deleted, literals, Nullable, StrictObject, Timestamp, Uuid } from './common.ts'
import type { DashboardRoutes } from './route.ts'

const MINUTES_MAX = 366 * 24 * 60

const Note = Type.String({ maxLength: 500 })
const BeforeMinutes = Type.Integer({
  minimum: 0,
  maximum: MINUTES_MAX,
  description: 'Minutes before the due date of the task. The reminder follows changes of the due date',
})

export const Reminder = StrictObject({
  id: Uuid,
  subject: StrictObject({
    type: literals(['record', 'task']),
    id: Uuid,
    objectId: Nullable(Uuid, { description: 'Only for a record' }),
    name: Type.String(),
  }),
  note: Note,
  at: Timestamp,
  beforeMinutes: Nullable(BeforeMinutes),
})
export type Reminder = Static<typeof Reminder>

/** Reminders that are not due yet, soonest first, at most 200. */
export const ReminderList = StrictObject({ reminders: Type.Array(Reminder) })

export const ReminderQuery = StrictObject({
  recordId: Type.Optional(Uuid),
  activityId: Type.Optional(Uuid),
})
export type ReminderQuery = Static<typeof ReminderQuery>

const timeFields = { at: Type.Optional(Timestamp), beforeMinutes: Type.Optional(BeforeMinutes) }

/** About a record or a task, at a time or before the due date. */
export const NewReminder = StrictObject({
  record: Type.Optional(
    StrictObject({
      objectId: Type.String({ maxLength: 100, description: 'The object’s id, or its slug' }),
      recordId: Uuid,
    }),
  ),
  activityId: Type.Optional(Uuid),
  ...timeFields,
  note: Type.Optional(Note),
})
export type NewReminder = Static<typeof NewReminder>

export const ReminderPatch = StrictObject({ ...timeFields, note: Type.Optional(Note) })
export type ReminderPatch = Static<typeof ReminderPatch>

export const reminderRoutes = {
  listReminders: {
    at: 'GET /reminders',
    role: 'member',
    query: ReminderQuery,
    response: { 200: ReminderList },
  },
  createReminder: {
    at: 'POST /reminders',
    role: 'member',
    body: NewReminder,
    response: { 201: Reminder },
  },
  updateReminder: {
    at: 'PATCH /reminders/:reminderId',
    role: 'member',
    body: ReminderPatch,
    response: { 200: Reminder },
  },
  deleteReminder: { at: 'DELETE /reminders/:reminderId', role: 'member', response: { 200: Deleted } },
} satisfies DashboardRoutes
