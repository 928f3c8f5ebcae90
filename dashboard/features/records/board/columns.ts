// The structure of a board: the attribute of its columns, the columns, and the sums in their heads.
import { SUMMABLE } from '../../../../contract/attribute-types.ts'
import { namingAttribute } from '../../../../contract/record-name.ts'
import { ownerAttribute } from '../../../../contract/standard-objects.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { MEMBERS, missingName } from '../../../shared/api/record-names.ts'
import type { CrmRecord } from '../../../shared/api/records.ts'
import type { AskedTree, FilterTree } from '../../../shared/filters/filter.ts'
import type { Sort, ViewState } from '../../../shared/filters/view-state.ts'
import { optionsOf, tintOfOption } from '../../../shared/values/attribute-config.ts'
import { addDecimals, decimalOf, negated } from '../../../shared/values/decimals.ts'
import { isMoney } from '../../../shared/values/format.ts'
import type { Group } from '../api/groups.ts'
import { defaultBoard, groupable } from '../groupable.ts'

/** null: the column of records without a value. */
export type ColumnValue = string | null

type Attributes = readonly Attribute[]

/** The attribute whose values are the columns: options of a select, or members by user id. */
export interface ColumnAttribute extends Attribute {
  /** Names of members by user id; undefined for a select. */
  members?: ReadonlyMap<string, string> | undefined
}

const choicesOf = (groupBy: ColumnAttribute): readonly string[] =>
  groupBy.members ? [...groupBy.members.keys()] : optionsOf(groupBy)

export const columnTint = (groupBy: ColumnAttribute, value: string): number =>
  groupBy.members ? choicesOf(groupBy).indexOf(value) : tintOfOption(groupBy, value)

/** Attributes that column heads can add up. */
export const summable = (attributes: Attributes) =>
  attributes.filter(({ type, isList }) => SUMMABLE.has(type) && !isList)

export interface BoardAttributes {
  groupBy: ColumnAttribute
  sumOf: Attribute | undefined
}

/** The attributes of the view, else the first suitable ones; undefined if no attribute is suitable for columns. */
export function boardAttributes(attributes: Attributes, { board }: Pick<ViewState, 'board'>) {
  const bySlug = (slug: string | undefined) => (one: Attribute) => one.slug === slug
  const choices = groupable(attributes)
  const shown = board ?? defaultBoard(attributes)
  const groupBy = choices.find(bySlug(shown?.groupBy)) ?? choices[0]
  if (!groupBy) return undefined
  return { groupBy, sumOf: summable(attributes).find(bySlug(shown?.sumOf)) } satisfies BoardAttributes
}

/** With more members than this, only those with records have columns. */
const MEMBERS_MAX = 12

function shownChoices(groupBy: ColumnAttribute, groups: readonly Group[]): readonly string[] {
  const choices = choicesOf(groupBy)
  if (!groupBy.members || choices.length <= MEMBERS_MAX) return choices
  const used = new Set(groups.map(({ value }) => value))
  return choices.filter((value) => used.has(value))
}

/** Options or members in order, then values that are no longer an option or member, then no value. */
export function columnValues(groupBy: ColumnAttribute, groups: readonly Group[]): ColumnValue[] {
  const options = shownChoices(groupBy, groups)
  const others = groups.flatMap(({ value }) => (value === null || options.includes(value) ? [] : [value]))
  const empty = groups.find(({ value }) => value === null)
  // With a required attribute, no card can be moved to this column: it is shown only while it has records.
  const withEmpty = !groupBy.isRequired || (empty?.count ?? 0) > 0
  return [...options, ...others, ...(withEmpty ? [null] : [])]
}

/** The columns to show while no card is moved: without the empty column of records that have no value. */
export function columnsAtRest(values: readonly ColumnValue[], groups: readonly Group[]): ColumnValue[] {
  const hasEmpty = groups.some(({ value, count }) => value === null && count > 0)
  return values.filter((value) => value !== null || hasEmpty)
}

/** The column that a phone first shows. An empty column would look like an empty board. */
export function firstColumn(values: readonly ColumnValue[], groups: readonly Group[]) {
  const filled = new Set(groups.filter(({ count }) => count > 0).map(({ value }) => value))
  return values[
    Math.max(
      0,
      values.findIndex((value) => filled.has(value)),
    )
  ]
}

export function columnTitle(groupBy: ColumnAttribute, value: ColumnValue): string {
  if (value === null) return `No ${groupBy.name.toLowerCase()}`
  return groupBy.members ? (groupBy.members.get(value) ?? missingName(MEMBERS)) : value
}

