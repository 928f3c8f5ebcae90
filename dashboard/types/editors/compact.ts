// Values of parts, as editors make them.
import { isBlank } from '../../../contract/single-line.ts'

/** Without its blank parts; null when nothing is left. */
export function compact<Value extends object>(value: Value): Value | null {
  const entries = Object.entries(value).filter(
    ([, part]) => !(part === undefined || (typeof part === 'string' && isBlank(part))),
  )
  return entries.length > 0 ? (Object.fromEntries(entries) as Value) : null
}
