// The API can do everything that the dashboard can do. Routes that only pages request are listed here with the reason.
import { describe, expect, test } from 'vitest'
import { API } from './api.ts'
import { ORGANIZATION_TABLES, PORTAL_TABLES, VISITOR_TABLES } from './dashboard-api.ts'
import type { Route } from './route.ts'

type Reasons = Readonly<Record<string, string>>

const SESSION = 'is about the session of a browser; a key has none'
const INBOX = 'is about the inbox of the member who is signed in; a key has none'
const REMINDER = 'is about reminders of the member who is signed in; a key has none'
const KEYS = 'makes or ends keys: a key that made others would go on after it is deleted'

/** Routes that are only for people and their browsers, with the reason. */
const ONLY_FOR_PEOPLE: Reasons = {
  'GET /installation': SESSION,
  'GET /visitor': SESSION,
  'POST /sign-up': SESSION,
  'POST /sign-in': SESSION,
  'POST /sign-out': SESSION,
  'POST /forgot-password': SESSION,
  'POST /reset-password': SESSION,
  'POST /verify-email': SESSION,
  'GET /invitations/:token': 'is for who opens the link of an invitation, and belongs to no organization yet',
  'POST /invitations/:token/accept': 'signs in who accepts, or makes their account',
  'GET /session': SESSION,
  'POST /change-password': SESSION,
  'POST /verification-mail': SESSION,
  'PATCH /profile': 'changes the name and picture of who is signed in',
  'GET /sessions': SESSION,
  'DELETE /sessions': SESSION,
  'DELETE /sessions/:id': SESSION,
  'POST /organizations': 'makes an organization, to which no key belongs before',
  'POST /session': SESSION,
  'GET /inbox': INBOX,
  'GET /inbox/unread': INBOX,
  'POST /inbox/read': INBOX,
  'GET /inbox/settings': INBOX,
  'PATCH /inbox/settings': INBOX,
  'PATCH /inbox/:notificationId': INBOX,
  'DELETE /inbox/:notificationId': INBOX,
  'GET /reminders': REMINDER,
  'POST /reminders': REMINDER,
  'PATCH /reminders/:reminderId': REMINDER,
  'DELETE /reminders/:reminderId': REMINDER,
  'GET /api-keys': KEYS,
  'POST /api-keys': KEYS,
  'DELETE /api-keys/:id': KEYS,
  'GET /webhooks/portal': 'says how long the session of the portal lasts',
}

/** Dashboard routes whose function other routes of the API have, with these API routes. */
const ANSWERED_BY: Readonly<Record<string, readonly string[]>> = {
  // Also inactive objects, with their sizes.
  'GET /all-objects': ['GET /objects', 'GET /objects/:objectId/attributes', 'GET /objects/:objectId/records'],
  'GET /home': ['GET /activities', 'GET /events', 'POST /objects/:objectId/records/search'],
  'GET /events/stream': ['GET /events'],
  'GET /reports/:reportId/runs/:runId/file': ['GET /reports/:reportId/runs/:runId'],
  'POST /activity-attachments': ['GET /activities/:activityId/attachments'],
  'POST /record-pictures': ['GET /objects/:objectId/records/:recordId/picture'],
  // Pasted cells are text in people's formats. Programs send values, and the same rules check them.
  'POST /objects/:objectId/pasted-cells/check': ['POST /objects/:objectId/records/bulk'],
  // Programs import and export with jobs.
  'POST /objects/:objectId/records/export': ['POST /jobs', 'GET /jobs/:jobId/file'],
  'POST /objects/:objectId/imports': ['POST /jobs', 'PATCH /jobs/:jobId/content'],
  'POST /objects/:objectId/import-uploads': ['POST /jobs'],
  'GET /imports/:importId/upload': ['GET /jobs/:jobId/content'],
  'PUT /imports/:importId/upload': ['PATCH /jobs/:jobId/content'],
  'POST /imports/:importId/check': ['POST /jobs'],
  'POST /imports/:importId/run': ['PATCH /jobs/:jobId/content'],
  'GET /imports/:importId': ['GET /jobs/:jobId'],
  'POST /imports/:importId/cancel': ['POST /jobs/:jobId/cancel'],
  'DELETE /imports/:importId': ['DELETE /jobs/:jobId'],
  'POST /imports/:importId/undo': ['POST /undo-jobs'],
  'GET /imports/:importId/failed.csv': ['GET /jobs/:jobId/results'],
}

const PREVIEW =
  'prepares an import that a member maps in a browser; a program knows its columns, and a job refuses a file that does not fit'

/** Capabilities that the API lacks, with the reason. Add no route; remove each route that the API gets. */
const WITHOUT_API_ROUTE: Reasons = {
  'GET /objects/:objectId/imports':
    'lists imports with their mappings; GET /jobs lists the same work without them',
  'GET /imports/:importId/columns/:index/values': PREVIEW,
}

const addressesOf = (tables: readonly object[]): string[] =>
  tables
    .flatMap((table) => Object.values<Route>(table as Readonly<Record<string, Route>>))
    .map(({ at }) => at)

const ofApi = new Set(addressesOf(API.map(({ routes }) => routes)))
const ofPages = new Set(addressesOf([...ORGANIZATION_TABLES, ...PORTAL_TABLES, ...VISITOR_TABLES]))
const onlyOfPages = [...ofPages].filter((at) => !ofApi.has(at))
const listed = [
  ...Object.keys(ONLY_FOR_PEOPLE),
  ...Object.keys(ANSWERED_BY),
  ...Object.keys(WITHOUT_API_ROUTE),
]

test('the API has all routes that pages request, except the listed ones', () => {
  expect(onlyOfPages.filter((at) => !listed.includes(at))).toEqual([])
})

test('each exception is listed once, and the API does not have it', () => {
  expect(listed.filter((at, index) => listed.indexOf(at) !== index || !onlyOfPages.includes(at))).toEqual([])
})

describe.each(Object.entries(ANSWERED_BY))('%s', (_, answering) => {
  test('its API routes exist', () => {
    expect(answering.filter((at) => !ofApi.has(at))).toEqual([])
  })
})
