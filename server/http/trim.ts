// Names and titles lose the spaces around them before they are checked, and are normalized: what is left is what is
// stored.

import { NOT_BLANK } from '../../contract/not-blank.ts'
import { singleLine } from '../../contract/single-line.ts'
import { isObject } from '../json.ts'

interface TextSchema {
  pattern?: string
  properties?: Readonly<Record<string, TextSchema>>
  items?: TextSchema
}

type Trim = (value: unknown) => unknown

function trimFields(fields: readonly (readonly [string, Trim])[]): Trim {
  return (value) => {
    if (!isObject(value)) return value
    const trimmed = fields.flatMap(([name, trim]) =>
      Object.hasOwn(value, name) ? [[name, trim(value[name])]] : [],
    )
    return { ...value, ...Object.fromEntries(trimmed) }
  }
}

/** @returns undefined where nothing in a schema is trimmed */
export function trimOf(schema: TextSchema): Trim | undefined {
  if (schema.pattern === NOT_BLANK) return (value) => (typeof value === 'string' ? singleLine(value) : value)
  const item = schema.items && trimOf(schema.items)
  if (item) return (value) => (Array.isArray(value) ? value.map(item) : value)
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const trim = trimOf(inner)
    return trim ? [[name, trim] as const] : []
  })
  return fields.length > 0 ? trimFields(fields) : undefined
}
