// Objects that are indexed from their first record on: nothing needs to be filled in or folded.
import sql from 'sql-template-tag'
import { NUMBER_TYPES } from '../../../contract/attribute-types.ts'
import type { Db } from '../../db/pool.ts'
import { SEARCHED } from '../../model/attributes/starting-index.ts'

export interface IndexedAs {
  /** What is counted of texts: each value, or only records with any value. */
  texts: 'values' | 'presence'
  keepsMissing: boolean
}

/** Gives an object without records a complete index. Its new version makes cached models stale. */
export async function indexEmptyObject(
  db: Db,
  objectId: string,
  { texts, keepsMissing }: IndexedAs,
): Promise<void> {
  const { org, obj } = await db.one<{ org: number; obj: number }>(sql`
    update objects set index_state = 'ready', version = nextval('object_versions') where id = ${objectId}
    returning org, obj`)
  await db.run(sql`
    update attributes a set index_state = 'ready', is_counted = true,
      search_state = case when type = any(${SEARCHED}::text[]) and ${texts}::text = 'presence'
        then 'ready' else 'none' end,
      counting = case when type = 'reference' then 'none'
        when type = any(${[...NUMBER_TYPES]}::text[]) then case when is_list then 'presence' else 'ranges' end
        when type in ('select', 'checkbox', 'date', 'list') then 'values' else ${texts}::text end,
      keeps_missing = ${keepsMissing}::boolean and not is_list and type not in ('list', 'reference')
    where org = ${org} and obj = ${obj}`)
}
