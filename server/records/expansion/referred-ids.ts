// The ids of a reference, from the text of a record's data. Parsing the data of a page took a third of the time of its
// expansion.
import { TYPE_CONTRACTS } from '../../../contract/attribute-types.ts'

/** Keys within values. */
const PARTS = new Set(Object.values(TYPE_CONTRACTS).flatMap(({ parts = [] }) => parts))

function valueIn(data: string, slug: string): unknown {
  if (PARTS.has(slug)) return (JSON.parse(data) as Record<string, unknown>)[slug]
  // As PostgreSQL writes keys; in a text the quotation marks have backslashes.
  const key = `"${slug}": `
  const at = data.indexOf(key)
  if (at < 0) return undefined
  const start = at + key.length
  const end = data.indexOf(data[start] === '[' ? ']' : '"', start + 1)
  return JSON.parse(data.slice(start, end + 1))
}

/** @param data text of PostgreSQL's jsonb @param slug of an attribute whose values are ids, one or a list */
export const referredIds = (data: string, slug: string): string[] => {
  const value = valueIn(data, slug)
  return [value].flat().filter((one): one is string => typeof one === 'string')
}
