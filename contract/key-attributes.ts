// Key attributes: always shown for input, in the form for a new record and on the page of a record.
import type { Attribute } from './attributes.ts'

const KEY_MAX = 6

/** All required attributes, filled up to six with the first other ones, in the order of the object. */
export function keyAttributes(attributes: readonly Attribute[]): Attribute[] {
  const required = attributes.filter(({ isRequired }) => isRequired)
  const others = attributes.filter(({ isRequired }) => !isRequired)
  const room = Math.max(0, KEY_MAX - required.length)
  const key = new Set([...required, ...others.slice(0, room)])
  return attributes.filter((attribute) => key.has(attribute))
}
