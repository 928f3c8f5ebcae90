// The layers within server/records/, which boundaries.test.ts enforces.

/**
 * Folders of records from the lowest to the highest, each with the folders that it may use: values and filters, then
 * stored rows and the query engine, then reads, then writes.
 */
export const RECORDS: Readonly<Record<string, readonly string[]>> = {
  values: [],
  types: ['values'],
  validation: ['values', 'types'],
  filters: ['values', 'types', 'validation'],
  rows: ['values', 'filters'],
  engine: ['values', 'filters', 'rows'],
  names: ['filters', 'rows'],
  expansion: ['validation', 'rows'],
  read: ['filters', 'rows', 'engine', 'expansion'],
  groups: ['filters', 'rows', 'engine'],
  history: ['rows', 'read'],
  import: ['types'],
  export: ['values', 'types', 'validation', 'filters', 'rows', 'engine', 'names', 'expansion', 'import'],
  write: ['values', 'types', 'validation', 'rows', 'engine', 'read'],
  bulk: ['values', 'validation', 'rows', 'engine', 'read', 'write'],
  'by-value': ['validation', 'rows', 'expansion', 'read', 'write', 'bulk'],
  trash: ['values', 'types', 'validation', 'rows', 'engine', 'read', 'write'],
  merge: ['values', 'validation', 'rows', 'engine', 'read', 'write', 'trash'],
  undo: ['validation', 'rows', 'read', 'write', 'trash'],
  rewrites: ['validation', 'rows', 'engine', 'write'],
}

/** Folders of the query engine. Files directly in it use all of them, and none uses such a file. */
export const ENGINE: Readonly<Record<string, readonly string[]>> = {
  plan: [],
  index: [],
  sql: ['plan', 'index'],
  maintenance: ['index'],
}

/** @returns undefined for files directly in server/records/engine/ */
export const engineFolderOf = (file: string): string | undefined =>
  /^server\/records\/engine\/([^/]+)\//.exec(file)?.[1]

/** @returns undefined for files directly in server/records/, which combine the folders */
export const recordsFolderOf = (file: string): string | undefined =>
  /^server\/records\/([^/]+)\//.exec(file)?.[1]
