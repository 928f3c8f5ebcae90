// The settings of a check, resolved against the current object.

import { mustBeGiven } from '../../contract/default-values.ts'
import type {
  CellFormat,
  DuplicateChoice,
  EmptyCells,
  FixedValue,
  ImportCheck,
  MappedColumn,
  Replacement,
} from '../../contract/imports.ts'
import { invalidField } from '../base/errors.ts'
import { instead, sentName, unknownAttribute } from '../base/suggestions.ts'
import { type Asking, toldNames } from '../base/told-names.ts'
import type { ModelAttribute, ObjectModel } from '../model/attributes/models.ts'
import { matchAttribute } from '../records/bulk/row-checks.ts'
import { rowData } from '../records/import/cells.ts'
import { type Column, importParts, isClash } from '../records/import/columns.ts'
import { PLAIN_FORMAT } from './content.ts'
import { plainCells } from './local-format.ts'
import { cellText, type Replacements, replacedCells, replacementsOf } from './replacements.ts'

/** The settings as stored with the import. */
export interface ImportSettings {
  mapping: MappedColumn[]
  matchOn: string | null
  format: CellFormat
  /** Imports of earlier versions have none of the fields from here on. */
  duplicates?: DuplicateChoice | null
  /** Id of the last record from before the import, if rows are compared with records. */
  until?: string
  empty?: EmptyCells
  fixedValues?: FixedValue[]
  replacements?: Replacement[]
}

export const importSettings = ({
  mapping,
  matchOn,
  duplicates,
  format,
  empty,
  fixedValues = [],
  replacements = [],
}: ImportCheck): ImportSettings => ({
  mapping,
  matchOn: matchOn ?? null,
  duplicates: duplicates ?? null,
  format: format ?? PLAIN_FORMAT,
  empty: empty ?? 'keep',
  fixedValues,
  replacements: replacements.map((one) => ({ ...one, value: cellText(one.value) })),
})

export interface TableRow {
  id?: string
  data: Record<string, unknown>
  /** The cells as in the file. */
  cells: readonly string[]
}

export interface ImportPlan {
  model: ObjectModel
  /** The columns of the file, then one for each fixed value. */
  columns: Column[]
  /** The fixed values: the cells of every row after the columns of the file. */
  fixed: readonly string[]
  /** Index of the column with record ids; undefined if rows are not matched on it. */
  idIndex: number | undefined
  /** The options of the bulk write. */
  how: { mode: 'create' | 'upsert'; matchOn?: string }
  /** The unique attribute that rows are matched on. */
  matched: ModelAttribute | undefined
  /** What happens to rows that match a record; null: only the bulk write decides. */
  duplicates: DuplicateChoice | null
  format: CellFormat
  empty: EmptyCells
  replacements: Replacements
}

const at = (place: number, field: string) => `mapping[${place}].${field}`

/** Refuses references to the imported object: another row may create the same record, which would then exist twice. */
function refuseCreation(model: ObjectModel, { config, slug }: ModelAttribute, place: number): void {
  const target = config && 'allowed_object_id' in config ? config.allowed_object_id : undefined
  if (target !== undefined && target !== model.id) return
  const message =
    target === undefined
      ? `must be fail or skip: ${slug} is not a reference, and only records can be created`
      : `must be fail or skip: ${slug} refers to ${model.slug}, which the rows of the file create`
  throw invalidField(at(place, 'onProblem'), 'not_allowed', message)
}

interface Mapped {
  mapped: MappedColumn
  place: number
  asking: Asking
}

function columnOf(model: ObjectModel, headers: readonly string[], { mapped, place, asking }: Mapped): Column {
  const { index, attributeSlug, part, onProblem = 'fail' } = mapped
  const header = headers[index]
  if (header === undefined)
    throw invalidField(
      at(place, 'index'),
      'unknown_column',
      `must be at most ${headers.length - 1}: the file has ${headers.length} columns, counted from 0`,
    )
  const attribute = model.attributes.get(attributeSlug)
  if (!attribute)
    throw invalidField(
      at(place, 'attributeSlug'),
      'unknown_attribute',
      unknownAttribute(model.slug, attributeSlug, toldNames(asking, 'attributes', model.attributes.keys())),
    )
  if (part !== undefined && attribute.type !== 'reference' && !importParts(attribute).includes(part))
    throw invalidField(
      at(place, 'part'),
      'unknown_part',
      `${attributeSlug} has no part ${sentName(part)} that a column can fill: ${instead(part, importParts(attribute))}`,
    )
  if (onProblem === 'create') refuseCreation(model, attribute, place)
  return { index, header, attribute, part, onProblem }
}

/** The fixed values as columns after those of the file. */
const fixedColumns = (
  model: ObjectModel,
  headers: readonly string[],
  { fixedValues = [] }: Pick<ImportSettings, 'fixedValues'>,
  asking: Asking,
): Column[] =>
  fixedValues.map(({ attributeSlug }, place) => {
    const attribute = model.attributes.get(attributeSlug)
    if (!attribute)
      throw invalidField(
        `fixedValues[${place}].attributeSlug`,
        'unknown_attribute',
        unknownAttribute(model.slug, attributeSlug, toldNames(asking, 'attributes', model.attributes.keys())),
      )
    return { index: headers.length + place, header: attribute.name, attribute, part: undefined }
  })

