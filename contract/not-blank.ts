// Patterns for texts that must not be blank.

/** For texts that are trimmed before they are stored. */
export const NOT_BLANK = '\\S'
/** For texts that are stored unchanged. Only names and titles are trimmed. */
export const NOT_BLANK_AS_SENT = '^[^]*\\S'
