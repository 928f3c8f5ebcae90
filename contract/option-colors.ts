// Colors of options. The browser loads this at run time.

/** An option without a configured color gets the color of its position. The list repeats after the last color. */
export const OPTION_COLORS = [
  'indigo',
  'teal',
  'yellow',
  'green',
  'red',
  'purple',
  'pink',
  'olive',
  'gray',
  'orange',
] as const
export type OptionColor = (typeof OPTION_COLORS)[number]

interface OptionSettings {
  options: readonly string[]
  colors?: Readonly<Record<string, OptionColor>>
}

const colorAt = (place: number): OptionColor => OPTION_COLORS[place % OPTION_COLORS.length] ?? 'gray'

/** The color of an option; gray for a text that is not an option. */
export function colorOf({ options, colors }: OptionSettings, option: string): OptionColor {
  const own = colors && Object.hasOwn(colors, option) ? colors[option] : undefined
  const place = options.indexOf(option)
  return own ?? (place < 0 ? 'gray' : colorAt(place))
}