/** Two columns can only fill one attribute if they fill different parts of its value. @param width of the file */
function refuseClashes(columns: readonly Column[], width: number): void {
  for (const [place, column] of columns.entries()) {
    const other = columns.slice(0, place).find((one) => one.index === column.index || isClash(one, column))
    if (!other) continue
    const message =
      other.index === column.index
        ? `the column "${column.header}" is mapped twice: leave one out`
        : `both "${other.header}" and "${column.header}" fill ${column.attribute.slug}: leave one out`
    const path = column.index < width ? `mapping[${place}]` : `fixedValues[${column.index - width}]`
    throw invalidField(path, 'duplicate_column', message)
  }
}

function requireMatched(columns: readonly Column[], matched: ModelAttribute): void {
  if (columns.some(({ attribute }) => attribute === matched)) return
  throw invalidField(
    'matchOn',
    'unknown_column',
    `no column fills ${matched.slug}, which rows are matched on: map one to it`,
  )
}

function requireRequired(model: ObjectModel, columns: readonly Column[]): void {
  const filled = new Set(columns.map(({ attribute }) => attribute))
  const missing = [...model.attributes.values()].find((one) => mustBeGiven(one) && !filled.has(one))
  if (!missing) return
  const message = `no column fills ${missing.slug}, which every record of ${model.slug} must have: map one to it`
  throw invalidField('mapping', 'required', message)
}

/** Index of the column that is mapped to `id`. */
function idColumn(headers: readonly string[], { mapping, matchOn }: ImportSettings): number | undefined {
  const ids = mapping.filter(({ attributeSlug }) => attributeSlug === 'id')
  if (matchOn !== 'id') {
    if (ids.length === 0) return undefined
    throw invalidField(
      'mapping',
      'not_matched',
      'a column can fill id only when rows are matched on it: send matchOn id',
    )
  }
  const [column, another] = ids
  if (column && !another && column.index < headers.length) return column.index
  throw invalidField(
    'matchOn',
    'unknown_column',
    'exactly one column must hold the id that rows are matched on: map one to id',
  )
}

/** @throws 400 validation_error */
export function refuseMatching(
  matchOn: string | null | undefined,
  duplicates: DuplicateChoice | null | undefined,
): void {
  if (duplicates !== 'create' || matchOn == null) return
  throw invalidField(
    'matchOn',
    'not_allowed',
    'must be null where every row creates a record: leave it out, or send duplicates update or skip',
  )
}

/** With `skip`, matching rows are not written. All others create records, unless rows are matched on ids. */
export function howOf(
  matchOn: string | null | undefined,
  duplicates: DuplicateChoice | null | undefined,
): ImportPlan['how'] {
  if (matchOn === 'id') return { mode: 'upsert' }
  if (duplicates === 'update') return { mode: 'upsert', ...(matchOn != null && { matchOn }) }
  return matchOn == null || duplicates === 'skip' ? { mode: 'create' } : { mode: 'upsert', matchOn }
}

/** @throws 400 validation_error naming what the object or the file does not have */
export function planOf(
  model: ObjectModel,
  headers: readonly string[],
  settings: ImportSettings,
  asking: Asking,
): ImportPlan {
  const { mapping, matchOn, duplicates = null, format, empty = 'keep' } = settings
  refuseMatching(matchOn, duplicates)
  const idIndex = idColumn(headers, settings)
  const columns = [
    ...mapping.flatMap((mapped, place) =>
      mapped.attributeSlug === 'id' ? [] : columnOf(model, headers, { mapped, place, asking }),
    ),
    ...fixedColumns(model, headers, settings, asking),
  ]
  const fixed = (settings.fixedValues ?? []).map(({ value }) => value)
  refuseClashes(columns, headers.length)
  const isById = matchOn === null || matchOn === 'id'
  const matched = isById ? undefined : matchAttribute(model, { mode: 'upsert', matchOn })
  if (matched) requireMatched(columns, matched)
  if (matchOn === null && duplicates !== 'update') requireRequired(model, columns)
  return {
    model,
    columns,
    fixed,
    idIndex,
    how: howOf(matchOn, duplicates),
    matched,
    duplicates,
    format,
    empty,
    replacements: replacementsOf(settings),
  }
}

/** How the cells of a row are read. */
export type CellPlan = Pick<
  ImportPlan,
  'columns' | 'fixed' | 'idIndex' | 'matched' | 'format' | 'empty' | 'replacements'
>

/** One row of the bulk write, with the cells of the file. */
export function inputOf(
  { columns, fixed, idIndex, format, empty, replacements }: CellPlan,
  fileCells: readonly string[],
): TableRow {
  const cells = [...replacedCells(replacements, fileCells), ...fixed]
  const id = idIndex === undefined ? '' : (cells[idIndex] ?? '').trim()
  const data = rowData(columns, plainCells(cells, columns, format), empty)
  return { ...(id !== '' && { id }), data, cells: fileCells }
}
