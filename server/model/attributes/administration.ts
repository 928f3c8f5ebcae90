// Changes the order of attributes.
import type { Attribute } from '../../../contract/attributes.ts'
import { invalid } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { lockObject, renewVersion } from '../objects/store.ts'
import { selectPlaces, updateOrder } from './order-store.ts'
import { listAttributes } from './store.ts'

/** The named attributes first, then the others in their current order. @throws 400 validation_error */
function reordered(present: readonly { attr: number; id: string }[], named: readonly string[]): number[] {
  const attrs = new Map(present.map(({ id, attr }) => [id, attr]))
  const ids = named.map((id) => id.toLowerCase())
  const problems = ids.flatMap((id, index) => {
    const path = `ids[${index}]`
    if (!attrs.has(id))
      return [{ path, code: 'invalid_reference', message: 'must be the id of an attribute of this object' }]
    const first = ids.indexOf(id)
    return first === index
      ? []
      : [{ path, code: 'duplicate', message: `is the same as ids[${first}]: leave one out` }]
  })
  if (problems.length > 0) throw invalid('validation_error', problems)
  const first = new Set(ids)
  const rest = present.filter(({ id }) => !first.has(id))
  return [...ids.flatMap((id) => attrs.get(id) ?? []), ...rest.map(({ attr }) => attr)]
}

/** @returns all attributes in their new order, including inactive ones @throws 400 validation_error, 404 not_found */
export function orderAttributes(
  { db }: { db: Db },
  org: number,
  { objectId, ids }: { objectId: string; ids: readonly string[] },
): Promise<Attribute[]> {
  return db.transaction(async (tx) => {
    const { obj } = await lockObject(tx, org, objectId)
    const attrs = reordered(await selectPlaces(tx, org, obj), ids)
    if ((await updateOrder(tx, org, attrs)) > 0) await renewVersion(tx, org, obj)
    return listAttributes(tx, org, { objectId, includeInactive: true })
  })
}
