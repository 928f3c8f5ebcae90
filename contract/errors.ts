// The specification's section "Errors", completed by decisions section 4. Each error code has one status.
import { type Static, Type } from 'typebox'
import { StrictObject } from './common.ts'
import { exampleId } from './example-values.ts'

export const API_ERROR_STATUS = {
  validation_error: 400,
  invalid_parameter: 400,
  invalid_filter: 400,
  unauthorized: 401,
  expired: 401,
  insufficient_scope: 403,
  insufficient_role: 403,
  email_unverified: 403,
  standard_object: 403,
  not_author: 403,
  not_found: 404,
  method_not_allowed: 405,
  slug_conflict: 409,
  option_in_use: 409,
  options_changing: 409,
  unique_violation: 409,
  case_conflict: 409,
  duplicate_values: 409,
  workflow_disabled: 409,
  name_taken: 409,
  already_member: 409,
  already_invited: 409,
  object_inactive: 409,
  object_referenced: 409,
  merged_since: 409,
  wrong_state: 409,
  wrong_offset: 409,
  limit_reached: 409,
  endpoint_disabled: 409,
  unreadable_secret: 409,
  managed_by_svix: 409,
  undo_expired: 409,
  file_exists: 409,
  storage_full: 409,
  idempotency_conflict: 409,
  idempotency_in_progress: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  query_too_expensive: 422,
  unsupported_media_type: 415,
  rate_limit_exceeded: 429,
  report_busy: 429,
  internal_error: 500,
  unavailable: 503,
} as const
export type ApiErrorCode = keyof typeof API_ERROR_STATUS

const DASHBOARD_ERROR_STATUS = {
  wrong_credentials: 401,
  foreign_origin: 403,
  sign_up_closed: 403,
  wrong_user: 403,
  email_taken: 409,
  sign_in_required: 409,
  last_owner: 409,
  invitation_closed: 409,
} as const

const FILE_ERROR_STATUS = {
  invalid_signature: 403,
  upload_expired: 403,
  range_not_satisfiable: 416,
} as const

export const ERROR_STATUS = { ...API_ERROR_STATUS, ...DASHBOARD_ERROR_STATUS, ...FILE_ERROR_STATUS }
export type ErrorCode = keyof typeof ERROR_STATUS

/** One problem of a request: its path, a code for programs, and a sentence for people. */
export const Problem = StrictObject({
  path: Type.String({ examples: ['data.email'] }),
  code: Type.String({ examples: ['invalid_email'] }),
  message: Type.String({ examples: ['must be one email address, such as "ada@example.com"'] }),
})
export type Problem = Static<typeof Problem>

export const ErrorBody = StrictObject(
  {
    error: Type.String({ description: 'Machine-readable code', examples: ['validation_error'] }),
    message: Type.String({ description: 'Human-readable message' }),
    details: Type.Optional(Type.Object({}, { additionalProperties: true })),
    requestId: Type.String(),
  },
  { description: 'The body of every error response' },
)
export type ErrorBody = Static<typeof ErrorBody>

/** Schemas by their names in the API document. */
export const errorSchemas = { Error: ErrorBody, Problem }

interface ErrorExample {
  message: string
  details?: Readonly<Record<string, unknown>>
}

const problem = (path: string, code: string, message: string): ErrorExample => ({
  message: `${path}: ${message}`,
  details: { errors: [{ path, code, message }] },
})

