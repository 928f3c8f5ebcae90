// Unique values taken before the records that hold them are written, so that a taken one costs its row only.
import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import {
  type Draft,
  type HeldValue,
  heldBy,
  heldRows,
  selectUniques,
  type UniqueValue,
} from './write-store.ts'

/** The value that a draft could not have, and who has it; undefined when the holder has just let go of it. */
export type Conflict = UniqueValue & { holder: string | undefined }

const keyOf = ({ attr, value }: UniqueValue) => `${attr} ${value}`

export interface Claimed {
  won: HeldValue[]
  /** By draft id: the conflict of each draft that could not have all its values. */
  lost: Map<string, Conflict>
}

/** Does a record have one of the values, or two drafts the same? What others are writing is not seen. */
export async function isAnyTaken(db: Db, org: number, drafts: readonly Draft[]): Promise<boolean> {
  const values = heldBy(drafts)
  if (values.length === 0) return false
  if (new Set(values.map(keyOf)).size < values.length) return true
  return db.value<boolean>(sql`
    select exists (
      select from ${heldRows(values)} cross join lateral (
        select u.id from uniques u
        where u.org = ${org} and u.attr = h.attr and u.value = h.value offset 0) as holder) as taken`)
}

/** Takes every value that is free, waiting for writers that are taking it too. */
export async function claimUniques(tx: Db, org: number, drafts: readonly Draft[]): Promise<Claimed> {
  const claims = heldBy(drafts)
  if (claims.length === 0) return { won: [], lost: new Map() }
  const won = await tx.many<HeldValue>(sql`
    insert into uniques (org, attr, value, id) select ${org}, attr, value, id from ${heldRows(claims)}
    on conflict do nothing returning attr, value, id`)
  const taken = new Set(won.map(keyOf))
  const rest = claims.filter((claim) => !taken.has(keyOf(claim)))
  if (rest.length === 0) return { won, lost: new Map() }
  const holders = new Map((await selectUniques(tx, org, rest)).map((row) => [keyOf(row), row.id]))
  const lost = rest.filter((claim) => holders.get(keyOf(claim)) !== claim.id)
  return {
    won,
    lost: new Map(
      lost.map(({ attr, value, id }) => [id, { attr, value, holder: holders.get(keyOf({ attr, value })) }]),
    ),
  }
}

/** Gives back what the losers had won meanwhile. */
export async function releaseUniques(tx: Db, org: number, { won, lost }: Claimed): Promise<void> {
  const returned = won.filter(({ id }) => lost.has(id))
  if (returned.length === 0) return
  await tx.run(sql`
    delete from uniques u using ${heldRows(returned)}
    where u.org = ${org} and u.attr = h.attr and u.value = h.value and u.id = h.id`)
}

/** Lets go of the values that updated records no longer have. */
export async function dropUniques(
  tx: Db,
  org: number,
  changes: readonly { draft: Draft; attrs: number[] }[],
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
