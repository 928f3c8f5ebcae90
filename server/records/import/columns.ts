// Finds the attribute that each column of a table fills.

import { TYPE_CONTRACTS } from '../../../contract/attribute-types.ts'
import { mustBeGiven } from '../../../contract/default-values.ts'
import type { OnProblem } from '../../../contract/imports.ts'
import { inNfc, singleLine } from '../../../contract/single-line.ts'
import { invalidField } from '../../base/errors.ts'
import { instead, listed, unknownAttribute } from '../../base/suggestions.ts'
import { allNames } from '../../base/told-names.ts'
import type { ModelAttribute, ObjectModel } from '../../model/attributes/models.ts'
import { identifies, uniqueAttributes } from '../../model/attributes/unique-attributes.ts'
import { slugFrom } from '../../model/objects/slugs.ts'

/**
 * Columns of an export besides the attributes. `id` is only used if rows are matched on it; the service sets the
 * times.
 */
const OWN_COLUMNS: readonly string[] = ['id', 'createdAt', 'updatedAt']

export interface Column {
  /** Index in the row, from 0. */
  index: number
  header: string
  attribute: ModelAttribute
  /**
   * Set if the column holds one part of the value. For a reference, the slug of an attribute of the referenced object,
   * by whose values the cells name records.
   */
  part: string | undefined
  /** How to handle a row whose cell is invalid; by default the row fails. */
  onProblem?: OnProblem | undefined
}

export interface Mapping {
  /** All headers, as they are in the table. */
  headers: readonly string[]
  columns: readonly Column[]
  /** Index of the id column; undefined if records are not matched on their id. */
  idIndex: number | undefined
  /** Headers of unused columns. */
  skipped: readonly string[]
}

export interface MappingOptions {
  /** Header → slug or slug.part. Other headers are guessed. */
  map?: ReadonlyMap<string, string>
  /** `id`, or the slug of a unique attribute. */
  matchOn?: string | undefined
  /** With `update`, rows may match records even without matchOn. */
  duplicates?: string | undefined
  /**
   * The attributes that cells may name records by, by the slug of the reference, so that a header such as
   * `company.notes` is left out. Without them it is guessed like `company.domain`.
   */
  referred?: ReadonlyMap<string, readonly Pick<ModelAttribute, 'slug'>[]>
}

type Target = Pick<Column, 'attribute' | 'part'>

const plain = (text: string) =>
  inNfc(text)
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]/gu, '')

export const importParts = ({ type, isList }: Pick<ModelAttribute, 'type' | 'isList'>): readonly string[] =>
  isList ? [] : (TYPE_CONTRACTS[type].parts ?? [])

function findAttribute(model: ObjectModel, text: string): ModelAttribute | undefined {
  const slug = slugFrom(text)
  const wanted = singleLine(text).toLowerCase()
  const named = (name: string) => singleLine(name).toLowerCase() === wanted
  return (
    model.attributes.get(text) ??
    (slug === undefined ? undefined : model.attributes.get(slug)) ??
    [...model.attributes.values()].find(({ name }) => named(name))
  )
}

/** Finds `address.city` or `Address.City`. */
function findPart(model: ObjectModel, text: string): Target | undefined {
  const dot = text.lastIndexOf('.')
  const attribute = dot > 0 ? findAttribute(model, text.slice(0, dot)) : undefined
  const part = attribute && importParts(attribute).find((one) => plain(one) === plain(text.slice(dot + 1)))
  return attribute && part ? { attribute, part } : undefined
}

/** Files often have first and last name in two columns. */
function findNamePart(model: ObjectModel, text: string): Target | undefined {
  const part = TYPE_CONTRACTS.name.parts?.find((one) => plain(one) === plain(text))
  const [attribute, another] = [...model.attributes.values()].filter(
    ({ type, isList }) => type === 'name' && !isList,
  )
  return part && attribute && !another ? { attribute, part } : undefined
}

/** Finds `company.domain`. imports/reference-columns.ts checks that the referenced object has such an attribute. */
function findReferred(model: ObjectModel, text: string): Target | undefined {
  const dot = text.indexOf('.')
  const attribute = dot > 0 ? model.attributes.get(text.slice(0, dot)) : undefined
  return attribute?.type === 'reference' ? { attribute, part: text.slice(dot + 1) } : undefined
}

function guess(model: ObjectModel, header: string): Target | undefined {
  const text = singleLine(header)
  if (text === '' || OWN_COLUMNS.includes(text)) return undefined
  const attribute = findAttribute(model, text)
  return attribute ? { attribute, part: undefined } : (findPart(model, text) ?? findNamePart(model, text))
}

