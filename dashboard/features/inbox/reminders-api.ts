// Reminders of the signed-in member.
import type { NewReminder, Reminder, ReminderPatch } from '../../../contract/reminders.ts'
import { request } from '../../shared/api/client.ts'
import { fieldQuery } from '../../shared/api/queries.ts'

export type { Reminder, ReminderPatch }

/** The subject of a reminder. */
export type ReminderSubject = { object: string; recordId: string } | { activityId: string }

const idOf = (subject: ReminderSubject) =>
  'recordId' in subject ? { recordId: subject.recordId } : { activityId: subject.activityId }

/** Reminders that are not due yet, the soonest first. */
export const remindersQuery = (org: string, subject: ReminderSubject) =>
  fieldQuery([org, 'reminders', idOf(subject)], 'GET /reminders', { org, query: idOf(subject) }, 'reminders')

export const createReminder = (
  org: string,
  subject: ReminderSubject,
  body: Pick<NewReminder, 'at' | 'beforeMinutes' | 'note'>,
) =>
  request('POST /reminders', {
    org,
    body: {
      ...body,
      ...('recordId' in subject
        ? { record: { objectId: subject.object, recordId: subject.recordId } }
        : { activityId: subject.activityId }),
    },
  })

export const patchReminder = (org: string, id: string, body: ReminderPatch) =>
  request('PATCH /reminders/:reminderId', { org, params: { reminderId: id }, body })

export const deleteReminder = (org: string, id: string) =>
  request('DELETE /reminders/:reminderId', { org, params: { reminderId: id } })
