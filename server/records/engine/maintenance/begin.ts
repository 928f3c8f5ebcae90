// Begins the index of an object: from the next statement on, its writers write index rows and changes of counters.
import sql from 'sql-template-tag'
import type { Db } from '../../../db/pool.ts'
import { type Choice, chooseIndex } from './index-choice.ts'
import { type SampledRow, sampleAttributes } from './sample-store.ts'
import { askForWork, lockObjectIn, type ObjectKey, ofObject } from './work-store.ts'

const writeChoices = (tx: Db, { org }: ObjectKey, choices: readonly Choice[]) =>
  tx.run(sql`
    update attributes a set index_state = 'building', counting = c.counting, is_counted = false,
      search_state = case when c.searched then 'building' else 'none' end, keeps_missing = c.missing
    from unnest(${choices.map(({ attr }) => attr)}::int[], ${choices.map(({ counting }) => counting)}::text[],
                ${choices.map(({ isSearched }) => isSearched)}::boolean[],
                ${choices.map(({ keepsMissing }) => keepsMissing)}::boolean[]) as c(attr, counting, searched, missing)
    where a.org = ${org} and a.attr = c.attr`)

const choose = ({ records, ...attribute }: SampledRow) => chooseIndex(attribute, records)

/** Whether the object has at least `records` records. Scans that many keys at most. */
export async function hasAtLeast(db: Db, object: ObjectKey, records: number): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(sql`
    select exists (
      select from records r where ${ofObject(object, sql`r`)} offset ${records - 1} limit 1) as found`)
  return found
}

/** This many records within LOADED_SECONDS are a bulk load. Index rows are written faster after a load. */
const LOADED = 2000
const LOADED_SECONDS = 10

export async function isBeingLoaded(db: Db, object: ObjectKey): Promise<boolean> {
  const { found } = await db.one<{ found: boolean }>(sql`
    select exists (
      select from records r
      where ${ofObject(object, sql`r`)} and r.updated_at > now() - make_interval(secs => ${LOADED_SECONDS})
      offset ${LOADED - 1} limit 1) as found`)
  return found
}

/** @returns false when the object is deleted, has an index, or still has rows of a dropped one */
export const beginIndex = (db: Db, object: ObjectKey): Promise<boolean> =>
  db.transaction(async (tx) => {
    if (!(await lockObjectIn(tx, object, 'none'))) return false
    const cleared = await tx.run(
      sql`select from objects o where ${ofObject(object, sql`o`)} and o.index_since is null`,
    )
    if (cleared === 0) return false
    await writeChoices(tx, object, (await sampleAttributes(tx, object)).map(choose))
    await askForWork(tx, object, 'building')
    return true
  })
