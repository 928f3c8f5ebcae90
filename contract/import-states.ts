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
  delete: ['uploaded', 'checked', 'completed', 'failed', 'cancelled'],
} as const satisfies Record<string, readonly ImportState[]>
export type ImportAction = keyof typeof IMPORT_ACTIONS

export const canImport = (action: ImportAction, state: ImportState): boolean =>
  (IMPORT_ACTIONS[action] as readonly ImportState[]).includes(state)

/** After that many days the file, its preview and the failed rows of an import are removed. */
export const IMPORT_FILE_DAYS = 7
export const IMPORT_COLUMNS_MAX = 500
