// Takes unique values before their records are written, so that a taken value only fails its row.
import sql from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import {
  type HeldValue,
  heldBy,
  heldKey,
  heldRows,
  holdersOf,
  inLockOrder,
  type RecordDraft,
  type UniqueValue,
  uniqueKey,
} from './store.ts'

/** The value that a draft could not take, and its holder; undefined if the holder has just released it. */
export type Conflict = UniqueValue & { holder: string | undefined }

export interface ClaimResult {
  won: HeldValue[]
  /** By draft id: the conflict of each draft that could not take all its values. */
  lost: Map<string, Conflict>
}

/**
 * Whether a record has one of the values, or two drafts have the same value. Uncommitted values of others are not
 * visible.
 */
export async function isAnyTaken(db: Db, org: number, drafts: readonly RecordDraft[]): Promise<boolean> {
  const values = heldBy(drafts)
  if (values.length === 0) return false
  if (new Set(values.map(uniqueKey)).size < values.length) return true
  return db.value<boolean>(sql`
    select exists (
      select from ${heldRows(values)} cross join lateral (
        select u.id from uniques u
        where u.org = ${org} and u.attr = h.attr and u.value = h.value offset 0) as holder) as taken`)
}

/** Takes the free values, and waits for concurrent writers of the same values. @returns the taken values */
export const claimValues = (tx: Db, org: number, values: readonly HeldValue[]): Promise<HeldValue[]> =>
  tx.many<HeldValue>(sql`
    insert into uniques (org, attr, value, id) select ${org}, attr, value, id from ${heldRows(inLockOrder(values))}
    on conflict do nothing returning attr, value, id`)

export async function releaseValues(tx: Db, org: number, values: readonly HeldValue[]): Promise<void> {
  if (values.length === 0) return
  await tx.run(sql`
    delete from uniques u using ${heldRows(values)}
    where u.org = ${org} and u.attr = h.attr and u.value = h.value and u.id = h.id`)
}

/** Takes the free values of the drafts. */
export async function claimUniques(
  tx: Db,
  org: number,
  drafts: readonly RecordDraft[],
): Promise<ClaimResult> {
  const claims = heldBy(drafts)
  if (claims.length === 0) return { won: [], lost: new Map() }
  const won = await claimValues(tx, org, claims)
  const taken = new Set(won.map(heldKey))
  const rest = claims.filter((claim) => !taken.has(heldKey(claim)))
  if (rest.length === 0) return { won, lost: new Map() }
  const holders = await holdersOf(tx, org, rest)
  // The conflict of a draft is the first value that it lost.
  const lost = rest.filter((claim) => holders.get(uniqueKey(claim)) !== claim.id).toReversed()
  return {
    won,
    lost: new Map(
      lost.map(({ attr, value, id }) => [
        id,
        { attr, value, holder: holders.get(uniqueKey({ attr, value })) },
      ]),
    ),
  }
}

/** Releases the other values of drafts with a conflict. */
export const releaseUniques = (tx: Db, org: number, { won, lost }: ClaimResult): Promise<void> =>
  releaseValues(
    tx,
    org,
    won.filter(({ id }) => lost.has(id)),
  )

/** Releases the values that updated records no longer have. */
export async function dropUniques(
  tx: Db,
  org: number,
  changes: readonly { draft: RecordDraft; attrs: number[] }[],
): Promise<void> {
  const touched = changes.flatMap(({ draft, attrs }) => attrs.map((attr) => ({ id: draft.id, attr })))
  if (touched.length === 0) return
  const kept = heldBy(changes.map(({ draft }) => draft))
  await tx.run(sql`
    delete from uniques u
    using unnest(${touched.map(({ id }) => id)}::uuid[], ${touched.map(({ attr }) => attr)}::int[]) as t(id, attr)
    where u.org = ${org} and u.id = t.id and u.attr = t.attr
      and (u.attr, u.value, u.id) not in (select h.attr, h.value, h.id from ${heldRows(kept)})`)
}
