// What can be done with an import, by its state: one table for the server and the dashboard.
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

/** After that many days the file, its preview and the failed rows of an import are removed. */
export const IMPORT_FILE_DAYS = 7
export const IMPORT_COLUMNS_MAX = 500

/** How many options a select that is made for a column can have, and how long each may be (contract/attributes.ts). */
export const IMPORT_VALUES_MAX = 500
export const IMPORT_VALUE_CHARACTERS_MAX = 200

/** How many values of a file may be replaced by others, and how many groups of equal problems a check keeps. */
export const IMPORT_REPLACEMENTS_MAX = 500
export const IMPORT_GROUPS_MAX = 200
export const IMPORT_FIXED_VALUES_MAX = 20

/** How many names of records that an import creates in addition to its rows are kept to be shown. */
export const IMPORT_RELATED_NAMES_MAX = 5

/** How many rows that are left out are listed with the record that they match. */
export const IMPORT_SKIPS_MAX = 100
/** Where every row creates a record, matches are looked for in files of that many rows at most: only to be counted. */
export const IMPORT_MATCHES_COUNTED_MAX = 5000
