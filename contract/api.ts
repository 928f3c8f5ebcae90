// The public API: its sections in the order of the specification.
import type { TSchema } from 'typebox'
import { activityRoutes, activitySchemas } from './activities.ts'
import { pictureRoutes, pictureSchemas } from './attachments.ts'
import { attributeTrashRoutes, attributeTrashSchemas } from './attribute-trash.ts'
import { attributeRoutes, attributeSchemas } from './attributes.ts'
import { commonSchemas } from './common.ts'
import { errorSchemas } from './errors.ts'
import { eventRoutes, eventSchemas } from './event-bodies.ts'
import { fileRoutes, fileSchemas } from './files.ts'
import { memberRoutes, memberSchemas } from './members.ts'
import { objectTrashRoutes, objectTrashSchemas } from './object-trash.ts'
import { objectRoutes, objectSchemas } from './objects.ts'
import { recordRoutes, recordSchemas } from './records.ts'
import { reportRoutes, reportSchemas } from './report-routes.ts'
import type { ApiRoutes } from './route.ts'
import { trashRoutes, trashSchemas } from './trash.ts'
import { webhookRoutes, webhookSchemas } from './webhook-routes.ts'
import { workflowRoutes, workflowSchemas } from './workflow-routes.ts'

interface ApiSection {
  /** A tag of the API document, and what it says about it. */
  tag: string
  description: string
  /** In the order of the document, by operation id. */
  routes: ApiRoutes
  /** Schemas that the document names. */
  schemas: Readonly<Record<string, TSchema>>
}

export const API = [
  {
    tag: 'Objects',
    description:
      'The kinds of records in an organization: standard objects such as people and deals, and custom objects.',
    routes: { ...objectRoutes, ...objectTrashRoutes },
    schemas: { ...objectSchemas, ...objectTrashSchemas },
  },
  {
    tag: 'Attributes',
    description: 'The fields of an object.',
    routes: { ...attributeRoutes, ...attributeTrashRoutes },
    schemas: { ...attributeSchemas, ...attributeTrashSchemas },
  },
  {
    tag: 'Records',
    description: 'The entries of an object: single records, bulk operations, search and the trash.',
    routes: { ...recordRoutes, ...trashRoutes, ...pictureRoutes },
    schemas: { ...recordSchemas, ...trashSchemas, ...pictureSchemas },
  },
  {
    tag: 'Activities',
    description: 'Notes, meetings, calls and other interactions, linked to records.',
    routes: activityRoutes,
    schemas: activitySchemas,
  },
  {
    tag: 'Members',
    description: 'The users of the organization.',
    routes: memberRoutes,
    schemas: memberSchemas,
  },
  {
    tag: 'Reports',
    description: 'Saved questions about records, with groups, measures and joins, and their runs.',
    routes: reportRoutes,
    schemas: reportSchemas,
  },
  {
    tag: 'Workflows',
    description: 'Automations with a trigger and steps, and their runs.',
    routes: workflowRoutes,
    schemas: workflowSchemas,
  },
  {
    tag: 'Files',
    description: 'Uploads through signed URLs.',
    routes: fileRoutes,
    schemas: fileSchemas,
  },
  {
    tag: 'Webhooks',
    description: 'Events that are delivered to your endpoints. Endpoints are managed in the portal.',
    routes: webhookRoutes,
    schemas: webhookSchemas,
  },
  {
    tag: 'Events',
    description: 'The events of the organization, as webhooks deliver them.',
    routes: eventRoutes,
    schemas: eventSchemas,
  },
] as const satisfies readonly ApiSection[]

const sharedSchemas = { ...commonSchemas, ...errorSchemas }

/** By their names in the API document. */
export const API_SCHEMAS: Readonly<Record<string, TSchema>> = Object.assign(
  {},
  ...API.map(({ schemas }) => schemas),
  sharedSchemas,
)
