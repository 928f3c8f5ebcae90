// Options of a select have the colors of their chips in charts too.
import { colorOf, type OptionColor } from '../../../../contract/option-colors.ts'
import type { ResultColumn } from '../../../../contract/reports.ts'
import { type Category, type ChartColor, COLORS_MAX, OTHER_COLOR, type Series } from './drawing.ts'
import { keyOf } from './readings.ts'

/** What is no option is gray. @param keys as keyOf makes them; @returns undefined where none is an option */
function colorsOf(keys: readonly string[], column: ResultColumn | undefined): OptionColor[] | undefined {
  const { options, colors } = column ?? {}
  if (!options) return undefined
  const settings = { options, ...(colors && { colors }) }
  const byKey = new Map(options.map((option) => [keyOf(option), colorOf(settings, option)]))
  return keys.some((key) => byKey.has(key)) ? keys.map((key) => byKey.get(key) ?? 'gray') : undefined
}

/** undefined too where two would look the same and only colors tell them apart. */
function distinctColors(keys: readonly string[], column: ResultColumn | undefined) {
  const colors = colorsOf(keys, column)
  return colors && new Set(colors).size === colors.length ? colors : undefined
}

/** @param keys of the values that the series are of, in their order */
export function colorSeries<One extends Series>(
  series: readonly One[],
  keys: readonly string[],
  column: ResultColumn | undefined,
): One[] {
  const colors = distinctColors(keys, column)
  return series.map((one, index) => ({ ...one, color: colors?.[index] ?? one.color }))
}

/** Of bars and steps, which have their names on the axis. */
export function colorCategories(
  categories: readonly Category[],
  column: ResultColumn | undefined,
): readonly Category[] {
  const colors = colorsOf(
    categories.map(({ key }) => key),
    column,
  )
  return colors ? categories.map((one, index) => ({ ...one, color: colors[index] ?? 'gray' })) : categories
}

const sliceColor = (index: number): ChartColor => (index < COLORS_MAX ? index : OTHER_COLOR)

export function colorSlices(categories: readonly Category[], column: ResultColumn | undefined): Category[] {
  const colors = distinctColors(
    categories.map(({ key }) => key),
    column,
  )
  return categories.map((one, index) => ({ ...one, color: colors?.[index] ?? sliceColor(index) }))
}
