// No more colors than eyes tell apart, no more bars than a screen has room for: the rest is put together or left out.
import { formatCount } from '../../../../contract/counted.ts'
import { COLORS_MAX, type Decimal, OTHER_COLOR, type Series } from './drawing.ts'
import { combine, type Grid, type Place } from './pivot.ts'
import type { Together } from './readings.ts'

const OTHER = 'other'

const sizeOf = (values: Iterable<Decimal>): number => {
  let size = 0
  for (const value of values) size += Math.abs(Number(value))
  return size
}

interface Kept<Thing> {
  kept: Thing[]
  left: Thing[]
}

/** The largest, in the order they come in. */
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

/** At most COLORS_MAX series; the others become one where they can be added. */
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
  for (const row of grid.cells.values()) {
    const sum = together(
      left.map(({ key }) => row.get(key)),
      how,
    )
    if (sum !== undefined) row.set(OTHER, sum)
  }
  const label = `Other (${formatCount(left.length)})`
  return { series: [...series, { key: OTHER, label, color: OTHER_COLOR }], notes: [] }
}

interface Cut {
  how: Together
  max: number
  /** The report says in which order: the first are kept, not the largest. */
  isSorted: boolean
  /** Parts of a whole need all of it; as a bar it would dwarf the others. */
  withOther?: boolean
}

/**
 * At most `max` categories. Where one for all others is asked for, it comes last.
 * @returns places, and what else there is in words
 */
export function cutCategories(
  grid: Grid,
  places: readonly Place[],
  { how, max, isSorted, withOther = false }: Cut,
): { places: readonly Place[]; notes: string[] } {
  if (places.length <= max) return { places, notes: [] }
  const size = ({ key }: Place) => sizeOf(grid.cells.get(key)?.values() ?? [])
  const { kept, left } = isSorted
    ? { kept: places.slice(0, max), left: places.slice(max) }
    : largest(places, max, size)
  const which = `${isSorted ? 'first' : 'largest'} ${formatCount(max)} of ${formatCount(places.length)}`
  if (how !== 'add' || !withOther)
    return { places: kept, notes: [`The chart shows the ${which} groups; the table has all.`] }
  const row = new Map<string, Decimal>()
  for (const { key } of grid.series.values()) {
    const sum = together(
      left.map((place) => grid.cells.get(place.key)?.get(key)),
      how,
    )
    if (sum !== undefined) row.set(key, sum)
  }
  grid.cells.set(OTHER, row)
  const other = { key: OTHER, label: `Other (${formatCount(left.length)})`, value: null }
  return { places: [...kept, other], notes: [] }
}
