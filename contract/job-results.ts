// The result of each row of a job.
import { type Static, Type } from 'typebox'
import { literals, Nullable, StrictObject, Uuid } from './common.ts'
import { FailedRow } from './records.ts'

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
    line: Type.Optional(Type.Integer({ description: 'Only for an import: line of the file, from 1' })),
    id: Nullable(Type.String(), {
      description:
        'Id of the record that was written, or that a skipped row matches; for a failed row, the id that was sent; null for a record that a dry run would create',
    }),
    status: literals(JOB_RESULT_STATUSES),
    error: Type.Optional(Type.String({ description: 'Only for a failed row: the error message' })),
    code: Type.Optional(
      Type.String({ description: 'Only for a failed row: the error code that a single write would return' }),
    ),
    attribute: Type.Optional(Type.String({ description: 'Slug of the first invalid attribute' })),
    existingRecordId: Type.Optional(
      Type.String({ ...Uuid, description: 'For unique_violation: the record that has the value' }),
    ),
    details: FailedRow.properties.details,
  },
  { description: 'The result of one row of a job' },
)
export type JobResult = Static<typeof JobResult>

export const JobResultQuery = StrictObject({
  status: Type.Optional(
    literals(JOB_RESULT_STATUSES, { description: 'Only rows with this outcome, such as failed' }),
  ),
})
