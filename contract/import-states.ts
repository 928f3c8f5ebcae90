// The actions that are allowed in each state of an import. The server and the dashboard share this table.
export const IMPORT_STATES = [
  'uploaded',
  'checking',
  'checked',
  'running',
  'completed',
  'failed',
  'cancelled',
] as const
export type ImportState = (typeof IMPORT_STATES)[number]

export const IMPORT_ACTIONS = {
  check: ['uploaded', 'checked'],
  run: ['checked'],
  cancel: ['checking', 'running'],
  undo: ['completed', 'failed', 'cancelled'],
  delete: ['uploaded', 'checked', 'completed', 'failed', 'cancelled'],
} as const satisfies Record<string, readonly ImportState[]>
export type ImportAction = keyof typeof IMPORT_ACTIONS

export const canImport = (action: ImportAction, state: ImportState): boolean =>
  (IMPORT_ACTIONS[action] as readonly ImportState[]).includes(state)

/** After this number of days, the file, preview and failed rows of an import are removed. */
export const IMPORT_FILE_DAYS = 7
export const IMPORT_COLUMNS_MAX = 500

/** Maximum number and length of options of a select attribute that is created for a column (contract/attributes.ts). */
export const IMPORT_VALUES_MAX = 500
export const IMPORT_VALUE_CHARACTERS_MAX = 200

/** Maximum replaced values of a file, and maximum groups of equal problems that a check stores. */
export const IMPORT_REPLACEMENTS_MAX = 500
export const IMPORT_GROUPS_MAX = 200
export const IMPORT_FIXED_VALUES_MAX = 20

/** Maximum stored names of records that an import creates in addition to its rows. The dashboard shows them. */
export const IMPORT_RELATED_NAMES_MAX = 5

/** Maximum skipped rows that are listed with the matching record. */
export const IMPORT_SKIPS_MAX = 100
/** If every row creates a record, matches are only counted, and only in files of at most this many rows. */
export const IMPORT_MATCHES_COUNTED_MAX = 5000
