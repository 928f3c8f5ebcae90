// Imports of CSV files in the dashboard: upload, mapping, check and run.
import { type Static, Type } from 'typebox'
import { AttributeType } from './attributes.ts'
import { Deleted, literals, Nullable, StrictObject, Timestamp, Uuid } from './common.ts'
import {
  IMPORT_COLUMNS_MAX,
  IMPORT_FIXED_VALUES_MAX,
  IMPORT_GROUPS_MAX,
  IMPORT_MATCHES_COUNTED_MAX,
  IMPORT_RELATED_NAMES_MAX,
  IMPORT_REPLACEMENTS_MAX,
  IMPORT_SKIPS_MAX,
  IMPORT_STATES,
  IMPORT_VALUE_CHARACTERS_MAX,
  IMPORT_VALUES_MAX,
} from './import-states.ts'
import { NOT_BLANK } from './not-blank.ts'
import type { DashboardRoutes } from './route.ts'
import { UndoneBatch } from './undo.ts'

export const DATE_ORDERS = ['ymd', 'dmy', 'mdy'] as const
export const DECIMAL_SIGNS = ['.', ','] as const
export const EMPTY_CELLS = ['keep', 'clear'] as const

/** The format of dates and numbers in the file. Dates such as 2026-11-20 are always recognized. */
export const CellFormat = StrictObject({
  dates: literals(DATE_ORDERS),
  decimal: literals(DECIMAL_SIGNS),
})
export type CellFormat = Static<typeof CellFormat>

/** The effect of an empty cell on the value of an updated record. */
const EmptyCells = literals(EMPTY_CELLS)
export type EmptyCells = Static<typeof EmptyCells>

/** How a row that matches a record is handled. */
export const DUPLICATE_CHOICES = ['skip', 'update', 'create'] as const
const DuplicateChoice = literals(DUPLICATE_CHOICES, {
  description:
    'How to handle a row that matches a record from before the import, by a unique value, else by the active duplicate rules of the object. skip: the row is skipped, and the record is not changed. update: the row updates the record. create: the row creates another record. With skip and update, a row that matches several records fails',
})
export type DuplicateChoice = Static<typeof DuplicateChoice>

/** How a row with an invalid cell in the column is handled. */
const OnProblem = literals(['fail', 'skip', 'create'])
export type OnProblem = Static<typeof OnProblem>

export const MappedColumn = StrictObject({
  index: Type.Integer({
    minimum: 0,
    maximum: IMPORT_COLUMNS_MAX - 1,
    description: 'Index of the column, from 0',
  }),
  attributeSlug: Type.String({
    maxLength: 63,
    description: 'Slug of the attribute that the column fills, or `id`',
  }),
  part: Type.Optional(
    Type.String({
      maxLength: 63,
      description:
        'Part of the value, such as firstName, city or amount; for a reference, the unique attribute whose values identify the records, such as domain',
    }),
  ),
  onProblem: Type.Optional(OnProblem),
})
export type MappedColumn = Static<typeof MappedColumn>

export const Replacement = StrictObject({
  index: Type.Integer({
    minimum: 0,
    maximum: IMPORT_COLUMNS_MAX - 1,
    description: 'Index of a mapped column, from 0',
  }),
  value: Type.String({
    maxLength: IMPORT_VALUE_CHARACTERS_MAX,
    description: 'The text of the cells, without surrounding spaces',
  }),
  with: Nullable(
    Type.String({
      maxLength: IMPORT_VALUE_CHARACTERS_MAX,
      description: 'The replacement in every row; null: the cell counts as empty',
    }),
  ),
})
export type Replacement = Static<typeof Replacement>

export const FixedValue = StrictObject(
  {
    attributeSlug: Type.String({ maxLength: 63, description: 'Slug of an attribute that no column fills' }),
    value: Type.String({
      minLength: 1,
      maxLength: IMPORT_VALUE_CHARACTERS_MAX,
      description: 'The value in the same format as a cell of the file',
    }),
  },
  { description: 'A value that every row gets, such as one owner for all' },
)
export type FixedValue = Static<typeof FixedValue>

export const ImportCheck = StrictObject({
  mapping: Type.Array(MappedColumn, { minItems: 1, maxItems: IMPORT_COLUMNS_MAX }),
  matchOn: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 63,
        description:
          '`id` or the slug of a unique attribute: rows that match a record update it; null: every row is new',
      }),
    ),
  ),
  duplicates: Type.Optional(
    Nullable(DuplicateChoice, {
      description:
        'null: only `matchOn` decides. With create, `matchOn` is null. With skip, the first skipped rows are listed in `skippedRows`',
    }),
  ),
  format: Type.Optional(CellFormat),
  empty: Type.Optional(EmptyCells),
  fixedValues: Type.Optional(Type.Array(FixedValue, { maxItems: IMPORT_FIXED_VALUES_MAX })),
  replacements: Type.Optional(
    Type.Array(Replacement, {
      maxItems: IMPORT_REPLACEMENTS_MAX,
      description: 'Cell values to replace before parsing',
    }),
  ),
})
export type ImportCheck = Static<typeof ImportCheck>

