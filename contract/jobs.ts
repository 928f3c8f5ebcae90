// Jobs change or export many records of an object in the background, such as the import of a file.
import { type Static, Type } from 'typebox'
import { Deleted, flag, listOf, literals, Nullable, oneOf, StrictObject, Timestamp, Uuid } from './common.ts'
import { exampleDeleted, exampleId, examplePage, exampleTimes } from './example-values.ts'
import { FilterTree } from './filters.ts'
import { JobResult, JobResultQuery } from './job-results.ts'
import {
  CSV_FIELDS,
  DuplicateRules,
  ExportFields,
  ImportDryRun,
  JobReading,
  TableColumns,
  TableDates,
  TableDecimal,
  TableEmptyCells,
} from './job-tables.ts'
import { JOB_DAYS, JOB_LINE_BYTES_MAX, JOB_UPLOAD_HOURS } from './limits.ts'
import { ActingUser } from './members.ts'
import { pageParams } from './paging.ts'
import { CrmRecord, RecordData } from './record.ts'
import { exampleRecord } from './records.ts'
import { CreateMissing } from './reference-values.ts'
import type { ApiRoutes } from './route.ts'
import { SearchSort } from './sorts.ts'

export const JOB_TYPES = ['import', 'update', 'delete', 'export'] as const
export type JobType = (typeof JOB_TYPES)[number]
const type = oneOf(
  JOB_TYPES,
  'import: creates or updates a record for each line of a file. update: writes the same values to all records that match a filter. delete: deletes all records that match a filter. export: writes all records that match a filter to a file',
)

export const JOB_STATUSES = [
  'awaiting_upload',
  'queued',
  'running',
  'completed',
  'cancelled',
  'failed',
] as const
export type JobStatus = (typeof JOB_STATUSES)[number]
export const OPEN_JOB_STATUSES = ['awaiting_upload', 'queued', 'running'] as const satisfies JobStatus[]

export const JOB_FORMATS = ['ndjson', 'csv'] as const
export type JobFormat = (typeof JOB_FORMATS)[number]
const format = oneOf(
  JOB_FORMATS,
  'ndjson: JSON lines. Each line of an import is a row of a bulk write; each line of an export is a record as in List records. csv: a table with the slugs or names of attributes as headers, or slug.part for a part of a value. An export is in UTF-8 with commas',
)

export const MATCH_CHOICES = ['update', 'skip', 'create'] as const
export type MatchChoice = (typeof MATCH_CHOICES)[number]
const duplicates = oneOf(
  MATCH_CHOICES,
  'How to handle a line that matches a record by `matchOn` or `duplicateRules`. update: the line updates the record. skip: the line is skipped, and the record is not changed. create: the line creates another record',
)
const matchOn = Type.String({
  minLength: 1,
  maxLength: 63,
  description:
    'The slug of a unique attribute, or `id`: a line that matches a record updates that record. Without `matchOn` every line creates a record',
  examples: ['email'],
})

export const NewJob = StrictObject(
  {
    type,
    objectId: Type.String({
      minLength: 1,
      maxLength: 63,
      description: 'The object’s id, or its slug',
      examples: ['people'],
    }),
    format: Type.Optional(literals(JOB_FORMATS, { default: 'ndjson' })),
    columns: Type.Optional(TableColumns),
    dates: Type.Optional(TableDates),
    decimal: Type.Optional(TableDecimal),
    emptyCells: Type.Optional(TableEmptyCells),
    matchOn: Type.Optional(matchOn),
    duplicates: Type.Optional(
      literals(MATCH_CHOICES, {
        default: 'update',
        description:
          'Only with `matchOn` of a unique attribute, or `duplicateRules`: how to handle a line that matches a record. create: every line creates a record, as without `matchOn` and `duplicateRules`',
      }),
    ),
    duplicateRules: Type.Optional(DuplicateRules),
    createMissing: Type.Optional(CreateMissing),
    dryRun: Type.Optional(ImportDryRun),
    filter: Type.Optional(Nullable(FilterTree, { description: 'Which records, as in a search; null: all' })),
    fields: Type.Optional(ExportFields),
    sort: Type.Optional(SearchSort),
    data: Type.Optional(RecordData),
    permanent: flag('true: delete permanently instead of moving to the trash'),
  },
  {
    description:
      'A job to start. Fields by type. import: `format`, `matchOn`, `duplicates`, `duplicateRules`, `createMissing` and `dryRun`, and with the format csv also `columns`, `dates`, `decimal` and `emptyCells`. update: `filter`, `data` and `createMissing`. delete: `filter` and `permanent`. export: `filter`, `format`, `fields` and `sort`',
  },
)
export type NewJob = Static<typeof NewJob>

