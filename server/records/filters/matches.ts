// Evaluates filters in memory, on the data of a record in an event, with the same results as to-sql.ts.
import type { AttributeType } from '../../../contract/attribute-types.ts'
import { FILTERS_MAX } from '../../../contract/limits.ts'
import { type FilterOperator, SEARCH_OPERATORS } from '../../../contract/operators.ts'
import { idTime } from '../../base/id.ts'
import { isRawNumber } from '../../base/json.ts'
import { RECORD_TYPES } from '../types/types.ts'
import type { Locale } from '../values/attribute.ts'
import { canonicalDecimal, compareDecimals } from '../values/number.ts'
import { isPhoneOperator, matchesPhone, phoneSearch } from '../values/phone-search.ts'
import { alongPath } from './along.ts'
import { checkLeaf, type FilteredAttribute, type FilterLeaf } from './check.ts'
import { NUMERIC } from './comparable.ts'
import { type ComparableValue, operatorDefinition, type Presence } from './operators.ts'
import { isNode, LeafLimit, type ParsedTree, parseFilters, type TreeNode } from './parse.ts'
import { valuesOfPart } from './parts.ts'
import { type FieldPath, fieldAt, isPathFault, type PathObject } from './paths.ts'
import { checkRecordField, type EventRecord, matchesRecordField, type RecordField } from './record-fields.ts'

/** undefined: the result depends on an invalid leaf. */
type Verdict = boolean | undefined

/** Stops at the first member that decides the result of the group. */
function verdictOfGroup<Leaf>(
  members: readonly ParsedTree<Leaf>[],
  deciding: boolean,
  isMet: (leaf: Leaf) => Verdict,
): Verdict {
  let isKnown = true
  for (const member of members) {
    const verdict = verdictOf(member, isMet)
    if (verdict === deciding) return deciding
    if (verdict === undefined) isKnown = false
  }
  return isKnown ? !deciding : undefined
}

function verdictOf<Leaf>(tree: ParsedTree<Leaf>, isMet: (leaf: Leaf) => Verdict): Verdict {
  if ('leaf' in tree) return isMet(tree.leaf)
  if (!('not' in tree)) return verdictOfGroup(tree.members, tree.group === 'or', isMet)
  const verdict = verdictOf(tree.not, isMet)
  return verdict === undefined ? undefined : !verdict
}

/**
 * Evaluates a tree from the results of its leaves. If the result is undefined, neither the tree nor its negation
 * matches.
 */
export const holds = <Leaf>(tree: ParsedTree<Leaf>, isMet: (leaf: Leaf) => Verdict): boolean =>
  verdictOf(tree, isMet) === true

/** Values of one attribute in memory. */
export interface FieldValues<Operand> extends Presence<boolean> {
  values: readonly ComparableValue<Operand>[]
}

export function matchesField<Operand>(
  { operator, operands }: { operator: FilterOperator; operands: readonly Operand[] },
  field: FieldValues<Operand>,
): boolean {
  const { definition, isNegated } = operatorDefinition(operator)
  if (definition.of === 'field') return definition.matches(field)
  return field.values.some((value) => definition.matches(value, operands)) !== isNegated
}

const asText = (value: unknown) => (isRawNumber(value) ? value.rawJSON : String(value))

const comparableText = (type: AttributeType, value: unknown, locale: Locale): string =>
  RECORD_TYPES[type].textIn?.(value, locale) ?? asText(value)

function decimalText(type: AttributeType, value: unknown): string | undefined {
  const { numberIn } = RECORD_TYPES[type]
  const number = numberIn && isNode(value) ? numberIn(value) : value
  return typeof number === 'number' || isRawNumber(number) ? canonicalDecimal(asText(number)) : undefined
}

type Order = (operand: string | undefined) => number | undefined

function comparable(order: Order, text: string): ComparableValue<string> {
  const lowered = text.toLowerCase()
  return {
    order,
    equals: (operand) => order(operand) === 0,
    search: (part, isFound) => part !== undefined && isFound(lowered, part.toLowerCase()),
  }
}

function numericValue(type: AttributeType, value: unknown): ComparableValue<string> {
  const number = decimalText(type, value)
  const order: Order = (operand) =>
    number === undefined || operand === undefined ? undefined : compareDecimals(number, operand)
  return comparable(order, '')
}

function textValue(type: AttributeType, text: string): ComparableValue<string> {
  const value = comparable((operand = '') => (text === operand ? 0 : text < operand ? -1 : 1), text)
  // `contains` on a list tests for the whole element, not for a part of it.
  return type === 'list' ? { ...value, search: value.equals } : value
}

const elementsOf = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]

function matchesLeaf(
  { attribute: { type, config }, operator, operands }: FilterLeaf,
  value: unknown,
  locale: Locale,
) {
  const { namedIn } = RECORD_TYPES[type]
  const held = elementsOf(value)
  const elements = namedIn ? held.map((one) => namedIn(one, config)) : held
  const presence = { isEmpty: elements.length === 0, hasFlag: (flag: boolean) => elements.includes(flag) }
  const { affirmed, isNegated, definition } = operatorDefinition(operator)
  if (definition.of === 'field') return definition.matches(presence)
  if (type === 'phone_number' && isPhoneOperator(affirmed)) {
    const search = phoneSearch(affirmed, operands[0] ?? '')
    return elements.some((one) => matchesPhone(comparableText(type, one, locale), search)) !== isNegated
  }
  const toComparable = (one: unknown) =>
    NUMERIC.has(type) ? numericValue(type, one) : textValue(type, comparableText(type, one, locale))
  return matchesField({ operator, operands }, { ...presence, values: elements.map(toComparable) })
}

