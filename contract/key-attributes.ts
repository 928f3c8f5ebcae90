// The attributes that are always there to be filled in, when a record is created and on its page.
import type { Attribute } from './attributes.ts'

const KEY_MAX = 6

/** The required ones, then the first of the object up to six, in the order of the object. */
export function keyAttributes(attributes: readonly Attribute[]): Attribute[] {
  const required = attributes.filter(({ isRequired }) => isRequired)
  const others = attributes.filter(({ isRequired }) => !isRequired)
  const room = Math.max(0, KEY_MAX - required.length)
  const key = new Set([...required, ...others.slice(0, room)])
  return attributes.filter((attribute) => key.has(attribute))
}
