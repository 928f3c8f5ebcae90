// Limits the number of series (by colors) and bars (by space). The rest is combined or omitted.
import { formatCount } from '../../../../contract/counted.ts'
import { COLORS_MAX, type Decimal, OTHER_COLOR, type Series } from './drawing.ts'
import { combine, type Grid, type GridCategory } from './pivot.ts'
import type { Together } from './readings.ts'

const sizeOf = (values: Iterable<Decimal>): number => {
  let size = 0
  for (const value of values) size += Math.abs(Number(value))
  return size
}

/** What all the others are combined to. */
export const otherOf = (left: readonly unknown[]) => ({
  key: 'other',
  label: `Other (${formatCount(left.length)})`,
})

interface Kept<Thing> {
  kept: Thing[]
  left: Thing[]
}

/** Keeps the largest items, in their original order. */
function largest<Thing>(things: readonly Thing[], max: number, size: (thing: Thing) => number): Kept<Thing> {
  if (things.length <= max) return { kept: [...things], left: [] }
  const chosen = new Set(things.toSorted((a, b) => size(b) - size(a)).slice(0, max))
  return { kept: things.filter((one) => chosen.has(one)), left: things.filter((one) => !chosen.has(one)) }
}

function together(values: readonly (Decimal | undefined)[], how: Together): Decimal | undefined {
  const found = values.filter((value) => value !== undefined)
  const [first, ...others] = found
  return first === undefined ? undefined : others.reduce((sum, value) => combine(how, sum, value), first)
}

/** Keeps at most COLORS_MAX series. If values can be added, the others become a single series. */
export function cutSeries(grid: Grid, how: Together): { series: Series[]; notes: string[] } {
  const all = [...grid.series.values()]
  const valuesOf = (key: string) => [...grid.cells.values()].flatMap((row) => row.get(key) ?? [])
  const { kept, left } = largest(all, COLORS_MAX, ({ key }) => sizeOf(valuesOf(key)))
  const series = kept.map(({ key, label }, color) => ({ key, label, color }))
  if (left.length === 0) return { series, notes: [] }
  if (how !== 'add')
    return {
      series,
      notes: [
        `The chart shows the ${formatCount(COLORS_MAX)} largest of ${formatCount(all.length)} groups; the table has all.`,
      ],
    }
  const other = otherOf(left)
  for (const row of grid.cells.values()) {
    const sum = together(
      left.map(({ key }) => row.get(key)),
      how,
    )
    if (sum !== undefined) row.set(other.key, sum)
  }
  return { series: [...series, { ...other, color: OTHER_COLOR }], notes: [] }
}

interface Cut {
  how: Together
  max: number
  /** Whether the report is sorted: then the first categories are kept, not the largest. */
  isSorted: boolean
  /** Whether to add a category for all others. Needed for parts of a whole; as a bar it would be much too long. */
  withOther?: boolean
}

/**
 * Keeps at most `max` categories. The category for all others, if requested, is last.
 * @returns categories, and notes about omitted categories
 */
export function cutCategories(
  grid: Grid,
  categories: readonly GridCategory[],
  { how, max, isSorted, withOther = false }: Cut,
): { categories: readonly GridCategory[]; notes: string[] } {
  if (categories.length <= max) return { categories, notes: [] }
  const size = ({ key }: GridCategory) => sizeOf(grid.cells.get(key)?.values() ?? [])
  const { kept, left } = isSorted
    ? { kept: categories.slice(0, max), left: categories.slice(max) }
    : largest(categories, max, size)
  const which = `${isSorted ? 'first' : 'largest'} ${formatCount(max)} of ${formatCount(categories.length)}`
  if (how !== 'add' || !withOther)
    return { categories: kept, notes: [`The chart shows the ${which} groups; the table has all.`] }
  const row = new Map<string, Decimal>()
  for (const { key } of grid.series.values()) {
    const sum = together(
      left.map((category) => grid.cells.get(category.key)?.get(key)),
      how,
    )
    if (sum !== undefined) row.set(key, sum)
  }
  const other = otherOf(left)
  grid.cells.set(other.key, row)
  return { categories: [...kept, { ...other, value: null }], notes: [] }
}
