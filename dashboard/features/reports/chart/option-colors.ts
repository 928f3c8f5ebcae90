// In charts, options of a select have the same colors as their chips.
import { colorOf, type OptionColor } from '../../../../contract/option-colors.ts'
import type { ResultColumn } from '../../../../contract/reports.ts'
import { type Category, type ChartColor, COLORS_MAX, OTHER_COLOR, type Series } from './drawing.ts'
import { keyOf } from './readings.ts'

/** Values that are not options are gray. @param keys from keyOf @returns undefined if no key is an option */
function colorsOf(keys: readonly string[], column: ResultColumn | undefined): OptionColor[] | undefined {
  const { options, colors } = column ?? {}
  if (!options) return undefined
  const settings = { options, ...(colors && { colors }) }
  const byKey = new Map(options.map((option) => [keyOf(option), colorOf(settings, option)]))
  return keys.some((key) => byKey.has(key)) ? keys.map((key) => byKey.get(key) ?? 'gray') : undefined
}

/** Also undefined if two colors are the same: without labels, colors must be different. */
function distinctColors(keys: readonly string[], column: ResultColumn | undefined) {
  const colors = colorsOf(keys, column)
  return colors && new Set(colors).size === colors.length ? colors : undefined
}

/** @param keys of the values of the series, in the same order */
export function colorSeries<One extends Series>(
  series: readonly One[],
  keys: readonly string[],
  column: ResultColumn | undefined,
): One[] {
  const colors = distinctColors(keys, column)
  return series.map((one, index) => ({ ...one, color: colors?.[index] ?? one.color }))
}

/** For bars and funnel steps, which have labels, so that colors may be the same. */
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
