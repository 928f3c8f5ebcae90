// Replaces unique domains from versions that did not compare host names, ahead of the job in rewrites/.
import sql from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { recordsByIds } from '../../model/objects/record-lookup.ts'
import { FOR_CHANGE, type HeldValue } from './store.ts'

/** A unique value of a record, and the host name that replaces it. */
export type OldClaim = HeldValue & { host: string }

/** Locks the records, so that no record changes or is deleted during the replacement. */
const lockHolders = (tx: Db, model: ObjectModel, claims: readonly OldClaim[]) =>
  tx.run(sql`
    select from ${recordsByIds(model, sql`${claims.map(({ id }) => id)}::uuid[]`, { lock: FOR_CHANGE })} order by i.id`)

/**
 * Replaces texts by their host names, as the job does. If two records have the same host, the first takes it. If
 * another record has the host, the text stays until the job removes it.
 */
const replaceTexts = (tx: Db, { org }: ObjectModel, claims: readonly OldClaim[]) =>
  tx.run(sql`
    with held as materialized (
      select u.attr, u.value, u.id, c.host
      from unnest(${claims.map(({ attr }) => attr)}::int[], ${claims.map(({ value }) => value)}::text[],
        ${claims.map(({ id }) => id)}::uuid[], ${claims.map(({ host }) => host)}::text[]) as c(attr, value, id, host)
      join uniques u on u.org = ${org} and u.attr = c.attr and u.value = c.value and u.id = c.id),
    claimed as (
      insert into uniques (org, attr, value, id)
      select ${org}, attr, host, id from held order by attr, host, id
      on conflict do nothing returning attr, id)
    delete from uniques u using held h, claimed c
    where u.org = ${org} and u.attr = h.attr and u.value = h.value and u.id = h.id and c.attr = h.attr and c.id = h.id`)

/** Replaces the old unique values, so that the records are found by their host names. */
export const claimHosts = (db: Db, model: ObjectModel, claims: readonly OldClaim[]): Promise<number> =>
  db.transaction(async (tx) => {
    await lockHolders(tx, model, claims)
    return replaceTexts(tx, model, claims)
  })