/** Required and optional fields of each job type. */
export const JOB_FIELDS = {
  import: {
    required: [],
    optional: ['format', ...CSV_FIELDS, 'matchOn', 'duplicates', 'duplicateRules', 'createMissing', 'dryRun'],
  },
  update: { required: ['filter', 'data'], optional: ['createMissing'] },
  delete: { required: ['filter'], optional: ['permanent'] },
  export: { required: [], optional: ['filter', 'format', 'fields', 'sort'] },
} as const satisfies Record<
  JobType,
  { required: readonly (keyof NewJob)[]; optional: readonly (keyof NewJob)[] }
>

export const NewJobQuery = StrictObject({
  dryRun: flag(
    'true: return the number of matching records (`progress.total`) and change nothing. An import has the field `dryRun` of the body instead',
  ),
})

export const JobProgress = StrictObject({
  done: Type.Integer({ description: 'Rows that the job has processed' }),
  total: Nullable(Type.Integer(), {
    description:
      'Rows of the job; null: not known yet. For a file, empty lines and the header are counted until the job has ended',
  }),
  created: Type.Integer(),
  updated: Type.Integer({ description: 'Rows that updated a matching record' }),
  unchanged: Type.Integer({
    description:
      'Rows whose matching record already had the same values, so that nothing was written. For keys without the scope `records:read` these rows count as updated',
  }),
  skipped: Type.Integer({
    description:
      'Lines that were skipped because they match a record, and records that were deleted during the job',
  }),
  deleted: Type.Integer(),
  exported: Type.Integer(),
  failed: Type.Integer({ description: 'Rows that were rejected: the results contain the reasons' }),
})

export const JobUpload = StrictObject(
  {
    offset: Type.Integer({
      description: 'Bytes received: the next piece starts at this offset',
    }),
    isComplete: Type.Boolean(),
    maxBytes: Type.Integer({ description: 'Maximum size of the file' }),
  },
  { description: 'How much of the file of a job has been received' },
)
export type JobUpload = Static<typeof JobUpload>

export const Job = StrictObject(
  {
    id: Uuid,
    type,
    objectId: Uuid,
    status: oneOf(
      JOB_STATUSES,
      'awaiting_upload: send the file. cancelled and failed: changes that were already written stay, and can be undone',
    ),
    format: Nullable(format, { description: 'null: the job has no file' }),
    reading: Nullable(JobReading, { description: 'null: the job is not a CSV import' }),
    matchOn: Nullable(matchOn),
    duplicates: Nullable(duplicates),
    duplicateRules: Type.Boolean(),
    createMissing: Type.Boolean(),
    dryRun: Type.Boolean({
      description:
        'true: the import only checks its file. `progress` and the results contain what an import would do',
    }),
    progress: JobProgress,
    changeSetId: Type.String({
      ...Uuid,
      description:
        'The change set of the job: `POST /undo-jobs` undoes it within a day. A dry run has nothing to undo',
    }),
    error: Nullable(Type.String(), { description: 'Why the job failed' }),
    createdBy: Nullable(ActingUser, {
      description: 'The user who created the job, or the creator of the API key',
    }),
    createdAt: Timestamp,
    startedAt: Nullable(Timestamp),
    completedAt: Nullable(Timestamp),
  },
  { description: 'Work on many records of an object, in the background' },
)
export type Job = Static<typeof Job>

