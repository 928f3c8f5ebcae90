// The public API: its sections in the order of the specification.
import type { TSchema } from 'typebox'
import { activityRoutes, activitySchemas } from './activities.ts'
import { activityHistoryRoutes, activityHistorySchemas } from './activity-history.ts'
import { activityTrashRoutes, activityTrashSchemas } from './activity-trash.ts'
import { attachmentTrashRoutes, attachmentTrashSchemas } from './attachment-trash.ts'
import {
  activityAttachmentRoutes,
  attachmentSchemas,
  pictureRoutes,
  pictureSchemas,
  recordAttachmentRoutes,
} from './attachments.ts'
import { optionRoutes, optionSchemas } from './attribute-options.ts'
import { attributeTrashRoutes, attributeTrashSchemas } from './attribute-trash.ts'
import { attributeRoutes, attributeSchemas } from './attributes.ts'
import { commentTrashRoutes, commentTrashSchemas } from './comment-trash.ts'
import { commentRoutes, commentSchemas } from './comments.ts'
import { commonSchemas } from './common.ts'
import {
  attributeDeletionRoutes,
  attributeDeletionSchemas,
  objectDeletionRoutes,
  objectDeletionSchemas,
  recordDeletionRoutes,
  recordDeletionSchemas,
} from './deletion.ts'
import { duplicateRoutes, duplicateSchemas } from './duplicates.ts'
import { errorSchemas } from './errors.ts'
import { eventRoutes, eventSchemas } from './event-bodies.ts'
import { fileRoutes, fileSchemas } from './files.ts'
import { invitationRoutes, invitationSchemas } from './invitations.ts'
import { jobRoutes, jobSchemas } from './jobs.ts'
import { meRoutes, meSchemas } from './me.ts'
import { memberRoutes, memberSchemas } from './members.ts'
import { mergeRoutes, mergeSchemas } from './merge.ts'
import { objectTrashRoutes, objectTrashSchemas } from './object-trash.ts'
import { objectRoutes, objectSchemas } from './objects.ts'
import { organizationRoutes, organizationSchemas } from './organization.ts'
import { privacyRoutes, privacySchemas } from './privacy.ts'
import { reassignmentRoutes, reassignmentSchemas } from './reassignments.ts'
import { recordReadingRoutes, recordReadingSchemas } from './record-reading.ts'
import { recordRoutes, recordSchemas } from './records.ts'
import { recordByValueRoutes } from './records-by-value.ts'
import { reportWritingRoutes, reportWritingSchemas } from './report-administration.ts'
import { reportDashboardSchemas, severalReportsRoutes } from './report-dashboards.ts'
import { reportRoutes, reportSchemas } from './report-routes.ts'
import { retentionRoutes, retentionSchemas } from './retention.ts'
import type { ApiRoutes } from './route.ts'
import { searchRoutes, searchSchemas } from './search.ts'
import { trashRoutes, trashSchemas } from './trash.ts'
import { undoRoutes, undoSchemas } from './undo.ts'
import { undoJobRoutes, undoJobSchemas } from './undo-jobs.ts'
import { viewRoutes, viewSchemas } from './views.ts'
import { deliveryRoutes, endpointRoutes, webhookRoutes, webhookSchemas } from './webhook-routes.ts'
import { workflowBuildingRoutes, workflowBuildingSchemas } from './workflow-building-routes.ts'
import { workflowOperationRoutes, workflowOperationSchemas } from './workflow-operation-routes.ts'
import { workflowRoutes, workflowSchemas } from './workflow-routes.ts'

interface ApiSection {
  /** A tag of the API document; `description` is its text there. */
  tag: string
  description: string
  /** Routes by operation id, in the order of the API document. */
  routes: ApiRoutes
  schemas: Readonly<Record<string, TSchema>>
}

