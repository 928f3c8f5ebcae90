// Guesses which attribute each column of a file fills, from its header and its values.
import type { ColumnGuess, ImportColumn, ImportGuess } from '../../contract/imports.ts'
import type { ModelAttribute } from '../model/attributes/models.ts'
import { identifies } from '../model/attributes/unique-attributes.ts'
import { importParts } from '../records/import/columns.ts'
import { RECORD_TYPES } from '../records/types/types.ts'
import { hasFormOfNumber } from '../records/values/cell-forms.ts'
import { contentType, formatOf } from './content.ts'
import { isIdColumn } from './export-columns.ts'
import { PART_NAMES, SYNONYMS } from './synonyms.ts'

export type GuessAttribute = Pick<
  ModelAttribute,
  'slug' | 'name' | 'type' | 'isList' | 'isUnique' | 'isBecomingUnique'
>

export interface GuessInput {
  columns: readonly ImportColumn[]
  attributes: readonly GuessAttribute[]
  /** The attributes that cells may name records by, by the slug of the reference. */
  referred?: ReadonlyMap<string, readonly Pick<GuessAttribute, 'slug' | 'name'>[]>
  /** The name of one record, such as Company: headers may begin with it. */
  singularName: string
  /** ISO 3166-1 alpha-2 */
  country: string
}

interface Candidate {
  column: ImportColumn
  attribute: GuessAttribute
  part: string | undefined
  confidence: number
}

const EXACT = 1
const PREFIXED = 0.9
const SYNONYM = 0.8
const REFERRED = 0.7
const BY_CONTENT = 0.5
const LEAST = 0.4

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]/gu, '')

const names = new WeakMap<GuessAttribute, string[]>()

/** Names are normalized once, because each view of an import compares every column with every attribute. */
function namesOf(attribute: GuessAttribute): string[] {
  const known = names.get(attribute) ?? [plain(attribute.slug), plain(attribute.name)]
  names.set(attribute, known)
  return known
}

const means = (header: string, name: string) =>
  SYNONYMS.some((group) => group.includes(header) && group.includes(name))

/** How well a header matches the name of an attribute. */
function namedLike(header: string, attribute: GuessAttribute, singular: string): number {
  const own = namesOf(attribute)
  if (own.includes(header)) return EXACT
  const isPrefixed = header.startsWith(singular) && own.includes(header.slice(singular.length))
  if (isPrefixed && singular !== '') return PREFIXED
  return own.some((name) => means(header, name)) ? SYNONYM : 0
}

/** A header may omit the name of the attribute before that of the part if only one attribute has such parts. */
function partNamed(header: string, attribute: GuessAttribute, part: string, isOnly: boolean): number {
  const partNames = PART_NAMES[part] ?? [plain(part)]
  if (namesOf(attribute).some((name) => partNames.some((one) => header === name + one))) return EXACT
  return isOnly && partNames.includes(header) ? PREFIXED : 0
}

/** How well a header such as `company.domain` matches an attribute that cells name records by. */
const referredNamed = (
  header: string,
  attribute: GuessAttribute,
  part: { slug: string; name: string },
): number =>
  namesOf(attribute).some((name) => [part.slug, part.name].some((one) => header === name + plain(one)))
    ? REFERRED
    : 0

/** Factor for a column whose values do not have the attribute's form. It decides only between equal headers. */
const UNLIKELY = 0.95

function contradicts({ type, isList }: GuessAttribute, { samples }: ImportColumn): boolean {
  const { cells } = RECORD_TYPES[type]
  if (isList || !cells?.isStrict) return false
  const isOne = (sample: string) => cells.isOne(sample) || (type === 'currency' && hasFormOfNumber(sample))
  return !samples.every(isOne)
}

function candidatesOf(column: ImportColumn, { attributes, referred, singularName }: GuessInput): Candidate[] {
  const header = plain(column.header)
  const singular = plain(singularName)
  const ofType = Map.groupBy(
    attributes.filter(({ isList }) => !isList),
    ({ type }) => type,
  )
  return attributes.flatMap((attribute) => {
    const whole = namedLike(header, attribute, singular)
    const isOnly = ofType.get(attribute.type)?.length === 1
    const parts = importParts(attribute).map((part) => ({
      part,
      confidence: partNamed(header, attribute, part, isOnly),
    }))
    const ofReferred = (referred?.get(attribute.slug) ?? []).map((part) => ({
      part: part.slug,
      confidence: referredNamed(header, attribute, part),
    }))
    const isBad = whole > 0 && contradicts(attribute, column)
    return [{ part: undefined, confidence: isBad ? whole * UNLIKELY : whole }, ...parts, ...ofReferred]
      .filter(({ confidence }) => confidence >= LEAST)
      .map((found) => ({ ...found, column, attribute }))
  })
}

