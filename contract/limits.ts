// The specification's section "Limits", completed by decisions sections 1, 2, 3 and 5.
export const RATE_WINDOW_SECONDS = 60
export const PAGE_LIMIT_MAX = 100
export const PAGE_LIMIT_DEFAULT = 50
/** Runs of reports and workflows per page. */
export const RUNS_PER_PAGE = 20
export const BULK_MAX = 100
export const ATTRIBUTES_PER_OBJECT_MAX = 200
export const FILTERS_MAX = 20
export const SORTS_MAX = 3
export const FILTER_DEPTH_MAX = 5
/** Maximum characters of a free-text search. */
export const SEARCH_TEXT_MAX = 200
export const RECORD_BYTES_MAX = 256 * 1024
/** Default value of an attribute, as JSON. It is small, because every list of attributes contains it. */
export const DEFAULT_VALUE_BYTES_MAX = 10_000
export const BODY_BYTES_MAX = 1024 * 1024
/** Body of a request without a session or API key. */
export const ENTRANCE_BODY_BYTES_MAX = 16 * 1024
export const BULK_BODY_BYTES_MAX = 8 * 1024 * 1024
/** Maximum reference paths that a read expands. */
export const EXPAND_MAX = 10
/** Maximum records and members that one response expands. */
export const EXPANDED_MAX = 1000
export const NUMBER_DIGITS_MAX = 30
export const ACTIVITY_LINKS_MAX = 100
export const RECORD_SET_MAX = 10_000
/** Maximum groups of a response. Groups by a reference can be as many as the records. */
export const GROUPS_MAX = 1000
export const VIEWS_PER_USER_MAX = 200
export const IDEMPOTENCY_HOURS = 24
export const UPLOAD_URL_HOURS = 2
export const FILE_PATH_BYTES_MAX = 1024
export const CONTENT_TYPE_MAX = 255
export const REQUEST_ID_MAX = 128
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 128
export const NAME_MAX = 200
export const EMAIL_MAX = 254
export const INVITATION_DAYS = 7
export const INVITATION_MAILS_PER_DAY = 100

export const ATTACHMENTS_MAX = 200
export const ATTACHMENT_NAME_MAX = 255
/** Maximum activities whose files one request lists; each has up to ATTACHMENTS_MAX files. */
export const ACTIVITIES_MAX = 50

/** Maximum characters of a comment. */
export const COMMENT_TEXT_MAX = 10_000
/** Maximum members that one comment mentions. */
export const MENTIONS_MAX = 50

/** Maximum retention time of unchanged records: a hundred years. */
export const RETENTION_DAYS_MAX = 36_500

/** Maximum days for which an organization can keep deleted records. */
export const TRASH_DAYS_MAX = 365

/** Maximum records that one request merges into another record. */
export const LOSERS_MAX = 19

/** How long the earlier values of a change can be restored. */
export const UNDO_HOURS = 24
/** How long undo jobs are kept. */
export const UNDO_JOB_DAYS = 7

/** How long jobs are kept, with their files and results. */
export const JOB_DAYS = 7
/** Jobs whose file is still incomplete after this time are deleted. */
export const JOB_UPLOAD_HOURS = 24
export const JOB_LINE_BYTES_MAX = 1024 * 1024
