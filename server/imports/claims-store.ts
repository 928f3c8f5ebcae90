// Which record has each unique value after the rows checked so far: as in the database, overridden by the claims of the
// check.
import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import type { HeldValue, UniqueValue } from '../records/write/store.ts'
import type { ImportRef } from './store.ts'

export interface ClaimHolder {
  /** Id of the record; a new id if a row of the file creates it. */
  id: string
  /** Index of the row that creates the record; null for existing records. */
  line: number | null
}

export type HolderRow = UniqueValue & { holder: string | null; line: number | null }

/** The holder of each of the values; null for a value without a holder. */
export const selectHolders = (tx: Db, { org, id }: ImportRef, values: readonly UniqueValue[]) =>
  tx.many<HolderRow>(sql`
    select v.attr, v.value, case when c.attr is null then u.id else c.holder end as holder, c.line
    from unnest(${values.map(({ attr }) => attr)}::int[], ${values.map(({ value }) => value)}::text[]) as v(attr, value)
    left join import_claims c on c.org = ${org} and c.import = ${id} and c.attr = v.attr and c.value = v.value
    left join uniques u on u.org = ${org} and u.attr = v.attr and u.value = v.value`)

/** The unique values of the records, for the given attributes. */
export const selectHeld = (
  tx: Db,
  { org, id }: ImportRef,
  { ids, attrs }: { ids: readonly string[]; attrs: readonly number[] },
) =>
  tx.many<HeldValue>(sql`
    select u.attr, u.value, u.id from uniques u
    where u.org = ${org} and u.id = any(${ids}::uuid[]) and u.attr = any(${attrs}::int[])
      and not exists (select from import_claims c
        where c.org = ${org} and c.import = ${id} and c.attr = u.attr and c.value = u.value)
    union all
    select c.attr, c.value, c.holder from import_claims c
    where c.org = ${org} and c.import = ${id} and c.holder = any(${ids}::uuid[]) and c.attr = any(${attrs}::int[])`)

export const saveClaims = (tx: Db, { org, id }: ImportRef, claims: readonly HolderRow[]) =>
  tx.run(sql`
    insert into import_claims (org, import, attr, value, holder, line)
    select ${org}, ${id}, c.attr, c.value, c.holder, c.line
    from jsonb_to_recordset(${JSON.stringify(claims)}::jsonb) as c(attr int, value text, holder uuid, line int)
    on conflict (org, import, attr, value) do update set holder = excluded.holder, line = excluded.line`)

export const dropClaims = (tx: Db, { org, id }: ImportRef) =>
  tx.run(sql`delete from import_claims where org = ${org} and import = ${id}`)
