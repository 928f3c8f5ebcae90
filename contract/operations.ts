// Every operation of the API by method and path, in the order of the specification: how the API document names it.

export interface Operation {
  /** Unique; clients made from the API document call it by this name. */
  id: string
  tag: TagName
  summary: string
  /** What the summary leaves open; Markdown. */
  description?: string
}

export const TAGS = {
  Objects: 'What an organization keeps records of: standard ones such as people or deals, and custom ones.',
  Attributes: 'The fields of an object.',
  Records: 'The entries of an object: one by one, in bulk, and by filter.',
  Activities: 'Notes, meetings, calls and other interactions, linked to records.',
  Members: 'The users of the organization.',
  Reports: 'Questions to the records, with groups, measures and joins, and their runs.',
  Workflows: 'Automations: what starts them, the steps they take, and their runs.',
  Files: 'Uploads through an address that is signed for one file.',
  Webhooks: 'Events that are delivered to endpoints of your own; the management portal has the endpoints.',
  Events: 'What happened in the organization, as webhooks tell it.',
} as const
type TagName = keyof typeof TAGS

const operation = (tag: TagName, id: string, [summary, description]: [string, string?]): Operation => ({
  id,
  tag,
  summary,
  ...(description !== undefined && { description }),
})

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /objects': operation('Objects', 'listObjects', ['List objects', 'Active ones, oldest first.']),
  'GET /objects/:objectId': operation('Objects', 'getObject', [
    'Get an object',
    'With its active attributes. Inactive objects too.',
  ]),
  'POST /objects': operation('Objects', 'createObject', [
    'Create a custom object',
    'Without `slug` it becomes the snake_case form of `pluralName`.',
  ]),
  'PATCH /objects/:objectId': operation('Objects', 'updateObject', [
    'Update a custom object',
    'Records of an inactive object can be read, not written.',
  ]),
  'DELETE /objects/:objectId': operation('Objects', 'deleteObject', [
    'Delete a custom object',
    'With its attributes and records. The object, its records and links to them are gone from every answer at once; record.deleted follows for each record, in the background. Refused while reference attributes of other objects point to it.',
  ]),

  'GET /objects/:objectId/attributes': operation('Attributes', 'listAttributes', [
    'List attributes',
    'By `displayOrder`.',
  ]),
  'GET /objects/:objectId/attributes/:attributeId': operation('Attributes', 'getAttribute', [
    'Get an attribute',
  ]),
  'POST /objects/:objectId/attributes': operation('Attributes', 'createAttribute', [
    'Create an attribute',
    'On custom and standard objects. `config` is needed for select and reference. `slug` and `type` stay as they are created.',
  ]),
  'PATCH /objects/:objectId/attributes/:attributeId': operation('Attributes', 'updateAttribute', [
    'Rename an attribute',
  ]),
  'DELETE /objects/:objectId/attributes/:attributeId': operation('Attributes', 'deleteAttribute', [
    'Delete an attribute',
    'Its values are gone from every record as soon as this answers.',
  ]),

  'GET /objects/:objectId/records': operation('Records', 'listRecords', [
    'List records',
    'All filters must hold. Follow `pagination.nextCursor` through long lists: unlike `offset` it neither skips nor repeats rows that are written meanwhile.',
  ]),
  'POST /objects/:objectId/records/search': operation('Records', 'searchRecords', [
    'Search records',
    'Beyond List records: filter trees with free text in them, the operators `in`, `notIn` and `between`, and sorting by an attribute. Ties are broken by id; records without a value come last.',
  ]),
  'GET /objects/:objectId/records/:recordId': operation('Records', 'getRecord', ['Get a record']),
  'POST /objects/:objectId/records': operation('Records', 'createRecord', ['Create a record']),
  'PATCH /objects/:objectId/records/:recordId': operation('Records', 'updateRecord', [
    'Update a record',
    'The data is merged with what the record has: a value replaces the whole earlier one, `null` clears it.',
  ]),
  'DELETE /objects/:objectId/records/:recordId': operation('Records', 'deleteRecord', [
    'Delete a record',
    'References to it are cleared, and activities let go of it.',
  ]),
  'POST /objects/:objectId/records/bulk': operation('Records', 'bulkWriteRecords', [
    'Create or upsert up to 100 records',
    'A record that fails is reported in `failed` and the others are written, unless `allOrNone` is true. `upsert` updates the record with the given `id`, or the one `matchOn` finds, and creates the others.',
  ]),
  'DELETE /objects/:objectId/records/bulk': operation('Records', 'bulkDeleteRecords', [
    'Delete up to 100 records',
    'Ids that are not records of the object are passed over.',
  ]),

  'GET /objects/:objectId/records/:recordId/picture': operation('Records', 'getRecordPicture', [
    'Get the picture of a record',
    '404 when there is none.',
  ]),
  'POST /objects/:objectId/records/:recordId/picture': operation('Records', 'setRecordPicture', [
    'Set the picture of a record',
    'The face of a person, the logo of a company: the dashboard shows it wherever the name stands. `url` is the `publicUrl` of an uploaded PNG, JPEG, GIF, WebP or AVIF; squares of 256 pixels look best. It takes the place of the one before.',
  ]),
  'DELETE /objects/:objectId/records/:recordId/picture': operation('Records', 'deleteRecordPicture', [
    'Remove the picture of a record',
    'The file stays where it is, unless the dashboard uploaded it.',
  ]),

  'GET /activities': operation('Activities', 'listActivities', [
    'List activities',
    'By `activityDate`, newest first, then by id. All filters must hold; `from` is inclusive and `to` is not, so that the end of one span is the beginning of the next.',
  ]),
  'GET /activities/:activityId': operation('Activities', 'getActivity', ['Get an activity']),
  'POST /activities': operation('Activities', 'createActivity', [
    'Create an activity',
    'Without `type` it is a note, without `activityDate` it is now. Only a task can have `completedAt`. Linked records and participants must exist in the organization.',
  ]),
  'PATCH /activities/:activityId': operation('Activities', 'updateActivity', [
    'Update an activity',
    'Only what is sent changes; arrays are replaced whole. A task that becomes another type loses `completedAt`.',
  ]),
  'DELETE /activities/:activityId': operation('Activities', 'deleteActivity', ['Delete an activity']),

  'GET /members': operation('Members', 'listMembers', ['List members']),

  'GET /reports': operation('Reports', 'listReports', ['List reports', 'By name.']),
  'GET /reports/:reportId': operation('Reports', 'getReport', ['Get a report', 'With its definition.']),
  'POST /reports/:reportId/run': operation('Reports', 'runReport', [
    'Run a report',
    'Answers when the run has ended, after 10 seconds at most: then, or when the definition does not fit the objects any more, its status is `failed` and `error` says why. Results are kept: get the run. One report of an organization runs at a time; others wait for up to 10 seconds.',
  ]),
  'GET /reports/:reportId/runs': operation('Reports', 'listReportRuns', [
    'List runs of a report',
    'Newest first. The last 50 are kept.',
  ]),
  'GET /reports/:reportId/runs/:runId': operation('Reports', 'getReportRun', [
    'Get a run of a report',
    'With its results, and the definition they came from.',
  ]),

  'GET /workflows': operation('Workflows', 'listWorkflows', ['List workflows', 'Oldest first.']),
  'GET /workflows/:workflowId': operation('Workflows', 'getWorkflow', [
    'Get a workflow',
    'With its current definition: the trigger and the steps.',
  ]),
  'PATCH /workflows/:workflowId': operation('Workflows', 'updateWorkflow', [
    'Update a workflow',
    'Name, description, and whether it is enabled. A workflow whose definition has errors cannot be enabled: `details.errors` names the path of each in the definition. Disabling stops new runs; those that have begun go on.',
  ]),
  'POST /workflows/:workflowId/run': operation('Workflows', 'runWorkflow', [
    'Run a workflow',
    'Answers at once with the id of the run; the workflow must be enabled. `data` is checked against the parameters that the workflow declares, and read as `{{trigger.parameters}}`; a workflow that declares none takes any. With `recordId` it runs on that record of its object. The body may be left out.',
  ]),
  'GET /workflows/:workflowId/runs': operation('Workflows', 'listWorkflowRuns', [
    'List runs of a workflow',
    'Newest first.',
  ]),
  'GET /workflows/:workflowId/runs/:runId': operation('Workflows', 'getWorkflowRun', [
    'Get a run of a workflow',
    'With the steps it has taken: input, output, tries and errors of each.',
  ]),

  'POST /files/upload-url': operation('Files', 'createUploadUrl', [
    'Get an address to upload a file to',
    'Send the file itself by PUT to `signedUrl` within 2 hours, with its `Content-Type` and with `headers` where there are any. The address works once and never overwrites. From then on anyone who has `publicUrl` can read the file; before, it answers 404.',
  ]),

  'GET /webhooks': operation('Webhooks', 'getWebhooks', [
    'Get the management portal and the event types',
    '`portalUrl` is new each time and can be opened for one hour; what is opened with it lasts 8 hours, and no longer than the API key. Endpoints are added, tested and replayed there.',
  ]),
  'GET /events': operation('Events', 'listEvents', [
    'List events to catch up',
    'The bodies that webhooks deliver, oldest first, in an order in which nothing is skipped: ask again with the id of the last event as `after`, until none is left. A change appears here once no change that began before it is still under way, usually at once. Events are kept for 30 days unless the installation is configured otherwise.',
  ]),
}
