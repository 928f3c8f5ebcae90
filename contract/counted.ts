// Numbers of things, with the noun in the form that goes with the number.
import { listFormat, numberFormat } from './language.ts'

let whole: Intl.NumberFormat | undefined

/** `8,744` */
export function formatCount(count: number): string {
  whole ??= numberFormat()
  return whole.format(count)
}

/** The noun without the number, which is shown elsewhere. */
export const nounFor = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many)

/** `1 record`, `1,204 records`. @param noun in the singular; @param plural where it is not noun + s */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${formatCount(count)} ${nounFor(count, noun, plural)}`

/** `3 records, 2 attributes, and 1 view`: what there is none of is left out; undefined for nothing. */
export function countedAll(parts: readonly (readonly [number, string, string?])[]): string | undefined {
  const some = parts
    .filter(([count]) => count > 0)
    .map(([count, noun, plural]) => counted(count, noun, plural))
  return some.length > 0 ? listFormat({ type: 'conjunction' }).format(some) : undefined
}