export const StartedJob = StrictObject({
  ...Job.properties,
  id: Nullable(Uuid, { description: 'null for a dry run' }),
  changeSetId: Nullable(Uuid),
})
export type StartedJob = Static<typeof StartedJob>

export const JobList = listOf('jobs', Job)
export type JobList = Static<typeof JobList>

export const JobListQuery = StrictObject(pageParams())
export type JobListQuery = Static<typeof JobListQuery>

/** Schemas by their names in the API document. */
export const jobSchemas = { NewJob, Job, StartedJob, JobList, JobProgress, JobReading, JobUpload, JobResult }

const nothingDone = {
  ...{ done: 0, total: null, created: 0, updated: 0, unchanged: 0 },
  ...{ skipped: 0, deleted: 0, exported: 0, failed: 0 },
}

const exampleJob: Job = {
  id: exampleId(32),
  type: 'import',
  objectId: exampleId(4),
  status: 'running',
  format: 'ndjson',
  reading: null,
  matchOn: 'email',
  duplicates: 'update',
  duplicateRules: false,
  createMissing: false,
  dryRun: false,
  progress: {
    ...nothingDone,
    done: 500,
    total: 1_000_000,
    created: 480,
    updated: 15,
    unchanged: 3,
    failed: 2,
  },
  changeSetId: exampleId(32),
  error: null,
  createdBy: { id: exampleId(12), name: 'Grace Hopper', email: 'grace@example.com' },
  createdAt: exampleTimes.createdAt,
  startedAt: exampleTimes.updatedAt,
  completedAt: null,
}
const exampleResults = [
  `{"line":1,"id":"${exampleId(3)}","status":"updated"}`,
  '{"line":2,"id":null,"status":"failed","error":"data.email: must be one email address, such as \\"ada@example.com\\"","code":"validation_error","attribute":"email"}',
]
const exampleUpload: JobUpload = { offset: 1_048_576, isComplete: false, maxBytes: 1_073_741_824 }

const ONLY_OWN =
  'With `records:write`, without `records:read`: only jobs that the same API key created; others return 403.'

