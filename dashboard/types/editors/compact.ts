// Values that consist of parts, as editors create them.
import { isBlank } from '../../../contract/single-line.ts'

/** Removes blank parts. null when no part is left. */
export function compact<Value extends object>(value: Value): Value | null {
  const entries = Object.entries(value).filter(
    ([, part]) => !(part === undefined || (typeof part === 'string' && isBlank(part))),
  )
  return entries.length > 0 ? (Object.fromEntries(entries) as Value) : null
}
