// Versions of records of which an attribute was deleted, or switched off or on (attributes/shown-store.ts).
import sql, { empty, type Sql } from 'sql-template-tag'
import type { OfAttribute, ShownRecords } from '../attributes/shown-store.ts'
import type { Db } from '../db/pool.ts'
import { eventsFrom } from '../events/outbox.ts'
import { nextEvent, nextVersion } from '../events/sequence.ts'
import { recordsByIds } from '../objects/record-lookup.ts'
import { indexCleared } from '../query-engine/maintenance/index-writes.ts'

const isIndexed = (tx: Db, { org, obj }: Pick<OfAttribute, 'org' | 'obj'>) =>
  tx.value<boolean>(sql`
    select index_state <> 'none' as indexed from objects where org = ${org} and obj = ${obj}`)

/** What the records show, and the value that they show or showed. */
const shownEvents = (
  { org, obj, slug }: Pick<OfAttribute, 'org' | 'obj' | 'slug'>,
  isShown: boolean,
): Sql => {
  const value = sql`with_renamed_options(written.before, coalesce(o.renaming, '{}'))->${slug}::text`
  const [from, to] = isShown ? [sql`null::jsonb`, value] : [value, sql`null::jsonb`]
  return sql`(
    select ${nextEvent(sql`written`, sql`gen_random_uuid()`)}, written.id as subject,
      with_renamed_options(written.data - o.hidden_slugs, coalesce(o.renaming, '{}')) as data,
      jsonb_build_object(${slug}::text, jsonb_build_object('from', ${from}, 'to', ${to})) as changes
    from written join objects o on o.org = ${org} and o.obj = ${obj}) as change`
}

/** Gives records whose value is hidden, shown or removed their next version and event. */
export async function writeVersions(
  tx: Db,
  { org, obj, slug }: OfAttribute,
  { ids, change, isRemoved }: ShownRecords,
): Promise<void> {
  const index = (await isIndexed(tx, { org, obj })) ? indexCleared({ org, obj }, sql`written`) : empty
  const removed = sql`data = r.data - ${slug}::text, comparable = nullif(r.comparable - ${slug}::text, '{}'),`
  const author = { org, userId: change.userId, keyId: change.keyId, isQuiet: true as const }
  await tx.run(sql`
    with written as (
      update records c set ${isRemoved ? removed : empty} ${nextVersion(sql`r`)}
      from ${recordsByIds({ org, obj }, sql`${ids}::uuid[]`)}
      where c.org = ${org} and c.ctid = r.place
      returning c.id, old.data as before, new.data as data, old.updated_at as updated_before, new.updated_at,
        new.version, new.event_order)
    ${index},
    ${eventsFrom(author, { type: 'record.updated', obj }, shownEvents({ org, obj, slug }, change.isShown))}
    select from event`)
}