/** Active attributes by slug. */
type Attributes = ReadonlyMap<string, FilteredAttribute>

export interface MatchedRecord {
  data: Readonly<Record<string, unknown>>
  /** undefined: filters by fields of records do not match. */
  record?: EventRecord
}

/** The referenced records of a record, as far as filters follow references. */
export interface MatchedTargets {
  /** By the internal number of the object. */
  attributes: ReadonlyMap<number, Attributes>
  /** By id. A record that is missing here has no values. */
  records: ReadonlyMap<string, MatchedRecord>
}

export interface MatchContext extends MatchedRecord {
  attributes: Attributes
  locale: Locale
  /** undefined: filters along references do not match. */
  targets?: MatchedTargets
}

function heldBy(data: MatchContext['data'], { slug, part }: FilteredAttribute): unknown {
  const { slug: key } = part?.of ?? { slug }
  const held = Object.hasOwn(data, key) ? data[key] : undefined
  return part ? valuesOfPart(held, part.name) : held
}

interface FieldLeaf {
  field: RecordField
  operator: FilterOperator
  value: unknown
}

function isFieldMet(asked: FieldLeaf, locale: Locale, record: EventRecord): Verdict {
  const leaf = checkRecordField(asked, { locale })
  return 'field' in leaf ? matchesRecordField(leaf, record) : undefined
}

const objectWith = (
  attributes: Attributes,
  targets: MatchedTargets | undefined,
): PathObject<FilteredAttribute> => ({
  slug: '',
  attribute: (slug) => attributes.get(slug),
  target({ targetObj }) {
    const found = typeof targetObj === 'number' ? targets?.attributes.get(targetObj) : undefined
    return found && objectWith(found, targets)
  },
})

/** The records at the end of the references. */
const reached = (from: MatchedRecord, via: readonly FilteredAttribute[], targets?: MatchedTargets) =>
  via.reduce<readonly MatchedRecord[]>(
    (records, reference) =>
      records.flatMap(({ data }) =>
        elementsOf(heldBy(data, reference)).flatMap((id) => targets?.records.get(String(id)) ?? []),
      ),
    [from],
  )

interface FieldAsked {
  field: FieldPath<FilteredAttribute>['field']
  operator: FilterOperator
  value: unknown
}

function isFieldOfMet(
  { field, operator, value }: FieldAsked,
  locale: Locale,
  { data, record }: MatchedRecord,
): Verdict {
  if (typeof field === 'string') return record && isFieldMet({ field, operator, value }, locale, record)
  const leaf = checkLeaf({ attribute: field, operator, value }, { locale })
  return 'operands' in leaf ? matchesLeaf(leaf, heldBy(data, field), locale) : undefined
}

const isValid = ({ field, operator, value }: FieldAsked, locale: Locale): boolean =>
  typeof field === 'string'
    ? 'field' in checkRecordField({ field, operator, value }, { locale })
    : 'operands' in checkLeaf({ attribute: field, operator, value }, { locale })

/** A filter is invalid if its attribute is missing or does not have the operator. */
function isMet({ attributeSlug, operator, value }: TreeNode, context: MatchContext): Verdict {
  const { attributes, locale, targets } = context
  const found = fieldAt(objectWith(attributes, targets), attributeSlug, () => '')
  const known = SEARCH_OPERATORS.find((one) => one === operator)
  if (!known || isPathFault(found)) return undefined
  const { field, via } = found
  const asked = { field, operator: known, value }
  if (via.length === 0) return isFieldOfMet(asked, locale, context)
  if (!isValid(asked, locale)) return undefined
  const records = reached(context, via, targets)
  return alongPath<boolean>(asked, {
    any: (affirmed) => records.some((one) => isFieldOfMet({ field, ...affirmed }, locale, one) === true),
    not: (condition) => !condition,
    or: (one, other) => one || other,
  })
}

const FIELD_VALUES: Readonly<Record<RecordField, (record: EventRecord) => unknown>> = {
  id: ({ id }) => id,
  created_at: ({ id }) => new Date(idTime(id)).toISOString(),
  updated_at: ({ updatedMs }) => new Date(updatedMs).toISOString(),
  created_by: ({ createdBy }) => createdBy,
}

/** The value at the end of a path: a list if the path may have several values, otherwise one value or null. */
export function valueAt(path: string, context: Omit<MatchContext, 'locale'>): unknown {
  const { attributes, targets } = context
  const found = fieldAt(objectWith(attributes, targets), path, () => '')
  if (isPathFault(found)) return null
  const { field, via } = found
  // An attribute may itself have the slug `amount`.
  const isPart = path.split('.').length > via.length + 1
  const isAmount = typeof field !== 'string' && field.type === 'currency' && isPart
  const values = reached(context, via, targets).flatMap(({ data, record }) => {
    if (typeof field === 'string') return (record && FIELD_VALUES[field](record)) ?? []
    const held = elementsOf(heldBy(data, field))
    return isAmount ? valuesOfPart(held, 'amount') : held
  })
  const isMany = [...via, field].some((one) => typeof one !== 'string' && one.isList)
  return isMany ? values : (values[0] ?? null)
}

/** The grammar of trees that were checked when they were saved. An invalid leaf does not match. */
export const savedGrammar = () => ({
  noun: 'filter' as const,
  fields: new Set(['attributeSlug', 'operator', 'value']),
  membersMax: FILTERS_MAX,
  limit: new LeafLimit(),
  note: () => undefined,
  leaf: (node: TreeNode) => node,
})

/** @param tree of a saved definition */
export function matchesFilter(tree: unknown, context: MatchContext): boolean {
  const parsed = parseFilters(tree, '', savedGrammar())
  return parsed !== undefined && holds(parsed, (leaf) => isMet(leaf, context))
}
