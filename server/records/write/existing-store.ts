// Finds which of the referenced records exist, without locks.
import sql from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { recordsByIds } from '../../model/objects/record-lookup.ts'
import { type Link, type RecordDraft, targetKey, targetsOf } from './store.ts'

/** The ids among `ids` that are records of the object. */
export async function selectExisting(
  db: Db,
  model: ObjectModel,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.many<{ id: string }>(
    sql`select r.id from ${recordsByIds(model, sql`${ids}::uuid[]`)}`,
  )
  return new Set(rows.map(({ id }) => id))
}

type Target = Pick<Link, 'targetObj' | 'target'>

/** The referenced records that exist. */
export const selectTargets = (db: Db, org: number, targets: readonly Target[]): Promise<Target[]> =>
  db.many(sql`
    select t.obj as "targetObj", t.id as target
    from unnest(${targets.map(({ targetObj }) => targetObj)}::int[], ${targets.map(({ target }) => target)}::uuid[]) as t(obj, id)
    where exists (select from records r where r.org = ${org} and r.obj = t.obj and r.id = t.id)`)

/** The drafts' references to records that do not exist, by targetKey. */
export async function selectMissing(
  db: Db,
  org: number,
  drafts: readonly Pick<RecordDraft, 'links'>[],
): Promise<Set<string>> {
  const targets = targetsOf(drafts)
  if (targets.length === 0) return new Set()
  const found = await selectTargets(db, org, targets)
  return new Set(targets.map(targetKey)).difference(new Set(found.map(targetKey)))
}