export const ERROR_EXAMPLES: Readonly<Record<ApiErrorCode, ErrorExample>> = {
  validation_error: problem(
    'data.email',
    'invalid_email',
    'must be one email address, such as "ada@example.com"',
  ),
  invalid_parameter: problem('limit', 'maximum', 'must be at most 100'),
  invalid_filter: problem(
    'filter[email][greaterThan]',
    'operator_not_defined',
    'email (email) has no operator "greaterThan": use equals, notEquals, contains, notContains, startsWith, endsWith, isEmpty, isNotEmpty',
  ),
  unauthorized: { message: 'Send your API key in the header Authorization: Bearer <key>' },
  expired: { message: 'This API key has expired: create a new one' },
  insufficient_scope: {
    message: 'This API key lacks the scope records:write: use a key that has it',
    details: { requiredScope: 'records:write' },
  },
  insufficient_role: {
    message: 'An API key cannot make, change or remove owners: an owner can, in the dashboard',
    details: { requiredRole: 'owner' },
  },
  email_unverified: {
    message:
      'Confirm your email address first: open the link in the message we sent you, or request a new one',
  },
  standard_object: {
    message: 'people is a standard object, which cannot be changed or deleted: create another object instead',
  },
  not_author: { message: 'Only the author of a comment can edit it: write another comment' },
  not_found: { message: 'No such record: check the id, it may have been deleted' },
  method_not_allowed: { message: 'PUT is not allowed for this URL: use GET, HEAD, PATCH, DELETE' },
  slug_conflict: { message: 'The slug projects is taken by another object: choose another slug' },
  option_in_use: {
    message: '12 records have "Lost": name it in from of another option, or in clear',
    details: { uses: [{ option: 'Lost', records: 12 }] },
  },
  options_changing: {
    message:
      'The last change of the options of stage is still being written to records: try again when it is finished',
  },
  unique_violation: {
    message: `email: this value is taken by the record ${exampleId(3)}: choose another value, or update that record`,
    details: { attributeSlug: 'email', existingRecordId: exampleId(3) },
  },
  case_conflict: {
    message:
      'Records have 1 value of code in different cases: change the values, or merge the records, then try again',
    details: {
      attributeSlug: 'code',
      conflicts: [{ values: ['AB-1', 'ab-1'], recordIds: [exampleId(3), exampleId(4)] }],
      total: 1,
    },
  },
  duplicate_values: {
    message: 'Records share 1 value of code: change the values, or merge the records, then try again',
    details: {
      attributeSlug: 'code',
      conflicts: [{ values: ['AB-1'], recordIds: [exampleId(3), exampleId(4)] }],
      total: 1,
    },
  },
  workflow_disabled: { message: '"Welcome new people" is not enabled: enable it first' },
  name_taken: { message: 'Another workflow has the name "Welcome new people": choose another name' },
  already_member: { message: 'ada@example.com is already a member: invite another address' },
  already_invited: {
    message: 'ada@example.com already has an open invitation: send it again, or cancel it',
  },
  object_inactive: {
    message: 'projects is inactive, so its records are read-only: activate the object first',
  },
  object_referenced: {
    message: 'Attributes of other objects refer to projects: delete these attributes first',
    details: {
      references: [
        { objectId: exampleId(4), objectSlug: 'deals', attributeId: exampleId(10), attributeSlug: 'project' },
      ],
    },
  },
  merged_since: {
    message: `This merge is not the last one into its record: undo the later merge ${exampleId(13)} first`,
    details: { mergeId: exampleId(13) },
  },
  wrong_state: { message: 'A test is sent only once: send another test' },
  wrong_offset: {
    message: '1048576 bytes of the file have arrived: send those after them',
    details: { offset: 1_048_576 },
  },
  limit_reached: {
    message: 'There are already 100 endpoints, the maximum for an organization: delete one first',
  },
  endpoint_disabled: { message: 'This endpoint is disabled: enable it, then replay' },
  unreadable_secret: {
    message:
      'This secret was encrypted with a key that this installation no longer has: rotate it, or restore the key',
  },
  managed_by_svix: {
    message:
      'Svix delivers the webhooks of this installation: use its portal, at the portalUrl of GET /webhooks',
  },
  undo_expired: { message: 'Changes can be undone for 24 hours: enter the earlier values by hand' },
  file_exists: { message: 'The bucket avatars already has a file people/ada.png: choose another path' },
  storage_full: {
    message:
      'The files of this organization, with its imports and uploads in progress, may use at most 10737418240 bytes: remove some and delete them from the trash, or ask the operator to raise FILES_BYTES_PER_ORGANIZATION',
    details: { limitBytes: 10_737_418_240, usedBytes: 10_737_400_000 },
  },
  idempotency_conflict: {
    message: 'This Idempotency-Key was used with another method, path or body: send a new key',
  },
  idempotency_in_progress: {
    message: 'The first request with this Idempotency-Key is still running: try again shortly',
  },
  precondition_failed: {
    message: 'This changed since you read it: read it again, then repeat your change',
    details: { etag: '"3gq1x9"' },
  },
  payload_too_large: {
    message: 'The body is larger than 1 MiB, the limit of this route: send less in one request',
    details: { limitBytes: 1_048_576 },
  },
  unsupported_media_type: {
    message: 'Send the body as application/json with Content-Type: application/json',
  },
  query_too_expensive: {
    message:
      'This list or search takes longer than 5 s: use fewer filters, or operators that use an index (equals, startsWith), and omit the total with count=false. The operator can raise the limit with SEARCH_SECONDS_MAX',
    details: { limitSeconds: 5 },
  },
  rate_limit_exceeded: { message: 'Too many requests: try again in 42 s', details: { retryAfter: 42 } },
  report_busy: {
    message: 'Other reports are running: an organization runs one report at a time. Try again shortly',
    details: { retryAfter: 10 },
  },
  internal_error: { message: 'Something went wrong on our side: include the requestId when you report it' },
  unavailable: { message: 'The database does not respond: try again shortly' },
}
