// Arrays that are longer than their schema allows, found before anything looks at their elements: a check goes through
// all of them, and describes each, however many there are.

import type { Problem } from '../../contract/errors.ts'
import { isObject } from '../json.ts'

interface Schema {
  properties?: Readonly<Record<string, Schema>>
  items?: Schema
  maxItems?: number
}

/** The first array that is too long, wherever the schema says plainly what is there; undefined: there is none. */
export function findOversized(schema: Schema, value: unknown, path = ''): Problem | undefined {
  if (Array.isArray(value)) return inArray(schema, value, path)
  if (!isObject(value)) return undefined
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const found = findOversized(inner, value[name], path ? `${path}.${name}` : name)
    if (found) return found
  }
  return undefined
}

function inArray({ items, maxItems }: Schema, value: readonly unknown[], path: string): Problem | undefined {
  if (maxItems === undefined) return undefined
  if (value.length > maxItems)
    return { path, code: 'maxItems', message: `must have at most ${maxItems} elements: send fewer` }
  if (!items) return undefined
  for (const [index, element] of value.entries()) {
    const found = findOversized(items, element, `${path}[${index}]`)
    if (found) return found
  }
  return undefined
}