/** Guesses `company.domain`, unless another column fills the reference. */
function guessReferred(
  model: ObjectModel,
  { headers, header, columns }: Pick<Mapping, 'headers' | 'columns'> & { header: string },
  { map = new Map(), referred }: MappingOptions,
): Target | undefined {
  const found = findReferred(model, singleLine(header))
  if (!found) return undefined
  const { attribute, part } = found
  const known = referred && (referred.get(attribute.slug) ?? [])
  const isFilled =
    columns.some((column) => column.attribute === attribute) ||
    [...map.values()].some((target) => target.split('.', 1)[0] === attribute.slug) ||
    headers.some((other) => findAttribute(model, singleLine(other)) === attribute)
  return isFilled || (known && !known.some(({ slug }) => slug === part)) ? undefined : found
}

function named(model: ObjectModel, header: string, target: string): Target {
  const attribute = model.attributes.get(target)
  if (attribute) return { attribute, part: undefined }
  const part = findPart(model, target) ?? findReferred(model, target)
  if (part) return part
  throw invalidField(
    `map.${header}`,
    'unknown_attribute',
    unknownAttribute(model.slug, target, allNames(model.attributes.keys())),
  )
}

const nameOf = ({ attribute, part }: Target) =>
  part === undefined ? attribute.slug : `${attribute.slug}.${part}`

/** Two columns clash if both give the same attribute or part a value. A reference can have only one column. */
export const isClash = (a: Target, b: Target): boolean =>
  a.attribute === b.attribute &&
  (a.part === b.part || a.part === undefined || b.part === undefined || a.attribute.type === 'reference')

function refuseClash(columns: readonly Column[], column: Column): void {
  const other = columns.find((one) => isClash(one, column))
  if (!other) return
  const message = `both "${other.header}" and "${column.header}" fill ${nameOf(column)}: map one of them with --map`
  throw invalidField(`columns.${column.header}`, 'duplicate_column', message)
}

function requireHeaders(headers: readonly string[], map: MappingOptions['map']): void {
  for (const header of map?.keys() ?? [])
    if (!headers.includes(header))
      throw invalidField(
        `map.${header}`,
        'unknown_column',
        `the file has no column "${header}": ${instead(header, headers)}`,
      )
}

/** Rows can only be matched on a unique attribute that has a column. */
function requireMatch(
  model: ObjectModel,
  headers: readonly string[],
  { columns, matchOn }: { columns: readonly Column[]; matchOn: string },
): void {
  if (matchOn === 'id') {
    if (headers.includes('id')) return
    throw invalidField(
      'matchOn',
      'unknown_column',
      'the file has no column "id" to match on: add one, or match on a unique attribute',
    )
  }
  const attribute = model.attributes.get(matchOn)
  if (!attribute || !identifies(attribute))
    throw invalidField(
      'matchOn',
      'not_unique',
      `must be id or a unique attribute of ${model.slug}: ${instead(matchOn, ['id', ...uniqueAttributes(model).map(({ slug }) => slug)])}`,
    )
  if (!columns.some((column) => column.attribute === attribute))
    throw invalidField(
      'matchOn',
      'unknown_column',
      `no column fills ${matchOn}, which rows are matched on: map one with --map`,
    )
}

function requireAttributes(model: ObjectModel, columns: readonly Column[]): void {
  if (columns.length > 0) return
  const slugs = listed([...model.attributes.keys()])
  const message = `no column has the name of an attribute of ${model.slug} (${slugs}): rename one, or map it with --map`
  throw invalidField('columns', 'nothing_to_import', message)
}

/** Rows that only create records need all required attributes without a default. */
function requireRequired(model: ObjectModel, columns: readonly Column[]): void {
  const filled = new Set(columns.map(({ attribute }) => attribute.slug))
  const missing = [...model.attributes.values()].find((one) => mustBeGiven(one) && !filled.has(one.slug))
  if (!missing) return
  const message = `no column fills ${missing.slug}, which every record of ${model.slug} must have: add one, or map one with --map`
  throw invalidField('columns', 'required', message)
}

/**
 * Finds the attribute of each column: by `map`, or else by the header. A header is the slug or name of an attribute,
 * `slug.part` for one part of a value, or `company.domain` for a reference.
 * @throws 400 validation_error
 */
export function mapColumns(
  model: ObjectModel,
  headers: readonly string[],
  options: MappingOptions = {},
): Mapping {
  const { map, matchOn, duplicates } = options
  requireHeaders(headers, map)
  const columns: Column[] = []
  const skipped: string[] = []
  for (const [index, header] of headers.entries()) {
    const target = map?.get(header)
    const found =
      target === undefined
        ? (guess(model, header) ?? guessReferred(model, { headers, header, columns }, options))
        : named(model, header, target)
    const column = found && { index, header, ...found }
    if (column) refuseClash(columns, column)
    if (column) columns.push(column)
    else if (!(header === 'id' && matchOn === 'id')) skipped.push(header)
  }
  requireAttributes(model, columns)
  if (matchOn === undefined && duplicates !== 'update') requireRequired(model, columns)
  if (matchOn !== undefined) requireMatch(model, headers, { columns, matchOn })
  const idIndex = matchOn === 'id' ? headers.indexOf('id') : undefined
  return { headers, columns, idIndex, skipped }
}