export const jobRoutes = {
  createJob: {
    at: 'POST /jobs',
    scope: 'records:write',
    orScope: 'records:read',
    summary: 'Create a job',
    description: `An import waits for its file, which is sent with \`PATCH /jobs/:jobId/content\`: one JSON object in each line, \`{"data": {…}}\`, with an \`id\` if \`matchOn\` is \`id\`; lines in the format of List records are accepted too. With \`format\` csv the file is a table in UTF-8, UTF-16 or Windows-1252. Its cells are separated by commas, semicolons, tabs, vertical bars or the separator of a first line such as \`sep=;\`, and \`dates\`, \`decimal\` and \`emptyCells\` set how cells are parsed. The last piece is rejected if a column fills no attribute, unless \`columns\` maps this column. Cells can refer to other records. Lines are processed in order, each exactly once, with the same validation as single writes. A line has at most ${JOB_LINE_BYTES_MAX} bytes; the number of lines is not limited.\n\nThe other types process each record once, if the record existed when the job was created and matches the filter when the job reaches it. They also require the scope \`records:read\`, because they return the number of matching records, as do imports with \`duplicateRules\`. An export requires only \`records:read\`; all other types require \`records:write\`. The file of an export is read with \`GET /jobs/:jobId/file\`.`,
    query: NewJobQuery,
    body: NewJob,
    response: { 201: StartedJob },
    errors: ['invalid_filter', 'object_inactive', 'query_too_expensive'],
    example: {
      body: { type: 'import', objectId: 'people', matchOn: 'email' },
      response: { ...exampleJob, status: 'awaiting_upload', progress: nothingDone, startedAt: null },
    },
  },
  listJobs: {
    at: 'GET /jobs',
    scope: 'records:read',
    summary: 'List jobs',
    description: `Newest first, including imports that members start in the dashboard. Jobs are kept for ${JOB_DAYS} days.`,
    query: JobListQuery,
    response: { 200: JobList },
    example: { response: { jobs: [exampleJob], pagination: examplePage } },
  },
  getJob: {
    at: 'GET /jobs/:jobId',
    scope: 'records:read',
    orScope: 'records:write',
    summary: 'Get a job',
    description: ONLY_OWN,
    response: { 200: Job },
    example: { response: exampleJob },
  },
  getJobUpload: {
    at: 'GET /jobs/:jobId/content',
    scope: 'records:write',
    summary: 'Get the offset of an upload',
    description:
      'The offset from which to continue an interrupted upload. `HEAD` returns the offset too, in the header `Upload-Offset`.',
    response: { 200: JobUpload },
    example: { response: exampleUpload },
  },
  sendJobContent: {
    at: 'PATCH /jobs/:jobId/content',
    scope: 'records:write',
    media: {
      body: ['application/x-ndjson', 'text/csv', 'application/octet-stream'],
      headers: {
        'Upload-Offset': {
          description:
            'Number of bytes of the file before this piece. It must equal the number of received bytes',
          schema: Type.Integer({ minimum: 0 }),
          example: 0,
        },
        'Upload-Complete': {
          description: '`?1`: this is the last piece, and the job starts. `?0`: more pieces follow',
          schema: literals(['?0', '?1']),
          example: '?1',
        },
      },
    },
    summary: 'Upload a piece of the file of a job',
    description: `The bytes of the file from \`Upload-Offset\` on, in any number of pieces. The received part of an interrupted piece is kept: get the offset, and continue from there. A wrong offset returns 409 with the expected offset in \`details.offset\`. A file that is not complete after ${JOB_UPLOAD_HOURS} hours is deleted.`,
    response: { 200: JobUpload },
    errors: [
      'validation_error',
      'wrong_offset',
      'wrong_state',
      'storage_full',
      'payload_too_large',
      'unsupported_media_type',
    ],
    example: {
      body: '{"data":{"name":"Ada Lovelace","email":"ada@example.com"}}\n',
      response: exampleUpload,
    },
  },
  downloadJobFile: {
    at: 'GET /jobs/:jobId/file',
    scope: 'records:read',
    media: { response: ['application/x-ndjson', 'text/csv'] },
    summary: 'Download the file of an export',
    description:
      'Available when the export is completed. Without `sort` the oldest record is first. The file is not a snapshot: each record is in its state when the job reached it. With `sort`, a record whose sort values change during the job can be missing or appear twice.',
    response: { 200: CrmRecord },
    errors: ['wrong_state'],
    example: { response: `${JSON.stringify(exampleRecord)}\n` },
  },
  cancelJob: {
    at: 'POST /jobs/:jobId/cancel',
    scope: 'records:write',
    orScope: 'records:read',
    summary: 'Cancel a job',
    description:
      'After the response the job writes nothing more; changes that were already written stay. A job that has ended is not changed. For an export the scope `records:read` is sufficient.',
    response: { 200: Job },
    example: { response: { ...exampleJob, status: 'cancelled', completedAt: exampleTimes.updatedAt } },
  },
  deleteJob: {
    at: 'DELETE /jobs/:jobId',
    scope: 'records:write',
    orScope: 'records:read',
    summary: 'Delete a job that has ended',
    worksOnFullDisk: true,
    description:
      'Permanently, with its file and its results, and for an import of the dashboard also with the import. Its changes stay, and can be undone as before. For an export the scope `records:read` is sufficient.',
    response: { 200: Deleted },
    errors: ['wrong_state'],
    example: { response: exampleDeleted },
  },
  downloadJobResults: {
    at: 'GET /jobs/:jobId/results',
    scope: 'records:read',
    orScope: 'records:write',
    media: { response: ['application/x-ndjson'] },
    summary: 'Download the results of a job',
    description: `The result of each row in the order of the file, one JSON object per line. For a running job, the rows that have been processed so far. ${ONLY_OWN} Unchanged rows are then reported as updated.`,
    query: JobResultQuery,
    response: { 200: JobResult },
    example: { response: `${exampleResults.join('\n')}\n` },
  },
} satisfies ApiRoutes