/** Columns whose values have a distinctive form, such as phone numbers, if exactly one attribute has this type. */
function byContent(column: ImportColumn, { attributes }: GuessInput): Candidate[] {
  const type = contentType(column.samples)
  if (type === undefined || !RECORD_TYPES[type].cells?.isTelling) return []
  const [attribute, another] = attributes.filter((one) => one.type === type)
  return attribute && !another ? [{ column, attribute, part: undefined, confidence: BY_CONTENT }] : []
}

/** If a value is spread over several columns, the column with the attribute's name holds the missing part. */
const WHOLE_AS_PART: Readonly<Record<string, string>> = { address: 'line1', currency: 'amount' }

function joinParts(candidates: readonly Candidate[]): Candidate[] {
  const spread = Map.groupBy(
    candidates.filter(({ part, attribute }) => part !== undefined && attribute.type !== 'reference'),
    ({ attribute }) => attribute,
  )
  return candidates.flatMap((candidate) => {
    const { attribute, part, column } = candidate
    const others = (spread.get(attribute) ?? []).filter((one) => one.column !== column)
    if (part !== undefined || others.length === 0) return candidate
    const asPart = WHOLE_AS_PART[attribute.type]
    if (asPart !== undefined)
      return others.some((one) => one.part === asPart) ? [] : { ...candidate, part: asPart }
    // A column with the whole name is left out where columns have the first and the last name.
    return new Set(others.map((one) => one.part)).size > 1 ? [] : candidate
  })
}

/** Chooses the best candidates: each column once, and no value both whole and in parts. */
function choose(candidates: readonly Candidate[]): Map<ImportColumn, Candidate> {
  const chosen = new Map<ImportColumn, Candidate>()
  const sorted = candidates.toSorted((a, b) => b.confidence - a.confidence || a.column.index - b.column.index)
  for (const candidate of sorted) {
    const { column, attribute, part } = candidate
    const clashes = [...chosen.values()].some(
      (one) =>
        one.attribute === attribute &&
        (attribute.type === 'reference' || one.part === part || one.part === undefined || part === undefined),
    )
    if (!clashes && !chosen.has(column)) chosen.set(column, candidate)
  }
  return chosen
}

/** An amount column without a currency column becomes the whole value: its cells may contain the currency. */
function wholeAmounts(chosen: ReadonlyMap<ImportColumn, Candidate>): Map<ImportColumn, Candidate> {
  const all = [...chosen.values()]
  const isWhole = ({ attribute, part }: Candidate) =>
    part === 'amount' && all.filter((one) => one.attribute === attribute).length === 1
  return new Map(all.map((one) => [one.column, isWhole(one) ? { ...one, part: undefined } : one]))
}

/** Fields that the service sets: exports have them, and imports cannot fill them. */
const OWN = new Set(['createdat', 'updatedat'])

function newAttribute({ header, samples }: ImportColumn): ColumnGuess['newAttribute'] {
  const name = header.trim().slice(0, 200)
  if (plain(name) === '' || OWN.has(plain(name))) return null
  const type = contentType(samples) ?? 'text'
  // The id of a record in another system is no reference in this one.
  const known = type === 'reference' ? 'text' : type
  return { name: plain(name) === 'id' ? 'External ID' : name, type: known }
}

function guessOf(column: ImportColumn, found: Candidate | undefined): ColumnGuess {
  const { index } = column
  if (isIdColumn(column)) return { index, attributeSlug: 'id', confidence: EXACT, newAttribute: null }
  if (!found) return { index, attributeSlug: null, confidence: 0, newAttribute: newAttribute(column) }
  const { attribute, part, confidence } = found
  return {
    index,
    attributeSlug: attribute.slug,
    ...(part !== undefined && { part }),
    confidence,
    newAttribute: null,
  }
}

function matchOf(columns: readonly ColumnGuess[], attributes: readonly GuessAttribute[]): string | null {
  const filled = new Set(columns.map(({ attributeSlug }) => attributeSlug))
  if (filled.has('id')) return 'id'
  return attributes.find((one) => identifies(one) && filled.has(one.slug))?.slug ?? null
}

export function guessMapping(input: GuessInput): ImportGuess {
  const rest = input.columns.filter((column) => !isIdColumn(column) && !OWN.has(plain(column.header)))
  const candidates = rest.flatMap((column) => {
    const named = candidatesOf(column, input)
    return named.length > 0 ? named : byContent(column, input)
  })
  const chosen = wholeAmounts(choose(joinParts(candidates)))
  const columns = input.columns.map((column) => guessOf(column, chosen.get(column)))
  return {
    columns,
    matchOn: matchOf(columns, input.attributes),
    format: formatOf(input.columns, input.country),
  }
}
