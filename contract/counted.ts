// Counts with a noun in the singular or plural.
import { listFormat, numberFormat } from './language.ts'

let whole: Intl.NumberFormat | undefined

/** `8,744` */
export function formatCount(count: number): string {
  whole ??= numberFormat()
  return whole.format(count)
}

/** Only the noun, for places where the number is shown separately. */
export const nounFor = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many)

/** `1 record`, `1,204 records`. @param noun singular @param plural if it is not noun + s */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${formatCount(count)} ${nounFor(count, noun, plural)}`

/** `3 records, 2 attributes, and 1 view`, without zero counts; undefined if all counts are zero. */
export function countedAll(parts: readonly (readonly [number, string, string?])[]): string | undefined {
  const some = parts
    .filter(([count]) => count > 0)
    .map(([count, noun, plural]) => counted(count, noun, plural))
  return some.length > 0 ? listFormat({ type: 'conjunction' }).format(some) : undefined
}
