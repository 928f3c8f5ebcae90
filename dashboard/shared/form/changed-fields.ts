/** A comparable text of the value. All empty values are equal. */
const textOf = (value: unknown) =>
  value === null || value === undefined || value === '' ? '' : JSON.stringify(value)

/**
 * The fields of `now` that differ from `before`. Saving only these keeps the changes of other users in other fields.
 */
export function changedFields<Values extends object>(before: Values, now: Values): Partial<Values> {
  const old = new Map(Object.entries(before).map(([name, value]) => [name, textOf(value)]))
  const changed = Object.entries(now).filter(([name, value]) => (old.get(name) ?? '') !== textOf(value))
  return Object.fromEntries(changed) as Partial<Values>
}
