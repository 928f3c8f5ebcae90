// Index rows and counters, kept in the statement that writes the records.
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { ObjectModel } from '../../attributes/models.ts'
import type { IndexedAttribute } from '../../attributes/object-index.ts'
import { valueParts, type Written } from './changes.ts'
import { changePart } from './counting.ts'
import type { Side } from './keys.ts'
import { indexRowParts } from './rows.ts'

type Kept = Pick<ObjectModel, 'org' | 'obj' | 'index'>

/** Whether anything is kept of it. */
const isKept = ({ state, search, counting }: IndexedAttribute) =>
  state !== 'none' || search !== 'none' || counting !== 'none'

/** More CTEs of a writing statement, with the comma before them; nothing for an object without an index. */
function upkeep({ org, obj, index }: Kept, written: Written, slugs?: ReadonlySet<string>): Sql {
  if (!index) return empty
  const attributes = [...index.attributes.values()].filter(
    (one) => isKept(one) && (slugs === undefined || slugs.has(one.slug)),
  )
  const changed = { written, attributes }
  const parts = [
    ...(attributes.length === 0 ? [] : valueParts(changed)),
    ...indexRowParts({ org, ...changed }),
    ...changePart({ org, obj }, changed),
  ]
  return parts.length === 0 ? empty : sql`, ${join(parts)}`
}

const SIDE: Side = { data: sql`w.data`, comparable: sql`w.comparable` }

/** `written`: CTE of new records, with id, data and comparable. */
export const indexInserted = (model: Kept, name: Sql): Sql => upkeep(model, { name, after: SIDE })

/**
 * `written`: CTE of changed records, as indexInserted; and data and comparable from before as `before`, `comparable_before`.
 * `slugs`: all that may have changed.
 */
export const indexUpdated = (model: Kept, name: Sql, slugs: ReadonlySet<string>): Sql =>
  upkeep(
    model,
    { name, before: { data: sql`w.before`, comparable: sql`w.comparable_before` }, after: SIDE },
    slugs,
  )

/** `written`: CTE of deleted records, as indexInserted. */
export const indexDeleted = (model: Kept, name: Sql): Sql => upkeep(model, { name, before: SIDE })