/** Whether records may be moved to the column. */
export const canTake = (groupBy: ColumnAttribute, value: ColumnValue): boolean =>
  value === null ? !groupBy.isRequired : choicesOf(groupBy).includes(value)

export function columnFilter(groupBy: Attribute, value: ColumnValue, filter: AskedTree | null): AskedTree {
  const own: FilterTree =
    value === null
      ? { attributeSlug: groupBy.slug, operator: 'isEmpty', value: true }
      : { attributeSlug: groupBy.slug, operator: 'equals', value }
  return filter ? { and: [filter, own] } : own
}

/** By default the most recently changed record is on top, and so is a card that was just moved. */
export const columnSort = (sort: readonly Sort[]): readonly Sort[] =>
  sort.length > 0 ? sort : [{ field: 'updated_at', order: 'desc' }]

export const CARD_FIELDS_MAX = 3
/** The types of the default fields of a card, in order. */
const TELLING: readonly Attribute['type'][] = [
  'currency',
  'reference',
  'date',
  'number',
  'member',
  'email',
  'list',
]

/** Whether a card shows the attribute at its right. */
export const isAmount = ({ type, isList }: Attribute): boolean => type === 'currency' && !isList

/** Attributes that a card can show below the name. The owner is shown as a picture instead. */
export function fieldChoices(attributes: Attributes, groupBy: Attribute | undefined): Attribute[] {
  const elsewhere = [groupBy?.id, namingAttribute(attributes)?.id, ownerAttribute(attributes)?.id]
  return attributes.filter(({ id }) => !elsewhere.includes(id))
}

function chosenFields(attributes: Attributes, columns: ViewState['columns']): Attribute[] {
  const bySlug = new Map(attributes.map((attribute) => [attribute.slug, attribute]))
  return columns.flatMap(({ slug, isHidden }) => {
    const attribute = isHidden ? undefined : bySlug.get(slug)
    return attribute ? [attribute] : []
  })
}

/** The attributes that a card shows below the name: the first columns of the view, else the defaults. */
export function cardFields(attributes: Attributes, view: Pick<ViewState, 'board' | 'columns'>): Attribute[] {
  const others = fieldChoices(attributes, boardAttributes(attributes, view)?.groupBy)
  const telling = TELLING.flatMap((type) => others.find((one) => one.type === type) ?? [])
  const fields = view.columns.length > 0 ? chosenFields(others, view.columns) : telling
  return fields.slice(0, CARD_FIELDS_MAX)
}

/** The columns of a view whose cards show these fields. Other columns are hidden, except the name. */
export function withFields(attributes: Attributes, fields: readonly Attribute[]): ViewState['columns'] {
  const naming = namingAttribute(attributes)
  const shown = [...(naming ? [naming] : []), ...fields]
  const hidden = attributes.filter((one) => !shown.includes(one))
  return [...shown.map(({ slug }) => ({ slug })), ...hidden.map(({ slug }) => ({ slug, isHidden: true }))]
}

/** The amount that a record adds to the sum of its column. */
function amountOf(sumOf: Attribute | undefined, record: CrmRecord) {
  const value = sumOf && record.data[sumOf.slug]
  const amount = decimalOf(isMoney(value) ? value.amount : value)
  return amount === undefined ? undefined : { amount, currency: isMoney(value) ? value.currency : null }
}

function counted(group: Group, record: CrmRecord, { sumOf, sign }: { sumOf?: Attribute; sign: 1 | -1 }) {
  const count = Math.max(0, group.count + sign)
  const added = amountOf(sumOf, record)
  if (!added) return { ...group, count }
  const { currency } = added
  const amount = sign === 1 ? added.amount : negated(added.amount)
  const before = group.sums.find((sum) => sum.currency === currency)?.sum ?? '0'
  const others = group.sums.filter((sum) => sum.currency !== currency)
  const sum = addDecimals(before, amount)
  return { ...group, count, sums: sum === '0' ? others : [...others, { currency, sum }] }
}

export interface Move {
  record: CrmRecord
  from: ColumnValue
  to: ColumnValue
}

/** The counts and sums after the move. */
export function movedGroups(
  groups: readonly Group[],
  { record, from, to }: Move,
  sumOf: Attribute | undefined,
): Group[] {
  const known = groups.some(({ value }) => value === to)
  const all = known ? groups : [...groups, { value: to, count: 0, sums: [] }]
  return all.map((group) => {
    if (group.value === from) return counted(group, record, { sumOf, sign: -1 })
    return group.value === to ? counted(group, record, { sumOf, sign: 1 }) : group
  })
}