const ColumnGuess = StrictObject(
  {
    index: Type.Integer(),
    attributeSlug: Nullable(Type.String()),
    part: Type.Optional(Type.String()),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    newAttribute: Nullable(StrictObject({ name: Type.String(), type: AttributeType })),
  },
  { description: 'Suggested attribute for a column; if none fits, an attribute to create' },
)
export type ColumnGuess = Static<typeof ColumnGuess>

export const ImportGuess = StrictObject({
  columns: Type.Array(ColumnGuess),
  matchOn: Nullable(Type.String()),
  format: CellFormat,
})
export type ImportGuess = Static<typeof ImportGuess>

export const ImportColumn = StrictObject({
  index: Type.Integer(),
  header: Type.String(),
  samples: Type.Array(Type.String(), { description: 'The first unique values, without empty ones' }),
})
export type ImportColumn = Static<typeof ImportColumn>

/** GET /imports/:importId/columns/:index/values */
export const ColumnValues = StrictObject({
  values: Type.Array(Type.String(), {
    maxItems: IMPORT_VALUES_MAX,
    description: 'The unique values of all rows in the order of the file, without empty ones',
  }),
  isComplete: Type.Boolean({
    description: `false: there are more than ${IMPORT_VALUES_MAX}, or one has more than ${IMPORT_VALUE_CHARACTERS_MAX} characters`,
  }),
})
export type ColumnValues = Static<typeof ColumnValues>

export const ImportProblem = StrictObject({
  line: Type.Integer({ description: 'Line of the file where the row starts; the header is on line 1' }),
  column: Nullable(Type.String({ description: 'Header of the column with the problem' })),
  value: Type.Optional(
    Type.String({ description: 'Value in that column, up to 200 characters; absent without a column' }),
  ),
  message: Type.String(),
})
export type ImportProblem = Static<typeof ImportProblem>

export const ImportProblemGroup = StrictObject(
  {
    column: Nullable(Type.String({ description: 'Header of the column with the problem' })),
    index: Nullable(
      Type.Integer({ description: 'Index of that column; null if its value cannot be replaced' }),
    ),
    value: Type.Optional(Type.String({ description: 'Value in that column, up to 200 characters' })),
    code: Type.String(),
    message: Type.String({ description: 'Message of the first row' }),
    isSkipped: Type.Boolean({ description: 'true: only these cells are skipped, and the rows are imported' }),
    rows: Type.Integer({ description: 'Number of rows with this problem' }),
    lines: Type.Array(Type.Integer(), { description: 'Lines where the first 3 of these rows start' }),
  },
  { description: 'Rows with the same value in one column and the same problem' },
)
export type ImportProblemGroup = Static<typeof ImportProblemGroup>

export const RelatedRecords = StrictObject(
  {
    objectId: Uuid,
    created: Type.Integer(),
    names: Type.Array(Type.String(), { description: `The first ${IMPORT_RELATED_NAMES_MAX}` }),
  },
  { description: 'Records of another object that are created because cells refer to them' },
)
export type RelatedRecords = Static<typeof RelatedRecords>

export const CheckResult = StrictObject({
  creates: Type.Integer(),
  updates: Type.Integer(),
  errors: Type.Integer({ description: 'Rows that would fail' }),
  skips: Type.Integer({ description: 'Rows that would be skipped because they match a record' }),
  matches: Nullable(Type.Integer(), {
    description: `Rows that match a record; null: not counted, because \`duplicates\` is null, or is create with more than ${IMPORT_MATCHES_COUNTED_MAX} rows`,
  }),
  related: Type.Array(RelatedRecords),
  problems: Type.Array(ImportProblem, { description: 'The first 100' }),
  groups: Type.Array(ImportProblemGroup, {
    description: `The problems of all rows, grouped: the first ${IMPORT_GROUPS_MAX} groups`,
  }),
  more: Type.Integer({ description: 'Number of problems that are not in these groups' }),
})
export type CheckResult = Static<typeof CheckResult>

export const SkippedRow = StrictObject(
  { line: Type.Integer({ description: 'Line of the file where the row starts' }), recordId: Uuid },
  { description: 'A skipped row, and the record that it matches' },
)
export type SkippedRow = Static<typeof SkippedRow>

