// Jobs: work on many records of an object in the background, such as the import of a file.
import { type Static, Type } from 'typebox'
import { literals, Nullable, oneOf, Pagination, StrictObject, Timestamp, Uuid } from './common.ts'
import { exampleId, examplePage, exampleTimes } from './example-values.ts'
import { FilterTree } from './filters.ts'
import {
  CSV_FIELDS,
  DuplicateRules,
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
/** Of jobs that have not ended. */
export const OPEN_JOB_STATUSES = ['awaiting_upload', 'queued', 'running'] as const satisfies JobStatus[]

export const JOB_FORMATS = ['ndjson', 'csv'] as const
export type JobFormat = (typeof JOB_FORMATS)[number]
const format = oneOf(
  JOB_FORMATS,
  'ndjson: JSON lines, of an import each a row as a bulk write has it, of an export each a record as a list shows it. csv: a table with the slugs or names of attributes as headers, or slug.part for a part of a value; of an export in UTF-8 with commas',
)

export const MATCH_CHOICES = ['update', 'skip', 'create'] as const
export type MatchChoice = (typeof MATCH_CHOICES)[number]
const duplicates = oneOf(
  MATCH_CHOICES,
  'What becomes of a line that matches a record by `matchOn`, or as `duplicateRules` says. update: it updates the record. skip: it is left out, and the record stays as it is. create: it creates another record',
)
const matchOn = Type.String({
  minLength: 1,
  maxLength: 63,
  description:
    'The slug of a unique attribute, or `id`: a line that matches a record updates it; without it every line creates a record',
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
          'Only with `matchOn` of a unique attribute, or `duplicateRules`: what becomes of a line that matches a record. create: every line creates one, as without all of these',
      }),
    ),
    duplicateRules: Type.Optional(DuplicateRules),
    createMissing: Type.Optional(CreateMissing),
    filter: Type.Optional(Nullable(FilterTree, { description: 'Which records, as of a search; null: all' })),
    data: Type.Optional(RecordData),
    permanent: Type.Optional(
      Type.Boolean({ default: false, description: 'true: delete for good instead of moving to the trash' }),
    ),
  },
  {
    description:
      'A job to start. An import has `format`, `matchOn`, `duplicates`, `duplicateRules` and `createMissing`, and with the format csv `columns`, `dates`, `decimal` and `emptyCells`, an update `filter`, `data` and `createMissing`, a deletion `filter` and `permanent`, an export `filter` and `format`',
  },
)
export type NewJob = Static<typeof NewJob>

/** The fields of each type: those that it needs, and those that it may have. */
export const JOB_FIELDS = {
  import: {
    required: [],
    optional: ['format', ...CSV_FIELDS, 'matchOn', 'duplicates', 'duplicateRules', 'createMissing'],
  },
  update: { required: ['filter', 'data'], optional: ['createMissing'] },
  delete: { required: ['filter'], optional: ['permanent'] },
  export: { required: [], optional: ['filter', 'format'] },
} as const satisfies Record<
  JobType,
  { required: readonly (keyof NewJob)[]; optional: readonly (keyof NewJob)[] }
>

export const NewJobQuery = StrictObject({
  dryRun: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'true: answer how many records match the filter (`progress.total`), and change nothing',
    }),
  ),
})

export const JobProgress = StrictObject({
  done: Type.Integer({ description: 'Rows that the job has handled' }),
  total: Nullable(Type.Integer(), {
    description:
      'Rows of the job; null: not known yet. Of a file, empty lines and the header count until the job has ended',
  }),
  created: Type.Integer(),
  updated: Type.Integer({ description: 'Rows that matched a record and were written to it' }),
  unchanged: Type.Integer({
    description:
      'Rows that matched a record with their values already: nothing was written for them. For keys without the scope `records:read` they count as updated',
  }),
  skipped: Type.Integer({
    description:
      'Lines that were left out, because they match a record, and records that were deleted meanwhile',
  }),
  deleted: Type.Integer(),
  exported: Type.Integer(),
  failed: Type.Integer({ description: 'Rows that were refused: the results say why' }),
})

export const JobUpload = StrictObject(
  {
    offset: Type.Integer({ description: 'Bytes that have arrived: the next piece begins here' }),
    isComplete: Type.Boolean(),
    maxBytes: Type.Integer({ description: 'Maximum size of the file' }),
  },
  { description: 'How much of the file of a job has arrived' },
)
export type JobUpload = Static<typeof JobUpload>

