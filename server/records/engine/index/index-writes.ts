// Index rows and counters, written by the statement that writes the records.
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { ObjectModel } from '../../../model/attributes/models.ts'
import type { IndexedAttribute } from '../../../model/attributes/object-index.ts'
import { valueParts, type Written } from './changed-values.ts'
import { type ChangeTimes, changePart, changeTimePart } from './counter-changes.ts'
import type { StoredSide } from './index-keys.ts'
import { indexRowParts } from './index-rows.ts'

type Kept = Pick<ObjectModel, 'org' | 'obj' | 'index'>

/** Whether the attribute has index rows or counters. */
const isKept = ({ state, search, counting }: IndexedAttribute) =>
  state !== 'none' || search !== 'none' || counting !== 'none'

/** More CTEs of a writing statement, after a comma. Empty for an object without an index. */
function indexWrites(
  { org, obj, index }: Kept,
  { changeTimes, slugs, ...written }: Written & { changeTimes: ChangeTimes; slugs?: ReadonlySet<string> },
): Sql {
  if (!index) return empty
  const attributes = [...index.attributes.values()].filter(
    (one) => isKept(one) && (slugs === undefined || slugs.has(one.slug)),
  )
  const changed = { written, attributes }
  const parts = [
    ...(attributes.length === 0 ? [] : valueParts(changed)),
    ...indexRowParts({ org, ...changed }),
    changePart({ org, obj }, changed, changeTimes),
  ]
  return sql`, ${join(parts)}`
}

const SIDE: StoredSide = { data: sql`w.data`, comparable: sql`w.comparable` }
const BEFORE: StoredSide = { data: sql`w.before`, comparable: sql`w.comparable_before` }
const CHANGED_AT = sql`w.updated_at`
const CHANGE_TIMES: ChangeTimes = { before: sql`w.updated_before`, after: CHANGED_AT }

/** @param name CTE of new records, with id, updated_at, data and comparable */
export const indexInserted = (model: Kept, name: Sql): Sql =>
  indexWrites(model, { name, after: SIDE, changeTimes: { after: CHANGED_AT } })

/**
 * @param name CTE of changed records, as for indexInserted; with updated_at, data and comparable from before as
 * `updated_before`, `before`, `comparable_before`
 * @param slugs all attributes that may have changed
 */
export const indexUpdated = (model: Kept, name: Sql, slugs: ReadonlySet<string>): Sql =>
  indexWrites(model, { name, before: BEFORE, after: SIDE, changeTimes: CHANGE_TIMES, slugs })

/** @param name CTE of records whose only change is cleared references, with updated_at and `updated_before` */
export const indexCleared = (object: Pick<ObjectModel, 'org' | 'obj'>, name: Sql): Sql =>
  sql`, ${changeTimePart(object, name, CHANGE_TIMES)}`

/** @param name CTE of deleted records, as for indexInserted */
export const indexDeleted = (model: Kept, name: Sql): Sql =>
  indexWrites(model, { name, before: SIDE, changeTimes: { before: CHANGED_AT } })
