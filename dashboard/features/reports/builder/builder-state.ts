// The actions on the definition of a report in the builder. The definition may be incomplete. A loaded definition stays
// unchanged until the first action.
import {
  type DateBucket,
  GROUP_BY_MAX,
  JOINS_MAX,
  MEASURES_MAX,
  type MeasureOp,
  REPORT_COLUMNS_MAX,
} from '../../../../contract/report-states.ts'
import type { ReportDefinition, ReportJoin } from '../../../../contract/reports.ts'
import { moved } from '../../../ui/moved.ts'
import { definitionTree, type FilterTree, type HavingTree } from './conditions.ts'
import { aliasesWith, tidy, withoutAliases, withoutLostKeys } from './dependents.ts'
import { freeAlias, freeKey } from './names.ts'
import { canGroup, type ReportField } from './report-fields.ts'

export type Draft = ReportDefinition
export type Chart = NonNullable<Draft['chart']>

/** Parts that are lists in an order that the user chooses. */
export type ListName = 'groupBy' | 'measures' | 'columns' | 'sort'

/** undefined removes a property. */
type Patch<Part> = { [Key in keyof Part]?: Part[Key] | undefined }
type Part<Name extends ListName> = NonNullable<Draft[Name]>[number]

export type Action =
  | { does: 'source'; object: { slug: string; singularName: string } }
  | { does: 'join'; join: ReportJoin }
  | { does: 'joinType'; index: number; type: 'left' | 'inner' }
  /** @param parents alias of the object that each join starts from */
  | { does: 'removeJoin'; index: number; parents: readonly (string | undefined)[] }
  | { does: 'group'; field: ReportField; at?: number | undefined; bucket?: DateBucket }
  | { does: 'measure'; op: MeasureOp; field?: ReportField | undefined; at?: number | undefined }
  | { does: 'column'; field: ReportField; at?: number | undefined }
  | { does: 'changeGroup'; index: number; patch: Patch<Part<'groupBy'>> }
  | { does: 'changeMeasure'; index: number; patch: Patch<Part<'measures'>> }
  | { does: 'changeColumn'; index: number; patch: Patch<Part<'columns'>> }
  | { does: 'sort'; key: string; order: 'asc' | 'desc' }
  | { does: 'remove'; list: ListName; index: number }
  | { does: 'move'; list: ListName; from: number; to: number }
  | { does: 'filters'; tree: FilterTree | undefined }
  | { does: 'having'; tree: HavingTree | undefined }
  | { does: 'limit'; limit: number | undefined }
  | { does: 'show'; what: 'groups' | 'rows'; fields: readonly ReportField[] }
  | { does: 'chart'; chart: Chart | undefined }
  | { does: 'name' | 'description'; text: string }

/** A draft without a chosen object. */
export const emptyDraft = (name: string): Draft => ({ name, source: { objectId: '', alias: 'record' } })

export const isRows = ({ columns }: Draft): boolean => columns !== undefined

/** Adds nothing to a full list. */
function inserted<Item>(list: readonly Item[] = [], item: Item, at: number | undefined, max: number): Item[] {
  return list.length >= max ? [...list] : list.toSpliced(Math.min(at ?? list.length, list.length), 0, item)
}

function begin(draft: Draft, { slug, singularName }: { slug: string; singularName: string }): Draft {
  const { name, description } = draft
  const source = { objectId: slug, alias: freeAlias(singularName, []) }
  const first = { measures: [{ key: freeAlias(slug, []), op: 'count' as const }] }
  return tidy({ name, description, source, ...first })
}

/** The text for a key: `deal.address.city` → `address_city`; for the record itself its alias. */
const keyText = ({ slug, alias }: Pick<ReportField, 'slug' | 'alias'>): string => {
  const own = slug.slice(alias.length + 1)
  return own === 'id' ? alias : own
}

function withGroup(draft: Draft, { field, at, bucket }: Extract<Action, { does: 'group' }>): Draft {
  if (!canGroup(field)) return draft
  const group = {
    key: freeKey(draft, keyText(field)),
    field: field.slug,
    ...(field.type === 'date' && { bucket: bucket ?? ('month' as const), fill: true }),
  }
  return { ...draft, groupBy: inserted(draft.groupBy, group, at, GROUP_BY_MAX) }
}

function withMeasure(draft: Draft, { op, field, at }: Extract<Action, { does: 'measure' }>): Draft {
  const text = field ? `${op}_${keyText(field)}` : op
  const measure = { key: freeKey(draft, text), op, ...(field && { field: field.slug }) }
  return { ...draft, measures: inserted(draft.measures, measure, at, MEASURES_MAX) }
}

function withColumn(draft: Draft, { field, at }: Extract<Action, { does: 'column' }>): Draft {
  const column = { key: freeKey(draft, keyText(field)), field: field.slug }
  return { ...draft, columns: inserted(draft.columns, column, at, REPORT_COLUMNS_MAX) }
}

