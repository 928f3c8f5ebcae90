// One case per route: a request that succeeds. Tests derive requests that must be refused from it.
import type { API } from '../../contract/api.ts'
import { activityCases } from './cases/activities.ts'
import { attachmentCases } from './cases/attachments.ts'
import { commentCases } from './cases/comments.ts'
import { duplicateCases } from './cases/duplicates.ts'
import { eventCases } from './cases/events.ts'
import { jobCases } from './cases/jobs.ts'
import { memberCases } from './cases/members.ts'
import { mergeCases } from './cases/merges.ts'
import { objectCases } from './cases/objects.ts'
import { fresh, none, only, type RouteCase, withBody } from './cases/party.ts'
import { privacyCases } from './cases/privacy.ts'
import { ofFile, recordCases } from './cases/records.ts'
import { reportCases } from './cases/reports.ts'
import { undoCases } from './cases/undo.ts'
import { viewCases } from './cases/views.ts'
import { workflowCases } from './cases/workflows.ts'

export { contentOf, newParty, type Party, type RouteRequest } from './cases/party.ts'

type AddressIn<Routes> =
  Routes extends Readonly<Record<string, { at: infer Address extends string }>> ? Address : never

type ApiAddress = AddressIn<(typeof API)[number]['routes']>

const CASES: Readonly<Record<ApiAddress, RouteCase>> = {
  ...objectCases,
  ...recordCases,
  ...undoCases,
  ...jobCases,
  ...mergeCases,
  ...duplicateCases,
  ...viewCases,
  ...activityCases,
  ...attachmentCases,
  ...commentCases,
  ...reportCases,
  ...workflowCases,
  ...eventCases,
  ...memberCases,
  ...privacyCases,
  'GET /search': { good: async ({ mark }) => ({ params: {}, query: { q: mark, limit: '5' } }) },
  'GET /me': { good: only(none) },
  'GET /files': { good: only(none) },
  'GET /files/:fileId': { good: only(ofFile) },
  'DELETE /files/:fileId': { good: only(ofFile) },
  'POST /files/upload-url': {
    good: withBody(none, ({ mark }) => ({ bucket: 'avatars', path: `people/${mark}-${fresh()}.png` })),
  },
}

/** The cases by `METHOD /path`. */
export const ROUTE_CASES: Readonly<Record<string, RouteCase>> = CASES
