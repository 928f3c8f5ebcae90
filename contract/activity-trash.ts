// Deleted activities that can be restored.
import type { Static } from 'typebox'
import { Activity, exampleActivity } from './activities.ts'
import { Deleted, listOf, StrictObject } from './common.ts'
import { exampleDeleted, exampleDeletion, exampleId, examplePage } from './example-values.ts'
import { pageParams } from './paging.ts'
import type { ApiRoutes } from './route.ts'
import { deletionFields, lossFields } from './trash.ts'

const { updatedAt: _, ...kept } = Activity.properties

export const TrashedActivity = StrictObject(
  {
    ...kept,
    ...deletionFields,
  },
  { description: 'A deleted activity, in its state before the deletion' },
)
export type TrashedActivity = Static<typeof TrashedActivity>

export const TrashedActivityList = listOf('activities', TrashedActivity)

const TrashedActivityQuery = StrictObject(pageParams())

export const RestoredActivity = StrictObject({ activity: Activity, ...lossFields })
export type RestoredActivity = Static<typeof RestoredActivity>

/** Schemas by their names in the API document. */
export const activityTrashSchemas = { TrashedActivity, TrashedActivityList, RestoredActivity }

const { updatedAt: __, ...exampleKept } = exampleActivity

export const activityTrashRoutes = {
  listTrashedActivities: {
    at: 'GET /trashed-activities',
    scope: 'activities:read',
    summary: 'List deleted activities',
    description:
      'Most recently deleted first. Deleted activities are deleted permanently after the organization’s `trashDays`, 30 by default.',
    query: TrashedActivityQuery,
    response: { 200: TrashedActivityList },
    example: {
      response: {
        activities: [
          {
            ...exampleKept,
            version: 2,
            ...exampleDeletion,
          },
        ],
        pagination: examplePage,
      },
    },
  },
  restoreActivity: {
    at: 'POST /trashed-activities/:activityId/restore',
    scope: 'activities:write',
    readScope: 'activities:read',
    summary: 'Restore a deleted activity',
    description:
      'Restores the activity with its id, links, participants, files and reminders, and increases its version. The event `activity.created` is sent, and no workflow starts. `losses` lists the links that could not be restored.',
    response: { 200: RestoredActivity },
    example: {
      response: {
        activity: { ...exampleActivity, version: 3 },
        losses: [
          {
            recordId: exampleId(3),
            code: 'record_deleted',
            attributeSlug: 'linkedRecords',
            otherRecordId: null,
            activityId: exampleActivity.id,
            message: 'activity: the record that it referred to was deleted.',
          },
        ],
        lossCount: 1,
      },
    },
  },
  purgeActivity: {
    at: 'DELETE /trashed-activities/:activityId',
    scope: 'activities:write',
    summary: 'Delete an activity from the trash',
    description: 'Deletes the activity permanently. It cannot be restored.',
    response: { 200: Deleted },
    example: { response: exampleDeleted },
  },
} satisfies ApiRoutes
