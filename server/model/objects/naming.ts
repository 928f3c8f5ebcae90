// Decides which attribute names the records of an object: the only place of this rule, in SQL.
import sql, { type Sql } from 'sql-template-tag'
import { ATTRIBUTE_TYPES, TYPE_CONTRACTS } from '../../../contract/attribute-types.ts'
import { invalidField } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'

const ABLE = ATTRIBUTE_TYPES.filter((type) => TYPE_CONTRACTS[type].naming !== undefined)
const PREFERRED = ABLE.filter((type) => TYPE_CONTRACTS[type].naming === 'preferred')

const isAble = sql`n.is_active and n.deleted_at is null and not n.is_list and n.type = any(${ABLE}::text[])`

/**
 * A column of the attribute `n` that names the records of `objects o`; null if no attribute can. In order of
 * preference: the chosen attribute, the attribute with the slug name, the first text, the first email address.
 */
export const naming = (column: Sql): Sql => sql`(
  select ${column} from attributes n
  where n.org = o.org and n.obj = o.obj and ${isAble}
  order by n.is_naming desc, n.slug = 'name' and n.type = any(${PREFERRED}::text[]) desc,
    n.type = any(${PREFERRED}::text[]) desc, n.display_order, n.attr
  limit 1)`

/** Chooses an attribute or none, in a locked object. @returns whether the choice has changed */
export async function chooseNaming(
  tx: Db,
  { org, obj }: { org: number; obj: number },
  id: string | null,
): Promise<boolean> {
  const cleared = await tx.run(sql`
    update attributes n set is_naming = false
    where n.org = ${org} and n.obj = ${obj} and n.is_naming and n.id is distinct from ${id}::uuid`)
  if (id === null) return cleared > 0
  const chosen = await tx.maybeOne<{ before: boolean }>(sql`
    update attributes n set is_naming = true
    where n.org = ${org} and n.obj = ${obj} and n.id = ${id}::uuid and ${isAble}
    returning old.is_naming as before`)
  if (chosen) return !chosen.before
  throw invalidField(
    'namingAttributeId',
    'invalid_reference',
    'must be the id of an active attribute of the object of type text, name or email that is not a list, or null',
  )
}
