// Merges and undone merges, whose events are undone as one. All events of such a unit are one transaction. The unit is
// undone when the undo job reaches its main event; its other events need no undo.
import sql from 'sql-template-tag'
import { idTime, lowestIdAt } from '../base/id.ts'
import type { Db } from '../db/pool.ts'

/** Longer than any transaction: only partitions near the events are searched. */
const LONGEST_MS = 3_600_000

export interface Unit {
  kind: 'merge' | 'unmerge'
  /** The event by which the unit is undone: no event of the unit that must be undone before it follows it. */
  event: string
}

/**
 * The units of the transactions that wrote events, by the transaction. A merge ends with the update that names the
 * losers. An undone merge has the creations of the restored losers, which name that update in `restores`.
 */
export async function selectUnits(
  tx: Db,
  org: number,
  events: readonly { id: string; transaction: string }[],
): Promise<ReadonlyMap<string, Unit>> {
  if (events.length === 0) return new Map()
  const ids = events.map(({ id }) => id).sort()
  const since = lowestIdAt(new Date(idTime(ids.at(0) ?? '') - LONGEST_MS))
  const until = lowestIdAt(new Date(idTime(ids.at(-1) ?? '') + LONGEST_MS))
  const near = sql`e.id between ${since}::uuid and ${until}::uuid`
  const transactions = new Set(events.map(({ transaction }) => transaction))
  const rows = await tx.many<{ transaction: string; merge: string | null; unmerge: string | null }>(sql`
    select t.tx::text as transaction, m.id as merge, u.id as unmerge
    from unnest(${[...transactions]}::xid8[]) as t(tx)
    left join lateral (
      select e.id from events e
      where e.org = ${org} and e.type = 'record.updated' and e.tx = t.tx and ${near} and e.merged_ids is not null
      order by e.id desc limit 1) as m on true
    left join lateral (
      select e.id from events e
      where e.org = ${org} and e.type = 'record.created' and e.tx = t.tx and ${near} and e.restores is not null
      order by e.id desc limit 1) as u on true
    where m.id is not null or u.id is not null`)
  return new Map(
    rows.map(({ transaction, merge, unmerge }) => [
      transaction,
      merge === null ? { kind: 'unmerge', event: unmerge ?? '' } : { kind: 'merge', event: merge },
    ]),
  )
}

/**
 * @param undoing the change set of the undo job: what the job itself merged again does not count
 * @returns the merge that the event announced; undefined if it was undone, or can no longer be undone
 */
export const findMergeOf = (
  tx: Db,
  { org, undoing }: { org: number; undoing: string | undefined },
  event: string,
): Promise<string | undefined> =>
  tx.maybeValue<string>(sql`
    select m.id from events e join merges m on m.org = e.org and m.obj = e.obj and m.winner = e.subject and m.losers = e.merged_ids
    where e.org = ${org} and e.id = ${event} and not exists (
      select from events l
      where l.org = e.org and l.subject = e.subject and l.id > e.id and l.merged_ids = e.merged_ids and not exists (
        select from change_set_batches b
        where b.org = l.org and b.change_set = ${undoing ?? null}::uuid and l.id = any(b.events)))`)

export interface EventOfUnit {
  event: string
  recordId: string
  version: number
}

/** The updates of records in the transaction of an event, the first of each record. */
export const selectUpdatesWith = (tx: Db, org: number, event: string): Promise<EventOfUnit[]> =>
  tx.many<EventOfUnit>(sql`
    select distinct on (u.subject) u.id as event, u.subject as "recordId", coalesce(u.version, 0) as version
    from events e join events u on u.org = e.org and u.type = 'record.updated' and u.tx = e.tx
    where e.org = ${org} and e.id = ${event} order by u.subject, u.id`)

export interface UndoneMergeEvents {
  winner: string
  /** The merged records that exist. */
  losers: string[]
  /** Those that do not exist any more. */
  missing: string[]
  /** The changes of the winner by the undoing, the first one first, as JSON texts. */
  changes: string[]
}

/** What the transaction with this creation of a restored loser undid. */
export const findUndoneMerge = (
  tx: Db,
  { org, obj }: { org: number; obj: number },
  event: string,
): Promise<UndoneMergeEvents | undefined> =>
  tx.maybeOne<UndoneMergeEvents>(sql`
    select m.subject as winner,
      array(select l.id from unnest(m.merged_ids) with ordinality as l(id, nr)
        join records r on r.org = ${org} and r.obj = ${obj} and r.id = l.id order by l.nr) as losers,
      array(select l.id from unnest(m.merged_ids) with ordinality as l(id, nr)
        where not exists (select from records r where r.org = ${org} and r.obj = ${obj} and r.id = l.id)
        order by l.nr) as missing,
      array(select w.changes::text from events w
        where w.org = ${org} and w.type = 'record.updated' and w.tx = e.tx and w.subject = m.subject and not w.is_erased
        order by w.id) as changes
    from events e join events m on m.org = e.org and m.id = e.restores
    where e.org = ${org} and e.id = ${event}`)
