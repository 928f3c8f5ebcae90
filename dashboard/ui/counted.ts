// Consequences in numbers.

import { lazy } from './lazy.ts'

const whole = lazy(() => new Intl.NumberFormat())
/** Unlike a value, which may be a year, a count has its thousands apart. */
export const formatCount = (count: number): string => whole().format(count)

/** `1 record`, `1,204 records`. @param noun in the singular; @param plural where it is not noun + s */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${formatCount(count)} ${count === 1 ? noun : plural}`

const list = lazy(() => new Intl.ListFormat('en', { type: 'conjunction' }))

/** `3 records, 2 attributes, and 1 view`: what is there none of is left out; undefined for nothing. */
export function countedAll(parts: readonly (readonly [number, string, string?])[]): string | undefined {
  const some = parts
    .filter(([count]) => count > 0)
    .map(([count, noun, plural]) => counted(count, noun, plural))
  return some.length > 0 ? list().format(some) : undefined
}
