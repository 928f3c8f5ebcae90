// Reads the ids of a reference from the text of a record's data. Parsing the data of a page took a third of the time of
// its expansion.
import { TYPE_CONTRACTS } from '../../../contract/attribute-types.ts'

/** Keys within values: the names of parts. */
const PARTS = new Set(Object.values(TYPE_CONTRACTS).flatMap(({ parts = [] }) => parts))

/** An id, or a list of them, as PostgreSQL writes them. */
const IDS = /"[\w-]+"|\[(?:"[\w-]+"(?:, )?)*\]/y

function valueIn(data: string, slug: string): unknown {
  // Quotation marks within a text are escaped, so a text cannot contain this key.
  const key = `"${slug}": `
  const at = data.indexOf(key)
  if (at < 0) return undefined
  IDS.lastIndex = at + key.length
  const [ids] = (!PARTS.has(slug) && IDS.exec(data)) || []
  return ids === undefined ? (JSON.parse(data) as Record<string, unknown>)[slug] : JSON.parse(ids)
}

/** @param data text of PostgreSQL's jsonb @param slug of an attribute whose values are ids, one or a list */
export const referredIds = (data: string, slug: string): string[] =>
  [valueIn(data, slug)].flat().filter((one): one is string => typeof one === 'string')