const summaryFields = {
  id: Uuid,
  objectId: Uuid,
  fileName: Type.String(),
  state: literals(IMPORT_STATES),
  bytes: Type.Integer(),
  rows: Type.Integer({ description: 'Rows of data' }),
  progress: StrictObject({
    rows: Type.Integer({ description: 'Rows that the check or the run has processed' }),
    created: Type.Integer(),
    updated: Type.Integer(),
    failed: Type.Integer(),
    skipped: Type.Integer({ description: 'Rows that were skipped because they match a record' }),
    rowsPerSecond: Nullable(Type.Number()),
  }),
  related: Type.Array(RelatedRecords),
  undo: literals(['none', 'possible', 'undone']),
  error: Nullable(
    Type.String({ description: 'Why the run or the check failed. A failed check can be repeated' }),
  ),
  createdBy: StrictObject({ id: Uuid, name: Type.String(), email: Type.String() }),
  createdAt: Timestamp,
  startedAt: Nullable(Timestamp),
  finishedAt: Nullable(Timestamp),
  hasFile: Type.Boolean({ description: 'false: the file, the preview and the failed rows were removed' }),
}

export const ImportSummary = StrictObject(summaryFields)
export type ImportSummary = Static<typeof ImportSummary>

export const Import = StrictObject({
  ...summaryFields,
  encoding: Type.String(),
  delimiter: Type.String(),
  columns: Type.Array(ImportColumn),
  preview: Type.Array(Type.Array(Type.String()), { description: 'The first 20 rows' }),
  guess: ImportGuess,
  mapping: Nullable(Type.Array(MappedColumn)),
  matchOn: Nullable(Type.String()),
  duplicates: Nullable(DuplicateChoice),
  format: Nullable(CellFormat),
  empty: Nullable(EmptyCells),
  fixedValues: Type.Array(FixedValue),
  replacements: Type.Array(Replacement),
  skippedRows: Type.Array(SkippedRow, { description: `The first ${IMPORT_SKIPS_MAX}` }),
  check: Nullable(CheckResult),
})
export type Import = Static<typeof Import>

export const ImportList = StrictObject({
  imports: Type.Array(ImportSummary),
  maxBytes: Type.Integer({ description: 'Maximum size of a file' }),
})
export type ImportList = Static<typeof ImportList>

const ColumnParams = Type.Object({
  importId: Type.String(),
  index: Type.String({ pattern: '^\\d{1,4}$', description: 'Index of the column, from 0' }),
})
const UploadQuery = StrictObject({
  fileName: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: NOT_BLANK })),
})
const ContinueQuery = StrictObject({
  offset: Type.String({
    pattern: '^\\d{1,15}$',
    description: 'Bytes of the file before the body, which has the rest of the file',
    examples: ['0'],
  }),
})

export const ImportUpload = StrictObject({
  importId: Uuid,
  offset: Type.Integer({ description: 'Bytes received: the rest of the file starts at this offset' }),
  isComplete: Type.Boolean({ description: 'Whether the file is read, so that the import can be opened' }),
})
export type ImportUpload = Static<typeof ImportUpload>

export const importRoutes = {
  uploadImport: {
    at: 'POST /objects/:objectId/imports',
    scope: 'records:write',
    query: UploadQuery,
    response: { 201: Import },
  },
  beginImportUpload: {
    at: 'POST /objects/:objectId/import-uploads',
    scope: 'records:write',
    query: UploadQuery,
    response: { 201: ImportUpload },
  },
  getImportUpload: {
    at: 'GET /imports/:importId/upload',
    scope: 'records:write',
    response: { 200: ImportUpload },
  },
  continueImportUpload: {
    at: 'PUT /imports/:importId/upload',
    scope: 'records:write',
    query: ContinueQuery,
    response: { 200: Import },
  },
  listImports: {
    at: 'GET /objects/:objectId/imports',
    scope: 'records:write',
    response: { 200: ImportList },
  },
  getImport: { at: 'GET /imports/:importId', scope: 'records:write', response: { 200: Import } },
  listColumnValues: {
    at: 'GET /imports/:importId/columns/:index/values',
    scope: 'records:write',
    params: ColumnParams,
    response: { 200: ColumnValues },
  },
  checkImport: {
    at: 'POST /imports/:importId/check',
    scope: 'records:write',
    body: ImportCheck,
    response: { 200: Import },
  },
  runImport: {
    at: 'POST /imports/:importId/run',
    scope: 'records:write',
    response: { 200: Import },
  },
  cancelImport: {
    at: 'POST /imports/:importId/cancel',
    scope: 'records:write',
    response: { 200: Import },
  },
  undoImport: {
    at: 'POST /imports/:importId/undo',
    scope: 'records:write',
    response: { 200: UndoneBatch },
  },
  downloadFailedRows: { at: 'GET /imports/:importId/failed.csv', scope: 'records:write' },
  deleteImport: {
    at: 'DELETE /imports/:importId',
    worksOnFullDisk: true,
    scope: 'records:write',
    response: { 200: Deleted },
  },
} satisfies DashboardRoutes
