// Unique values taken before the records that hold them are written, so that a taken one costs its row only.
import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import { type Draft, selectUniques, type UniqueValue } from './write-store.ts'

type Claim = UniqueValue & { id: string }

/** The value that a draft could not have, and who has it; undefined when the holder has just let go of it. */
export type Conflict = UniqueValue & { holder: string | undefined }

const keyOf = ({ attr, value }: UniqueValue) => `${attr} ${value}`

/** In one order for every writer, so that two of them never wait for each other. */
const claimsOf = (drafts: readonly Draft[]): Claim[] =>
  drafts
    .flatMap(({ id, uniques }) => uniques.map((unique) => ({ ...unique, id })))
    .sort((a, b) => a.attr - b.attr || (a.value < b.value ? -1 : 1))

const rowsOf = (claims: readonly Claim[]) => sql`unnest(
  ${claims.map(({ attr }) => attr)}::int[], ${claims.map(({ value }) => value)}::text[], ${claims.map(({ id }) => id)}::uuid[]) as c(attr, value, id)`

export interface Claimed {
  won: Claim[]
  /** By draft id: the conflict of each draft that could not have all its values. */
  lost: Map<string, Conflict>
}

/** Takes every value that is free, waiting for writers that are taking it too. */
export async function claimUniques(tx: Db, org: number, drafts: readonly Draft[]): Promise<Claimed> {
  const claims = claimsOf(drafts)
  if (claims.length === 0) return { won: [], lost: new Map() }
  const won = await tx.many<Claim>(sql`
    insert into uniques (org, attr, value, id) select ${org}, attr, value, id from ${rowsOf(claims)}
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
    delete from uniques u using ${rowsOf(returned)}
    where u.org = ${org} and u.attr = c.attr and u.value = c.value and u.id = c.id`)
}

/** Lets go of the values that updated records no longer have. */
export async function dropUniques(
  tx: Db,
  org: number,
  changes: readonly { draft: Draft; attrs: number[] }[],
): Promise<void> {
  const touched = changes.flatMap(({ draft, attrs }) => attrs.map((attr) => ({ id: draft.id, attr })))
  if (touched.length === 0) return
  const kept = claimsOf(changes.map(({ draft }) => draft))
  await tx.run(sql`
    delete from uniques u
    using unnest(${touched.map(({ id }) => id)}::uuid[], ${touched.map(({ attr }) => attr)}::int[]) as t(id, attr)
    where u.org = ${org} and u.id = t.id and u.attr = t.attr
      and (u.attr, u.value, u.id) not in (select c.attr, c.value, c.id from ${rowsOf(kept)})`)
}