export const API = [
  {
    tag: 'Objects',
    description:
      'The kinds of records in an organization: standard objects such as people and deals, and custom objects.',
    routes: { ...objectRoutes, ...objectDeletionRoutes, ...objectTrashRoutes, ...retentionRoutes },
    schemas: { ...objectSchemas, ...objectDeletionSchemas, ...objectTrashSchemas, ...retentionSchemas },
  },
  {
    tag: 'Attributes',
    description: 'The fields of an object.',
    routes: { ...attributeRoutes, ...optionRoutes, ...attributeDeletionRoutes, ...attributeTrashRoutes },
    schemas: {
      ...attributeSchemas,
      ...optionSchemas,
      ...attributeDeletionSchemas,
      ...attributeTrashSchemas,
    },
  },
  {
    tag: 'Records',
    description:
      'The entries of an object: single records, bulk operations, search, groups, history, undo, merges and the trash.',
    routes: {
      ...recordRoutes,
      ...recordByValueRoutes,
      ...recordReadingRoutes,
      ...undoRoutes,
      ...mergeRoutes,
      ...duplicateRoutes,
      ...recordDeletionRoutes,
      ...trashRoutes,
      ...pictureRoutes,
    },
    schemas: {
      ...recordSchemas,
      ...recordReadingSchemas,
      ...undoSchemas,
      ...mergeSchemas,
      ...duplicateSchemas,
      ...recordDeletionSchemas,
      ...trashSchemas,
      ...pictureSchemas,
    },
  },
  {
    tag: 'Jobs',
    description: 'Imports of files with any number of records, in the background.',
    routes: jobRoutes,
    schemas: jobSchemas,
  },
  {
    tag: 'Change sets',
    description:
      'Changes by one program, import, workflow run or API key, which can be listed and undone together.',
    routes: undoJobRoutes,
    schemas: undoJobSchemas,
  },
  {
    tag: 'Views',
    description: 'Saved views of an object: its columns, filters and order as a table or a board.',
    routes: viewRoutes,
    schemas: viewSchemas,
  },
  {
    tag: 'Search',
    description: 'Search over the records of all objects.',
    routes: searchRoutes,
    schemas: searchSchemas,
  },
  {
    tag: 'Activities',
    description: 'Notes, meetings, calls and other interactions, linked to records.',
    routes: { ...activityRoutes, ...activityHistoryRoutes, ...activityTrashRoutes },
    schemas: { ...activitySchemas, ...activityHistorySchemas, ...activityTrashSchemas },
  },
  {
    tag: 'Comments',
    description: 'Comments of members on records, with mentions.',
    routes: { ...commentRoutes, ...commentTrashRoutes },
    schemas: { ...commentSchemas, ...commentTrashSchemas },
  },
  {
    tag: 'Me',
    description: 'The key of the request, its organization, scopes and limits.',
    routes: meRoutes,
    schemas: meSchemas,
  },
  {
    tag: 'Members',
    description: 'The users of the organization, invitations, and reassignment of what a member owns.',
    routes: { ...memberRoutes, ...reassignmentRoutes, ...invitationRoutes },
    schemas: { ...memberSchemas, ...reassignmentSchemas, ...invitationSchemas },
  },
  {
    tag: 'Organization',
    description: 'The settings of the organization.',
    routes: organizationRoutes,
    schemas: organizationSchemas,
  },
  {
    tag: 'Reports',
    description:
      'Saved queries on records with groups, measures and joins, their runs, and dashboards of several reports.',
    routes: { ...reportRoutes, ...reportWritingRoutes, ...severalReportsRoutes },
    schemas: { ...reportSchemas, ...reportWritingSchemas, ...reportDashboardSchemas },
  },
  {
    tag: 'Workflows',
    description: 'Automations with a trigger and steps, their definitions, runs and secrets.',
    routes: { ...workflowRoutes, ...workflowBuildingRoutes, ...workflowOperationRoutes },
    schemas: { ...workflowSchemas, ...workflowBuildingSchemas, ...workflowOperationSchemas },
  },
  {
    tag: 'Files',
    description: 'Uploads through signed URLs, and the files of records and activities.',
    routes: {
      ...fileRoutes,
      ...recordAttachmentRoutes,
      ...activityAttachmentRoutes,
      ...attachmentTrashRoutes,
    },
    schemas: { ...fileSchemas, ...attachmentSchemas, ...attachmentTrashSchemas },
  },
  {
    tag: 'Webhooks',
    description:
      'Endpoints that receive events, their deliveries and all attempts. Users manage endpoints in the portal.',
    routes: { ...webhookRoutes, ...endpointRoutes, ...deliveryRoutes },
    schemas: webhookSchemas,
  },
  {
    tag: 'Events',
    description: 'The events of the organization, as webhooks deliver them.',
    routes: eventRoutes,
    schemas: eventSchemas,
  },
  {
    tag: 'Privacy',
    description: 'Erasure of all data about a record, and the log of erasures.',
    routes: privacyRoutes,
    schemas: privacySchemas,
  },
] as const satisfies readonly ApiSection[]

const sharedSchemas = { ...commonSchemas, ...errorSchemas }

/** Schemas by their names in the API document. */
export const API_SCHEMAS: Readonly<Record<string, TSchema>> = Object.assign(
  {},
  ...API.map(({ schemas }) => schemas),
  sharedSchemas,
)
