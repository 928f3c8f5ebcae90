// Writes new versions of records after an attribute was deleted, or switched off or on
// (model/attributes/shown-store.ts).
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { nextVersion } from '../../events/sequence.ts'
import type { OfAttribute, ShownRecords } from '../../model/attributes/shown-store.ts'
import { recordsByIds } from '../../model/objects/record-lookup.ts'
import { indexCleared } from '../engine/index/index-writes.ts'
import { NO_RESULT, updateStatement, valueChange, WRITTEN, writerOf } from './statements.ts'

const isIndexed = (tx: Db, { org, obj }: Pick<OfAttribute, 'org' | 'obj'>) =>
  tx.value<boolean>(sql`
    select index_state <> 'none' as indexed from objects where org = ${org} and obj = ${obj}`)

/** The visible data of the records; `o` is their joined object. */
const visible = sql`with_renamed_options(written.data - o.hidden_slugs, coalesce(o.renaming, '{}'))`

/** The change of the visible value: from null if it is shown, to null if it is hidden or removed. */
function shownChange(slug: string, isShown: boolean): Sql {
  const value = sql`with_renamed_options(written.before, coalesce(o.renaming, '{}'))->${slug}::text`
  const none = sql`null::jsonb`
  return valueChange(slug, isShown ? { from: none, to: value } : { from: value, to: none })
}

/** Gives records whose value is hidden, shown or removed their next version and event. */
export async function writeVersions(
  tx: Db,
  { org, obj, slug }: OfAttribute,
  { ids, change, isRemoved }: ShownRecords,
): Promise<void> {
  const removed = sql`data = r.data - ${slug}::text, comparable = nullif(r.comparable - ${slug}::text, '{}'),`
  const author = { org, userId: change.userId, keyId: change.keyId, isQuiet: true as const }
  const statement = updateStatement(writerOf(author, { obj, visible }), {
    set: sql`${isRemoved ? removed : empty} ${nextVersion(sql`r`)}`,
    from: recordsByIds({ org, obj }, sql`${ids}::uuid[]`),
    index: (await isIndexed(tx, { org, obj })) ? indexCleared({ org, obj }, WRITTEN) : empty,
    changes: shownChange(slug, change.isShown),
    source: sql`written join objects o on o.org = ${org} and o.obj = ${obj}`,
    result: NO_RESULT,
  })
  await tx.run(statement)
}
