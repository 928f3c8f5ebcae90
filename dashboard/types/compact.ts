// Values of parts, as editors make them.

/** Without its empty parts; null when nothing is left. */
export function compact<Value extends object>(value: Value): Value | null {
  const entries = Object.entries(value).filter(([, part]) => part !== undefined && part !== '')
  return entries.length > 0 ? (Object.fromEntries(entries) as Value) : null
}
