// The specification's section "Limits", completed by decisions sections 1, 2, 3 and 5.
export const RATE_WINDOW_SECONDS = 60
export const PAGE_LIMIT_MAX = 100
export const PAGE_LIMIT_DEFAULT = 50
/** Runs of reports and workflows. */
export const RUNS_PER_PAGE = 20
export const BULK_MAX = 100
export const ATTRIBUTES_PER_OBJECT_MAX = 200
export const FILTERS_MAX = 20
/** What one search sorts by. */
export const SORTS_MAX = 3
export const FILTER_DEPTH_MAX = 5
/** Characters of a free-text search. */
export const SEARCH_TEXT_MAX = 200
export const RECORD_BYTES_MAX = 256 * 1024
/** Of an attribute, as JSON: every list of attributes has it. */
export const DEFAULT_VALUE_BYTES_MAX = 10_000
export const BODY_BYTES_MAX = 1024 * 1024
/** Of a request before there is a session or a key. */
export const ENTRANCE_BODY_BYTES_MAX = 16 * 1024
export const BULK_BODY_BYTES_MAX = 8 * 1024 * 1024
/** Paths of references that a read follows. */
export const EXPAND_MAX = 10
/** Records and members that one response expands. */
export const EXPANDED_MAX = 1000
export const NUMBER_DIGITS_MAX = 30
export const ACTIVITY_LINKS_MAX = 100
export const RECORD_SET_MAX = 10_000
/** More groups than a person reads; references may have as many as there are records. */
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
/** Activities whose files one request lists: each may have ATTACHMENTS_MAX of them. */
export const ACTIVITIES_MAX = 50

/** Characters of a comment. */
export const COMMENT_TEXT_MAX = 10_000
/** Members that one comment mentions. */
export const MENTIONS_MAX = 50

/** Days without a change after which an object may give up its records: a hundred years. */
export const RETENTION_DAYS_MAX = 36_500

/** Days for which an organization may keep deleted records. */
export const TRASH_DAYS_MAX = 365

/** Records that one merge takes into another. */
export const LOSERS_MAX = 19

/** For so long after a change its earlier values can be restored. */
export const UNDO_HOURS = 24
/** For so long undo jobs are kept. */
export const UNDO_JOB_DAYS = 7

/** For so long jobs are kept, with their files and results. */
export const JOB_DAYS = 7
/** A file that is not complete by then will not be. */
export const JOB_UPLOAD_HOURS = 24
export const JOB_LINE_BYTES_MAX = 1024 * 1024