/** The fields that the draft reads now, without duplicates. */
function fieldsRead({ groupBy = [], measures = [], columns = [] }: Draft, fields: readonly ReportField[]) {
  const byName = new Map(fields.map((field) => [field.slug, field]))
  const names = [...groupBy, ...measures, ...columns].flatMap(({ field }) => field ?? [])
  return [...new Set(names)].flatMap((name) => byName.get(name) ?? [])
}

function asGroups(draft: Draft, fields: readonly ReportField[]): Draft {
  const start = withMeasure(tidy({ ...draft, columns: undefined }), { does: 'measure', op: 'count' })
  const field = fieldsRead(draft, fields).find((one) => canGroup(one))
  return field ? withGroup(start, { does: 'group', field }) : start
}

function asRows(draft: Draft, fields: readonly ReportField[]): Draft {
  const read = fieldsRead(draft, fields)
  const first = fields.filter(({ alias }) => alias === draft.source.alias).slice(0, 1)
  const start: Draft = tidy({ ...draft, groupBy: [], measures: [], having: undefined, columns: [] })
  return (read.length > 0 ? read : first).reduce(
    (made, field) => withColumn(made, { does: 'column', field }),
    start,
  )
}

/** Switches between groups and rows, with the same fields. */
function shownAs(draft: Draft, { what, fields }: Extract<Action, { does: 'show' }>): Draft {
  if ((what === 'rows') === isRows(draft)) return draft
  return withoutLostKeys(what === 'rows' ? asRows(draft, fields) : asGroups(draft, fields))
}

function patched<Item extends object>(list: readonly Item[] = [], index: number, patch: object): Item[] {
  return list.map((item, at) => {
    if (at !== index) return item
    const entries = Object.entries({ ...item, ...patch }).filter(([, value]) => value !== undefined)
    return Object.fromEntries(entries) as Item
  })
}

function removed(draft: Draft, list: ListName, index: number): Draft {
  const rest = { ...draft, [list]: draft[list]?.toSpliced(index, 1) }
  return withoutLostKeys(tidy(rest))
}

function sorted(draft: Draft, key: string, order: 'asc' | 'desc'): Draft {
  const sort = draft.sort ?? []
  const index = sort.findIndex((one) => one.key === key)
  const one = order === 'desc' ? { key, order } : { key }
  return { ...draft, sort: index === -1 ? [...sort, one] : sort.with(index, one) }
}

function joined(draft: Draft, join: ReportJoin): Draft {
  const { joins = [] } = draft
  return joins.length >= JOINS_MAX ? draft : { ...draft, joins: [...joins, join] }
}

/** @returns the same draft object if nothing changes */
export function reduce(draft: Draft, action: Action): Draft {
  switch (action.does) {
    case 'source':
      return begin(draft, action.object)
    case 'join':
      return joined(draft, action.join)
    case 'joinType':
      return { ...draft, joins: patched(draft.joins, action.index, { type: action.type }) }
    case 'removeJoin':
      return withoutAliases(draft, aliasesWith(draft, action.index, action.parents))
    case 'group':
      return withGroup(draft, action)
    case 'measure':
      return withMeasure(draft, action)
    case 'column':
      return withColumn(draft, action)
    case 'changeGroup':
      return { ...draft, groupBy: patched(draft.groupBy, action.index, action.patch) }
    case 'changeMeasure':
      return { ...draft, measures: patched(draft.measures, action.index, action.patch) }
    case 'changeColumn':
      return { ...draft, columns: patched(draft.columns, action.index, action.patch) }
    case 'sort':
      return sorted(draft, action.key, action.order)
    case 'remove':
      return removed(draft, action.list, action.index)
    case 'move':
      return tidy({
        ...draft,
        [action.list]: moved<unknown>(draft[action.list] ?? [], action.from, action.to),
      })
    default:
      return reduceWhole(draft, action)
  }
}

type WholeAction = Extract<
  Action,
  { does: 'filters' | 'having' | 'limit' | 'show' | 'chart' | 'name' | 'description' }
>

function reduceWhole(draft: Draft, action: WholeAction): Draft {
  switch (action.does) {
    case 'filters':
      return tidy({ ...draft, filters: definitionTree(action.tree) })
    case 'having':
      return tidy({ ...draft, having: definitionTree(action.tree) })
    case 'limit':
      return tidy({ ...draft, limit: action.limit })
    case 'show':
      return shownAs(draft, action)
    case 'chart':
      return tidy({ ...draft, chart: action.chart })
    case 'name':
      return { ...draft, name: action.text }
    case 'description':
      return tidy({ ...draft, description: action.text === '' ? undefined : action.text })
  }
}
