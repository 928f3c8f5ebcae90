// The specification's section "Errors", completed by decisions section 4: every code with its one status.
import { type Static, Type } from 'typebox'

/** Errors of the API. */
export const API_ERROR_STATUS = {
  validation_error: 400,
  invalid_parameter: 400,
  invalid_filter: 400,
  unauthorized: 401,
  expired: 401,
  insufficient_scope: 403,
  standard_object: 403,
  not_found: 404,
  method_not_allowed: 405,
  slug_conflict: 409,
  unique_violation: 409,
  workflow_disabled: 409,
  name_taken: 409,
  object_inactive: 409,
  object_referenced: 409,
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

/** Errors that only the dashboard's own requests meet. */
const DASHBOARD_ERROR_STATUS = {
  wrong_credentials: 401,
  insufficient_role: 403,
  foreign_origin: 403,
  option_in_use: 409,
  sign_up_closed: 403,
  email_unverified: 403,
  wrong_user: 403,
  email_taken: 409,
  sign_in_required: 409,
  last_owner: 409,
  already_member: 409,
  already_invited: 409,
  invitation_closed: 409,
  wrong_state: 409,
  endpoint_disabled: 409,
  managed_by_svix: 409,
  limit_reached: 409,
  unreadable_secret: 409,
} as const

/** Errors that only the addresses of files answer. */
const FILE_ERROR_STATUS = {
  invalid_signature: 403,
  upload_expired: 403,
  range_not_satisfiable: 416,
} as const

export const ERROR_STATUS = { ...API_ERROR_STATUS, ...DASHBOARD_ERROR_STATUS, ...FILE_ERROR_STATUS }
export type ErrorCode = keyof typeof ERROR_STATUS

/** One thing wrong with a request: where, a code for programs, a sentence for people. */
export const Problem = Type.Object(
  {
    path: Type.String({ examples: ['data.email'] }),
    code: Type.String({ examples: ['invalid_email'] }),
    message: Type.String({ examples: ['not an e-mail address'] }),
  },
  { additionalProperties: false },
)
export type Problem = Static<typeof Problem>

export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'Code for programs', examples: ['validation_error'] }),
    message: Type.String({ description: 'Sentence for people' }),
    details: Type.Optional(Type.Object({}, { additionalProperties: true })),
    requestId: Type.String(),
  },
  { additionalProperties: false, description: 'Every error has this shape' },
)
export type ErrorBody = Static<typeof ErrorBody>
