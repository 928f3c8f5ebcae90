// One block per line of the specification's Activities table, in its order.
import { Type } from 'typebox'
import {
  Activity,
  ActivityList,
  ActivityPatch,
  ActivityTypeSchema,
  NewActivity,
} from '../../contract/activities.ts'
import { Deleted, TIMESTAMP_PATTERN, Uuid } from '../../contract/common.ts'
import { SEARCH_TEXT_MAX } from '../../contract/limits.ts'
import { NOT_BLANK } from '../../contract/not-blank.ts'
import { countParam, cursorParam, limitParam, offsetParam } from '../http/paging.ts'
import type { App } from '../http/request.ts'
import { listActivities } from './listing.ts'
import { createActivity, deleteActivity, patchActivity } from './service.ts'
import { etagOf, getActivity } from './store.ts'

const ActivityParams = Type.Object({ activityId: Type.String() })

const moment = (description: string) =>
  Type.Optional(Type.String({ pattern: TIMESTAMP_PATTERN, description, examples: ['2026-11-20T00:00:00Z'] }))

const searchText = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: SEARCH_TEXT_MAX, pattern: NOT_BLANK, description }))

const ListQuery = Type.Object(
  {
    limit: limitParam(),
    offset: offsetParam,
    cursor: cursorParam,
    count: countParam,
    recordId: Type.Optional(Uuid),
    objectId: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'An object’s id, or its slug: activities linked to any of its records',
      }),
    ),
    type: Type.Optional(ActivityTypeSchema),
    createdBy: Type.Optional(Uuid),
    from: moment('Activities of this activityDate or later'),
    to: moment('Activities of an earlier activityDate'),
    q: searchText(
      'Free text: activities that have each of its words, in any order, in title or summary; case, accents and punctuation are ignored',
    ),
    search: searchText('The earlier name of `q`'),
    isOpen: Type.Optional(
      Type.Boolean({ description: 'true: tasks that are not completed; false: tasks that are' }),
    ),
    isOverdue: Type.Optional(
      Type.Boolean({
        description:
          'true: tasks that are not completed and whose due date has passed; false: all others. A task that was created without an activityDate has no due date',
      }),
    ),
  },
  { additionalProperties: false },
)

export function activityRoutes(app: App): void {
  app.get(
    '/activities',
    {
      config: { scope: 'activities:read', isSearch: true, errors: ['query_too_expensive'] },
      schema: { querystring: ListQuery, response: { 200: ActivityList } },
    },
    ({ ctx, caller, query }) => listActivities(ctx, caller, query),
  )

  app.get(
    '/activities/:activityId',
    {
      config: { scope: 'activities:read' },
      schema: { params: ActivityParams, response: { 200: Activity } },
    },
    async ({ ctx, caller, params }, reply) => {
      const activity = await getActivity(ctx.db, caller.org, params.activityId)
      reply.header('etag', etagOf(activity))
      return activity
    },
  )

  app.post(
    '/activities',
    {
      config: { scope: 'activities:write', wakes: 'events' },
      schema: { body: NewActivity, response: { 201: Activity } },
    },
    async ({ ctx, caller, body }, reply) => {
      const activity = await createActivity(ctx, caller, body)
      reply.code(201).header('etag', etagOf(activity))
      return activity
    },
  )

  app.patch(
    '/activities/:activityId',
    {
      config: { scope: 'activities:write', wakes: 'events', errors: ['precondition_failed'] },
      schema: { params: ActivityParams, body: ActivityPatch, response: { 200: Activity } },
    },
    async ({ ctx, caller, params, body, headers }, reply) => {
      const change = { activityId: params.activityId, ifMatch: headers['if-match'], patch: body }
      const activity = await patchActivity(ctx, caller, change)
      reply.header('etag', etagOf(activity))
      return activity
    },
  )

  app.delete(
    '/activities/:activityId',
    {
      config: { scope: 'activities:write', wakes: 'events', errors: ['precondition_failed'] },
      schema: { params: ActivityParams, response: { 200: Deleted } },
    },
    async ({ ctx, caller, params, headers }) => {
      const change = { activityId: params.activityId, ifMatch: headers['if-match'] }
      return { id: await deleteActivity(ctx, caller, change), deleted: true as const }
    },
  )
}
