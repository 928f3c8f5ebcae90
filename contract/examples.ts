// Examples for the API document: one per body and answer, by the name of its schema there, and one per error.
import type { ApiErrorCode } from './errors.ts'
import { EVENT_TYPES } from './events.ts'

const id = (last: number) => `0198c0de-0000-7000-8000-${String(last).padStart(12, '0')}`
const written = { createdAt: '2026-11-20T10:00:00.000Z', updatedAt: '2026-11-20T10:00:00.000Z' }
const versioned = { ...written, version: 1 }
const project = {
  id: id(1),
  type: 'custom',
  pluralName: 'Projects',
  singularName: 'Project',
  description: 'What we do for customers',
  slug: 'projects',
  isActive: true,
  ...written,
}

const stage = {
  id: id(2),
  objectId: id(1),
  name: 'Stage',
  slug: 'stage',
  type: 'select',
  ...{ isRequired: true, isUnique: false, isList: false, isActive: true, isNaming: false },
  displayOrder: 1,
  config: { options: ['Planned', 'Running', 'Done'] },
  ...written,
}

const ada = {
  id: id(3),
  objectId: id(4),
  data: {
    name: { firstName: 'Ada', lastName: 'Lovelace' },
    email: 'ada@example.com',
    phone: '+1 555 867 5309',
    company: id(5),
  },
  ...versioned,
}

const call = {
  id: id(6),
  type: 'call',
  title: 'First call',
  summary: 'Ada wants an offer by Friday.',
  activityDate: '2026-11-20T09:30:00.000Z',
  completedAt: null,
  linkedRecords: [{ objectId: id(4), recordId: id(3) }],
  participants: [
    { type: 'user', id: id(7) },
    { type: 'person', id: id(3) },
  ],
  createdBy: { id: id(7), name: 'Olivia Owner', email: 'olivia@example.com' },
  ...versioned,
}

const page = { total: 1, limit: 50, offset: 0 }

const reportDefinition = {
  name: 'Won by month and industry',
  source: { objectId: 'deals', alias: 'deal' },
  joins: [{ alias: 'company', via: 'deal.company', type: 'left' }],
  filters: { and: [{ field: 'deal.stage', operator: 'equals', value: 'Won' }] },
  groupBy: [
    { key: 'month', field: 'deal.close_date', bucket: 'month', fill: true },
    { key: 'industry', field: 'company.industry' },
  ],
  measures: [
    { key: 'won', op: 'sum', field: 'deal.amount' },
    { key: 'deals', op: 'count' },
  ],
  sort: [{ key: 'month', order: 'asc' }],
  limit: 1000,
  chart: { type: 'bar', x: 'month', y: ['won'], series: 'industry' },
}

const report = {
  id: id(20),
  name: reportDefinition.name,
  description: 'What was won, and where',
  lastRunAt: '2026-11-20T10:00:00.000Z',
  createdAt: '2026-11-20T09:00:00.000Z',
  creator: { id: id(7), name: 'Olivia Owner', email: 'olivia@example.com' },
}

const reportRun = {
  id: id(21),
  reportId: report.id,
  status: 'completed',
  resultCount: 1,
  startedAt: '2026-11-20T10:00:00.000Z',
  completedAt: '2026-11-20T10:00:00.041Z',
  error: null,
}

const reportResults = {
  columns: [
    { key: 'month', label: 'Close date (month)', type: 'date', role: 'dimension', bucket: 'month' },
    { key: 'industry', label: 'Industry', type: 'select', role: 'dimension', options: ['Energy'] },
    { key: 'won', label: 'Sum of Amount', type: 'currency', role: 'measure', perCurrency: true },
    { key: 'deals', label: 'Deals', type: 'number', role: 'measure' },
  ],
  rows: [{ month: '2026-09-01', industry: 'Energy', won: { amount: 182000, currency: 'EUR' }, deals: 4 }],
  truncated: false,
  asOf: '2026-11-20T10:00:00.000Z',
  executionMs: 41,
}

const workflow = {
  id: id(12),
  name: 'Thank for large deals',
  description: 'Makes a task when a large deal is won',
  trigger: 'record/updated',
  enabled: true,
  version: 3,
  ...written,
  object: { id: id(13), pluralName: 'Deals', slug: 'deals' },
  createdBy: call.createdBy,
}

const definition = {
  trigger: 'record/updated',
  triggerConfig: {
    objectId: 'deals',
    watch: ['stage'],
    filter: { and: [{ attributeSlug: 'stage', operator: 'equals', value: 'Won' }] },
  },
  steps: [
    {
      key: 'isLarge',
      type: 'condition',
      config: { when: { left: '{{trigger.data.amount}}', operator: 'greaterThan', right: 50000 } },
    },
    {
      key: 'thanks',
      type: 'create_activity',
      config: {
        type: 'task',
        title: 'Say thanks for {{trigger.data.name}}',
        linkedRecords: [{ objectId: 'deals', recordId: '{{trigger.recordId}}' }],
      },
    },
  ],
}