export const Job = StrictObject(
  {
    id: Uuid,
    type,
    objectId: Uuid,
    status: oneOf(
      JOB_STATUSES,
      'awaiting_upload: send the file. cancelled and failed: what was written until then stays, and can be undone',
    ),
    format: Nullable(format, { description: 'null: the job has no file' }),
    reading: Nullable(JobReading, { description: 'null: the job imports no csv' }),
    matchOn: Nullable(matchOn),
    duplicates: Nullable(duplicates),
    duplicateRules: Type.Boolean(),
    createMissing: Type.Boolean(),
    progress: JobProgress,
    changeSetId: Type.String({
      ...Uuid,
      description: 'What the job writes is this change set: `POST /undo-jobs` undoes it within a day',
    }),
    error: Nullable(Type.String(), { description: 'Why it failed' }),
    createdBy: Nullable(ActingUser, {
      description: 'The user who asked for it, or the creator of the API key',
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
  id: Nullable(Uuid, { description: 'null: a dry run' }),
  changeSetId: Nullable(Uuid),
})
export type StartedJob = Static<typeof StartedJob>

export const JobList = StrictObject({ jobs: Type.Array(Job), pagination: Pagination })
export type JobList = Static<typeof JobList>

export const JobListQuery = StrictObject(pageParams())
export type JobListQuery = Static<typeof JobListQuery>

export const JOB_RESULT_STATUSES = [
  'created',
  'updated',
  'unchanged',
  'skipped',
  'deleted',
  'failed',
] as const
export type JobResultStatus = (typeof JOB_RESULT_STATUSES)[number]

export const JobResult = StrictObject(
  {
    line: Type.Optional(Type.Integer({ description: 'Of an import: line of the file, from 1' })),
    id: Nullable(Type.String(), {
      description:
        'Of the record that was written, or that a skipped row matches; of a failed row the id as it was sent',
    }),
    status: literals(JOB_RESULT_STATUSES),
    error: Type.Optional(Type.String({ description: 'Of a failed row: what is wrong, in words' })),
    code: Type.Optional(
      Type.String({ description: 'Of a failed row: the code of the error that a single write would be' }),
    ),
    attribute: Type.Optional(
      Type.String({ description: 'The slug of the first attribute that is at fault' }),
    ),
    existingRecordId: Type.Optional(
      Type.String({ ...Uuid, description: 'Of unique_violation: the record that has the value' }),
    ),
  },
  { description: 'What became of one row of a job' },
)
export type JobResult = Static<typeof JobResult>

export const JobResultQuery = StrictObject({
  status: Type.Optional(
    literals(JOB_RESULT_STATUSES, { description: 'Only rows with this outcome, such as failed' }),
  ),
})

/** Their names in the API document. */
export const jobSchemas = { NewJob, Job, StartedJob, JobList, JobProgress, JobReading, JobUpload, JobResult }

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
  progress: {
    done: 500,
    total: 1_000_000,
    created: 480,
    updated: 15,
    unchanged: 3,
    skipped: 0,
    deleted: 0,
    exported: 0,
    failed: 2,
  },
  changeSetId: exampleId(32),
  error: null,
  createdBy: { id: exampleId(12), name: 'Grace Hopper', email: 'grace@example.com' },
  createdAt: exampleTimes.createdAt,
  startedAt: exampleTimes.updatedAt,
  completedAt: null,
}

const nothingDone = {
  done: 0,
  total: null,
  created: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  deleted: 0,
  exported: 0,
  failed: 0,
}
const exampleResults = [
  `{"line":1,"id":"${exampleId(3)}","status":"updated"}`,
  '{"line":2,"id":null,"status":"failed","error":"data.email: must be one email address, such as \\"ada@example.com\\"","code":"validation_error","attribute":"email"}',
]
const exampleUpload: JobUpload = { offset: 1_048_576, isComplete: false, maxBytes: 1_073_741_824 }

export const jobRoutes = {
  createJob: {
    at: 'POST /jobs',
    scope: 'records:write',
    orScope: 'records:read',
    summary: 'Create a job',
    description: `An import waits for its file, which is sent with \`PATCH /jobs/:jobId/content\`: one JSON object in each line, \`{"data": {…}}\`, with an \`id\` where \`matchOn\` is \`id\`; lines as List records shows records are taken too. With \`format\` csv it is a table in UTF-8, UTF-16 or Windows-1252, whose cells are separated by commas, semicolons, tabs, vertical bars or what a first line such as \`sep=;\` says, and \`dates\`, \`decimal\` and \`emptyCells\` say how its cells are read: the last piece is refused where a column fills no attribute, unless \`columns\` says what it fills, and cells may name records. Lines take effect in their order, each exactly once, and are checked as single writes are. A line has at most ${JOB_LINE_BYTES_MAX} bytes; how many lines a file has is not limited.\n\nThe other types handle each record once that matches the filter when it is reached, and that was there when the job was created. They need the scope \`records:read\` too, since they say how many match, as imports with \`duplicateRules\` do; for an export it is enough, the other types need \`records:write\`. The file of an export is read with \`GET /jobs/:jobId/file\`.`,
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
    description: `The newest first, with the imports that members start in the dashboard; they are kept for ${JOB_DAYS} days.`,
    query: JobListQuery,
    response: { 200: JobList },
    example: { response: { jobs: [exampleJob], pagination: examplePage } },
  },
  getJob: {
    at: 'GET /jobs/:jobId',
    scope: 'records:read',
    summary: 'Get a job',
    response: { 200: Job },
    example: { response: exampleJob },
  },
  getJobUpload: {
    at: 'GET /jobs/:jobId/content',
    scope: 'records:write',
    summary: 'Get the offset of an upload',
    description:
      'Where an upload that was interrupted goes on. `HEAD` has it too, in the header `Upload-Offset`.',
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
          description: 'How many bytes of the file come before this piece: as many as have arrived',
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
    description: `The bytes of the file from \`Upload-Offset\` on, in as many pieces as you like. What arrives of a piece that is interrupted is kept: ask for the offset, and go on there. Another offset is a 409 whose \`details.offset\` is the right one. A file that is not complete after ${JOB_UPLOAD_HOURS} hours is deleted.`,
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
      'When the export is completed. The order is that of the ids, the oldest record first. Not all records are of one moment: each is as it was when the job reached it.',
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
      'After the response nothing more is written; what was written stays so. One that has ended stays as it is. For an export the scope `records:read` is enough.',
    response: { 200: Job },
    example: { response: { ...exampleJob, status: 'cancelled', completedAt: exampleTimes.updatedAt } },
  },
  downloadJobResults: {
    at: 'GET /jobs/:jobId/results',
    scope: 'records:read',
    media: { response: ['application/x-ndjson'] },
    summary: 'Download the results of a job',
    description:
      'What became of each row, in the order of the file: one JSON object in each line. Of a job that is running, the rows until now.',
    query: JobResultQuery,
    response: { 200: JobResult },
    example: { response: `${exampleResults.join('\n')}\n` },
  },
} satisfies ApiRoutes
