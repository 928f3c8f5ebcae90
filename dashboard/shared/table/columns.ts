// The columns of a table of records: their order and width.
import { namingAttribute } from '../../../contract/record-name.ts'
import type { SummaryKind } from '../../../contract/summary-kinds.ts'
import { TYPES } from '../../types/types.ts'
import type { Attribute } from '../api/objects.ts'
import type { Column } from '../filters/view-state.ts'

export const TIME_NAMES = { created_at: 'Created', updated_at: 'Updated' } as const
export type TimeSlug = keyof typeof TIME_NAMES
/** The slug of the name column if no attribute names the records. */
export const ID_SLUG = 'id'

export interface TableColumn {
  slug: string
  name: string
  width: number
  isHidden: boolean
  /** The summary at the foot of the column. */
  summary?: SummaryKind | undefined
  /** undefined for the columns created, updated and id. */
  attribute: Attribute | undefined
}

const NAME_WIDTH = 260
const TIME_WIDTH = 140

const timeColumn = (slug: TimeSlug): TableColumn => ({
  slug,
  name: TIME_NAMES[slug],
  width: TIME_WIDTH,
  isHidden: false,
  attribute: undefined,
})

/** All possible columns. The first one names the record and is always shown. */
function possible(attributes: readonly Attribute[]): TableColumn[] {
  const naming = namingAttribute(attributes)
  const first = naming
    ? { slug: naming.slug, name: naming.name, attribute: naming }
    : { slug: ID_SLUG, name: 'Record', attribute: undefined }
  const others = attributes
    .filter(({ slug }) => slug !== naming?.slug)
    .map((attribute) => ({
      slug: attribute.slug,
      name: attribute.name,
      width: TYPES[attribute.type].columnWidth,
      isHidden: false,
      attribute,
    }))
  const times = [timeColumn('created_at'), timeColumn('updated_at')]
  return [{ ...first, width: NAME_WIDTH, isHidden: false }, ...others, ...times]
}

const shown = (column: TableColumn, { width, isHidden, summary }: Column): TableColumn => ({
  ...column,
  ...(summary && { summary }),
  width: width ?? column.width,
  isHidden: isHidden ?? false,
})

/**
 * @param chosen the columns of the view; deleted attributes are omitted, and new attributes are hidden
 * @returns all columns, including hidden ones; the first is the name and never hidden
 */
export function tableColumns(attributes: readonly Attribute[], chosen: readonly Column[]): TableColumn[] {
  const [name, ...others] = possible(attributes) as [TableColumn, ...TableColumn[]]
  if (chosen.length === 0) return [name, ...others]
  const bySlug = new Map(others.map((column) => [column.slug, column]))
  const ordered = chosen.flatMap((choice) => {
    const column = bySlug.get(choice.slug)
    return column ? [shown(column, choice)] : []
  })
  const named = new Set(ordered.map(({ slug }) => slug))
  const rest = others.filter(({ slug }) => !named.has(slug)).map((one) => ({ ...one, isHidden: true }))
  const own = chosen.find(({ slug }) => slug === name.slug)
  return [shown(name, { slug: name.slug, ...(own?.width && { width: own.width }) }), ...ordered, ...rest]
}

/** The columns in the form that a view stores. */
export const chosenColumns = (columns: readonly TableColumn[]): Column[] =>
  columns.map(({ slug, width, isHidden, summary }) => ({
    slug,
    width,
    ...(isHidden && { isHidden }),
    ...(summary && { summary }),
  }))

/** The columns with one changed. */
export const withColumn = (
  columns: readonly TableColumn[],
  slug: string,
  change: Partial<TableColumn>,
): TableColumn[] => columns.map((column) => (column.slug === slug ? { ...column, ...change } : column))

/** Moves a column to the position of another one. The name column stays first. */
export function moveColumn(columns: readonly TableColumn[], slug: string, onto: string): TableColumn[] {
  const from = columns.findIndex((column) => column.slug === slug)
  const to = columns.findIndex((column) => column.slug === onto)
  const column = columns[from]
  if (!column || from < 1 || to < 1 || from === to) return [...columns]
  return columns.toSpliced(from, 1).toSpliced(to, 0, column)
}

/** Moves a column one position left (-1) or right (1), skipping hidden columns. */
export function nudgeColumn(columns: readonly TableColumn[], slug: string, by: -1 | 1): TableColumn[] {
  const visible = columns.filter(({ isHidden }) => !isHidden)
  const neighbour = visible[visible.findIndex((column) => column.slug === slug) + by]
  return neighbour ? moveColumn(columns, slug, neighbour.slug) : [...columns]
}