const run = {
  id: id(14),
  status: 'completed',
  title: 'Thank for large deals – Acme renewal',
  triggerEvent: 'record/updated',
  error: null,
  startedAt: '2026-11-20T10:00:00.040Z',
  completedAt: '2026-11-20T10:00:00.061Z',
  createdAt: '2026-11-20T10:00:00.012Z',
}

const runSteps = [
  {
    path: 'steps[0]',
    key: 'isLarge',
    type: 'condition',
    status: 'completed',
    attempts: 1,
    startedAt: run.startedAt,
    durationMs: 0.4,
    resumeAt: null,
    input: { when: { left: { amount: 120000, currency: 'EUR' }, operator: 'greaterThan', right: 50000 } },
    output: { met: true },
    error: null,
  },
]

/** By the schema's name in the API document. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  Object: project,
  ObjectWithAttributes: { ...project, attributes: [stage] },
  ObjectList: { objects: [project] },
  NewObject: {
    pluralName: 'Projects',
    singularName: 'Project',
    description: 'What we do for customers',
    slug: 'projects',
  },
  ObjectPatch: { description: 'What we do for customers', isActive: false },
  Attribute: stage,
  AttributeList: { attributes: [stage] },
  NewAttribute: {
    name: 'Stage',
    type: 'select',
    isRequired: true,
    config: { options: ['Planned', 'Running', 'Done'] },
  },
  AttributePatch: { name: 'Phase' },
  Record: ada,
  RecordList: { records: [ada], pagination: page },
  RecordPatch: { data: { job_title: 'Countess', phone: null } },
  NewRecord: { data: { name: 'Ada Lovelace', email: 'ada@example.com', phone: '+1 555 867 5309' } },
  SearchBody: {
    filter: {
      and: [
        { attributeSlug: 'name', operator: 'startsWith', value: 'ada' },
        {
          or: [
            { attributeSlug: 'email', operator: 'endsWith', value: '@example.com' },
            { attributeSlug: 'company', operator: 'isEmpty', value: 'true' },
          ],
        },
      ],
    },
    sort: { field: 'name', order: 'asc' },
    limit: 20,
  },
  BulkWrite: {
    mode: 'upsert',
    matchOn: 'email',
    records: [
      { data: { name: 'Ada Lovelace', email: 'ada@example.com' } },
      { data: { name: 'Charles Babbage', email: 'charles(at)example.com' } },
    ],
  },
  BulkResult: {
    created: 0,
    updated: 1,
    failed: [{ index: 1, error: 'data.email: not an e-mail address' }],
    results: [
      { index: 0, id: id(3), status: 'updated' },
      { index: 1, id: null, status: 'failed' },
    ],
  },
  BulkDelete: { ids: [id(3), id(8)] },
  BulkDeleted: { deleted: 2 },
  Activity: call,
  ActivityList: { activities: [call], pagination: page },
  NewActivity: {
    type: call.type,
    title: call.title,
    summary: call.summary,
    activityDate: call.activityDate,
    linkedRecords: call.linkedRecords,
    participants: call.participants,
  },
  ActivityPatch: { summary: 'Offer sent.' },
  MemberList: {
    members: [
      {
        id: id(9),
        role: 'owner',
        createdAt: written.createdAt,
        user: { id: id(7), name: 'Olivia Owner', email: 'olivia@example.com', image: null },
      },
    ],
  },
  Report: report,
  ReportWithDefinition: {
    ...report,
    updatedAt: written.updatedAt,
    version: 3,
    definition: reportDefinition,
  },
  ReportList: { reports: [report] },
  ReportRun: reportRun,
  ReportRunAnswer: { run: reportRun },
  ReportRunList: { runs: [reportRun], pagination: { total: 1, limit: 20, offset: 0 } },
  ReportRunDetail: { run: { ...reportRun, definition: reportDefinition, results: reportResults } },
  Workflow: workflow,
  WorkflowWithDefinition: { ...workflow, definition },
  WorkflowList: { workflows: [workflow] },
  WorkflowPatch: { enabled: true },
  RunWorkflow: { data: { priority: 'high' } },
  RunStarted: {
    message: '"Thank for large deals" was started',
    workflowId: workflow.id,
    workflowName: workflow.name,
    runId: run.id,
  },
  WorkflowRunList: { runs: [run], pagination: { ...page, limit: 20 } },
  WorkflowRunDetail: {
    ...run,
    workflowId: workflow.id,
    workflowVersion: workflow.version,
    wakeAt: null,
    failure: null,
    retryOf: null,
    cause: { eventId: id(10), workflowRunId: null, depth: 0 },
    input: {
      event: 'record/updated',
      recordId: id(15),
      objectId: id(13),
      data: { name: 'Acme renewal', stage: 'Won', amount: { amount: 120000, currency: 'EUR' } },
      changes: { stage: { from: 'Proposal', to: 'Won' } },
      parameters: {},
    },
    steps: runSteps,
  },
  NewPicture: { url: 'https://crm.example.com/files/Hd4Gf0SyAk3J9xTq7Wm2Zc8Rb5Vn1Lp6q1Zk0Yw7vJm/ada.png' },
  RecordPicture: {
    recordId: ada.id,
    url: 'https://crm.example.com/files/Hd4Gf0SyAk3J9xTq7Wm2Zc8Rb5Vn1Lp6q1Zk0Yw7vJm/ada.png',
  },
  NewUpload: { path: 'people/ada.png', bucket: 'avatars', contentType: 'image/png' },
  UploadUrl: {
    signedUrl: `https://crm.example.com/files/upload/${id(11)}/${id(12)}?expires=1795176000&contentType=image%2Fpng&signature=Yk8vJm2Xc9Rb5Vn1Lp6Hd4Gf0SyAk3J9xTq7Wm2Zc8R`,
    publicUrl: 'https://crm.example.com/files/Hd4Gf0SyAk3J9xTq7Wm2Zc8Rb5Vn1Lp6q1Zk0Yw7vJm/ada.png',
  },
  Webhooks: {
    portalUrl: 'https://crm.example.com/portal#token=q1Zk0Yw7vJm2Xc9Rb5Vn1Lp6Hd4Gf0SyAk3J9xTq7Wm',
    eventTypes: Object.entries(EVENT_TYPES).map(([name, description]) => ({ name, description })),
  },
  EventList: {
    events: [
      {
        id: id(10),
        type: 'record.updated',
        timestamp: written.updatedAt,
        organizationId: id(11),
        recordId: ada.id,
        objectId: ada.objectId,
        version: 2,
        data: ada.data,
        changes: { phone: { from: null, to: ada.data.phone } },
      },
    ],
  },
  Deleted: { id: id(3), deleted: true },
}

interface ErrorExample {
  message: string
  details?: Readonly<Record<string, unknown>>
}

const problem = (path: string, code: string, message: string): ErrorExample => ({
  message: `${path}: ${message}`,
  details: { errors: [{ path, code, message }] },
})

export const ERROR_EXAMPLES: Readonly<Record<ApiErrorCode, ErrorExample>> = {
  validation_error: problem('data.email', 'invalid_email', 'not an e-mail address'),
  invalid_parameter: problem('limit', 'maximum', 'must be <= 100'),
  invalid_filter: problem(
    'filter[email][greaterThan]',
    'operator_not_defined',
    'email is of type email, which does not know greaterThan',
  ),
  unauthorized: { message: 'Send your API key in the header Authorization: Bearer <key>' },
  expired: { message: 'This API key has expired: create a new one' },
  insufficient_scope: {
    message: 'This API key lacks the scope records:write',
    details: { requiredScope: 'records:write' },
  },
  standard_object: { message: 'people is a standard object: it cannot be changed or deleted' },
  not_found: { message: 'No such record' },
  method_not_allowed: { message: 'PUT is not a method of this address: it takes GET, HEAD, PATCH, DELETE' },
  slug_conflict: { message: 'The slug projects is taken by another object' },
  unique_violation: {
    message: `email: this value is taken by the record ${id(3)}`,
    details: { attributeSlug: 'email', existingRecordId: id(3) },
  },
  workflow_disabled: { message: '"Welcome new people" is not enabled: enable it first' },
  name_taken: { message: 'Another workflow is called "Welcome new people": choose another name' },
  object_inactive: { message: 'projects is inactive: its records can be read, not written' },
  object_referenced: {
    message: 'Attributes of other objects refer to projects',
    details: {
      references: [{ objectId: id(4), objectSlug: 'deals', attributeId: id(10), attributeSlug: 'project' }],
    },
  },
  file_exists: { message: 'The bucket avatars has a file people/ada.png already: choose another path' },
  storage_full: {
    message: 'The files of this organization may take up 10737418240 bytes: delete some',
    details: { limitBytes: 10_737_418_240, usedBytes: 10_737_400_000 },
  },
  idempotency_conflict: { message: 'This Idempotency-Key was used with another method, path or body' },
  idempotency_in_progress: { message: 'The first request with this Idempotency-Key is still running' },
  precondition_failed: {
    message: 'This changed since you read it: read it again and repeat your change',
    details: { etag: '"3gq1x9"' },
  },
  payload_too_large: { message: 'The body is larger than this route takes' },
  unsupported_media_type: {
    message: 'Send the body as application/json with Content-Type: application/json',
  },
  query_too_expensive: {
    message:
      'This list or search takes longer than 5 s: use fewer filters, or ones that an index answers (equals, startsWith), and leave out the total with count=false. The operator raises the bound with SEARCH_SECONDS_MAX',
    details: { limitSeconds: 5 },
  },
  rate_limit_exceeded: { message: 'Too many requests: try again in 42 s' },
  report_busy: {
    message:
      'Other reports are running: one runs at a time for an organization, and few for all. Try again shortly',
  },
  internal_error: { message: 'Something went wrong on our side: quote the requestId when you ask about it' },
  unavailable: { message: 'The database does not answer: try again shortly' },
}
