// Patterns of texts that must hold more than blanks.

/** Trimmed before it is stored. */
export const NOT_BLANK = '\\S'
/** The same of a text that is stored as it was sent: only names and titles are trimmed. */
export const NOT_BLANK_AS_SENT = '^[^]*\\S'
