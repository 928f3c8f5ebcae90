// Folding: adds the changes of an object to its counters, one batch per transaction. A late fold makes reads slower,
// not wrong: every reader of counters reads the changes as well.
import sql from 'sql-template-tag'
import type { Db } from '../../../db/pool.ts'
import type { IndexedAttribute } from '../../../model/attributes/object-index.ts'
import { countedAs, DIFFERENT_MAX } from './counter-store.ts'
import { demote } from './demote.ts'
import { dropZeros, foldChanges } from './fold-store.ts'
import { mergeThinned, splitGrown } from './split-store.ts'
import { type ObjectKey, ofObject, selectIndexed, tryLock } from './work-store.ts'

export interface FoldResult {
  /** Number of changes that were taken. A statement writes several for each record. */
  changes: number
  /** Whether more are left. */
  hasMore: boolean
  /** Whether index rows have to be filled in afterwards. */
  hasWork: boolean
}

const NOTHING: FoldResult = { changes: 0, hasMore: false, hasWork: false }

const isReady = async (tx: Db, object: ObjectKey) =>
  (await tx.run(
    sql`select from objects o where ${ofObject(object, sql`o`)} and o.index_state = 'ready' and o.deleted_at is null`,
  )) > 0

/**
 * Folds a batch of an object's changes into its readable counters. Does nothing while another node folds the object.
 */
export const foldObject = (db: Db, object: ObjectKey): Promise<FoldResult> =>
  db.transaction(async (tx) => {
    if (!(await tryLock(tx, 'fold', object))) return NOTHING
    const ready = await isReady(tx, object)
    const attributes = ready ? await selectIndexed(tx, object) : []
    const folded = await foldChanges(tx, object, { attributes, isReady: ready })
    await dropZeros(tx, object, folded)
    const hasWork = await demote(tx, object, folded.long)
    return { changes: folded.changes, hasMore: folded.hasMore, hasWork }
  })

const selectDiverse = async (tx: Db, object: ObjectKey, attributes: readonly IndexedAttribute[]) => {
  const rows = await tx.many<{ attr: number }>(sql`
    select s.attr from stat_text s
    where ${ofObject(object, sql`s`)} and s.attr = any(${countedAs(attributes, 'values')}::int[])
    group by s.attr having count(*) > ${DIFFERENT_MAX}`)
  return rows.map(({ attr }) => attr)
}

/**
 * Splits buckets that have grown, merges buckets of change times that have few records left, and stops counting
 * attributes with too many values. Call it rarely: it scans all counters.
 * @returns whether index rows have to be filled in afterwards
 */
export const tidyCounters = (db: Db, object: ObjectKey): Promise<boolean> =>
  db.transaction(async (tx) => {
    if (!(await tryLock(tx, 'fold', object)) || !(await isReady(tx, object))) return false
    const attributes = (await selectIndexed(tx, object)).filter(({ isCounted }) => isCounted)
    await splitGrown(tx, object, countedAs(attributes, 'ranges'))
    await mergeThinned(tx, object)
    return demote(tx, object, await selectDiverse(tx, object, attributes))
  })
