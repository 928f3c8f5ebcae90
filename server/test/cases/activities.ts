// Activities, and their trash.

import {
  create,
  fresh,
  idOf,
  none,
  only,
  type Party,
  type RouteCase,
  type RouteRequest,
  withBody,
} from './party.ts'
import { makePerson } from './records.ts'

async function newActivity(party: Party) {
  const person = await makePerson(party)
  return {
    title: `Call ${fresh()} ${party.mark}`,
    type: 'task',
    linkedRecords: [person],
    participants: [
      { type: 'user', id: party.org.userId },
      { type: 'person', id: person.recordId },
    ],
  }
}
export const makeActivity = async (party: Party) =>
  idOf(await create(party, '/activities', await newActivity(party)))

const ofActivity = async (party: Party) => ({ activityId: await makeActivity(party) })

const ofTrashed = async (party: Party) => {
  const activityId = await makeActivity(party)
  await party.org.delete(`/activities/${activityId}`)
  return { activityId }
}

/** @returns the parameters of an activity with a second version */
async function ofEdited(party: Party) {
  const params = await ofActivity(party)
  await party.org.patch(`/activities/${params.activityId}`, { title: `Mail ${fresh()} ${party.mark}` })
  return params
}

async function listingTrashed(party: Party): Promise<RouteRequest> {
  await ofTrashed(party)
  return { params: {} }
}

async function listingActivities(party: Party): Promise<RouteRequest> {
  const activity = await newActivity(party)
  await create(party, '/activities', activity)
  const [{ objectId, recordId } = { objectId: '', recordId: '' }] = activity.linkedRecords
  const filters = { type: 'task', isOpen: 'true', createdBy: party.org.userId, from: '2020-01-01T00:00:00Z' }
  return { params: {}, query: { objectId, recordId, ...filters } }
}

export const activityCases = {
  'GET /activities': { good: listingActivities },
  'GET /activities/:activityId': { good: only(ofActivity) },
  'POST /activities': { good: withBody(none, newActivity) },
  'PATCH /activities/:activityId': { good: withBody(ofActivity, newActivity) },
  'DELETE /activities/:activityId': { good: only(ofActivity) },
  'GET /activities/:activityId/history': { good: only(ofEdited) },
  'POST /activities/:activityId/undo': { good: withBody(ofEdited, async () => ({ version: 2 })) },
  'GET /trashed-activities': { good: listingTrashed },
  'POST /trashed-activities/:activityId/restore': { good: only(ofTrashed) },
  'DELETE /trashed-activities/:activityId': { good: only(ofTrashed) },
} satisfies Readonly<Record<string, RouteCase>>
