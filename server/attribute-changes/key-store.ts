// Statements about attributes whose values get other unique keys, or lose them: `case_changes`. Their case is to count,
// or not to count, or they are to be unique, or are no longer.
import sql, { type Sql } from 'sql-template-tag'
import type { AttributeType } from '../../contract/attribute-types.ts'
import type { AttributeConfig } from '../../contract/attributes.ts'
import type { Db } from '../db/pool.ts'
import { isHere } from '../placement/placement.ts'
import { comparableText, elements, IGNORES_CASE, lower, storedValue } from '../records/filters/comparable.ts'
import { WITHOUT_CASE } from '../records/values/unique-keys.ts'

export type KeyPhase = 'fill' | 'clear'

/** An attribute whose records get keys, or lose them. */
export interface KeyChange {
  org: number
  obj: number
  attr: number
  slug: string
  type: AttributeType
  config: AttributeConfig
  /** Records get keys because the attribute becomes unique, or lose them because it no longer is. */
  isOfUniqueness: boolean
  /** Otherwise the rule about case of the keys that records get or lose. */
  isSensitive: boolean
  phase: KeyPhase
}

/**
 * From the end of the transaction on, values that are written are unique by both rules, or have the keys that the
 * attribute is getting. It takes the place of an earlier one.
 */
export const startKeyChange = (
  tx: Db,
  org: number,
  {
    attr,
    isOfUniqueness,
    isSensitive,
    phase,
  }: Pick<KeyChange, 'attr' | 'isOfUniqueness' | 'isSensitive' | 'phase'>,
) =>
  tx.run(sql`
    insert into case_changes (org, attr, is_sensitive, of_uniqueness, phase)
    values (${org}, ${attr}, ${isSensitive}, ${isOfUniqueness}, ${phase})
    on conflict (org, attr) do update set is_sensitive = excluded.is_sensitive, of_uniqueness = excluded.of_uniqueness,
      phase = excluded.phase, after = default, since = default`)

/** Of every organization, or of one attribute. */
export const selectKeyChanges = (db: Db, attr?: number) =>
  db.many<KeyChange>(sql`
    select a.org, a.obj, a.attr, a.slug, a.type, a.config, c.is_sensitive as "isSensitive",
      c.of_uniqueness as "isOfUniqueness", c.phase
    from case_changes c join attributes a on a.org = c.org and a.attr = c.attr
    join objects o on o.org = a.org and o.obj = a.obj
    where a.deleted_at is null and o.deleted_at is null
      and (${attr ?? null}::int is null or a.attr = ${attr ?? null}::int) and ${isHere(sql`o.org`)}
    order by a.attr`)

/**
 * The phase is committed, or this would not see it: from now on no transaction begins that does not.
 * @returns when that was found, as text: another phase has another time. undefined: the phase is over
 */
export const sealKeyChange = (
  db: Db,
  { org, attr, phase, isSensitive, isOfUniqueness }: KeyChange,
): Promise<string | undefined> =>
  db.maybeValue<string>(sql`
    update case_changes set since = least(since, clock_timestamp())
    where org = ${org} and attr = ${attr} and phase = ${phase} and is_sensitive = ${isSensitive}
      and of_uniqueness = ${isOfUniqueness}
    returning since::text as since`)

/** A phase in which every open transaction knows of it. */
export type SealedChange = KeyChange & { sealedAt: string }

const isRunning = ({ org, attr, sealedAt }: SealedChange): Sql =>
  sql`org = ${org} and attr = ${attr} and since = ${sealedAt}::timestamptz`

/** Of two workers the second waits. @returns the last record that has its keys; undefined: the phase is over */
export const lockKeyChange = (tx: Db, running: SealedChange) =>
  tx.maybeValue<string>(sql`select after from case_changes where ${isRunning(running)} for no key update`)

export const moveKeyChange = (tx: Db, running: SealedChange, last: string) =>
  tx.run(sql`update case_changes set after = ${last}::uuid where ${isRunning(running)}`)

/** A record with JSON texts of what it has of the attribute. */
export interface Holder {
  id: string
  value: string | null
  /** Normal forms, of types whose records store them in addition to the data. */
  comparable: string | null
}

/** The next records, locked: none gives up a value, and takes another one, before its keys are there. */
export const lockKeyHolders = (
  tx: Db,
  { org, obj, slug }: KeyChange,
  { after, limit }: { after: string; limit: number },
) =>
  tx.many<Holder>(sql`
    select r.id, (r.data->${slug}::text)::text as value, (r.comparable->${slug}::text)::text as comparable from records r
    where r.org = ${org} and r.obj = ${obj} and r.id > ${after}::uuid
    order by r.id limit ${limit} for no key update`)

/** All records have the keys of a unique attribute, or cannot have them: then they go. */
export const endUniqueFill = (tx: Db, running: SealedChange, isChanged: boolean) => {
  const { org, attr } = running
  if (!isChanged)
    return tx.run(
      sql`update case_changes set phase = 'clear', after = default, since = default where ${isRunning(running)}`,
    )
  return tx.run(sql`
    with ended as (delete from case_changes where ${isRunning(running)})
    update attributes set is_unique = true, unique_since = clock_timestamp(), updated_at = greatest(now(), updated_at + interval '1 microsecond')
    where org = ${org} and attr = ${attr}`)
}

/** All records have keys by both rules, or cannot have them: those by one rule go. */
export const endCaseFill = (tx: Db, running: SealedChange, isChanged: boolean) => {
  const { org, attr, isSensitive } = running
  const removed = isChanged ? !isSensitive : isSensitive
  const config = JSON.stringify({ caseSensitive: isSensitive })
  return tx.run(sql`
    with configured as (
      update attributes set config = ${config}::jsonb, updated_at = greatest(now(), updated_at + interval '1 microsecond')
      where org = ${org} and attr = ${attr} and ${isChanged})
    update case_changes set phase = 'clear', is_sensitive = ${removed}, after = default, since = default where ${isRunning(running)}`)
}

const AFTER_WITHOUT_CASE = `${WITHOUT_CASE.slice(0, -1)};`

/** @returns how many keys by the rule that does not hold, or of an attribute that is not unique, were removed */
export const clearKeys = (tx: Db, { org, attr, isOfUniqueness, isSensitive }: KeyChange, limit: number) => {
  const isWithout = sql`(u.value >= ${WITHOUT_CASE} and u.value < ${AFTER_WITHOUT_CASE})`
  const isRemoved = isOfUniqueness ? sql`true` : isSensitive ? sql`not ${isWithout}` : isWithout
  return tx.run(sql`
    delete from uniques where org = ${org} and attr = ${attr} and value = any(array(
      select u.value from uniques u where u.org = ${org} and u.attr = ${attr} and ${isRemoved} limit ${limit}))`)
}

export const endKeyChange = (tx: Db, running: SealedChange) =>
  tx.run(sql`delete from case_changes where ${isRunning(running)}`)

/** From the end of the transaction on, values claim no keys. The rule about their case goes. */
export const endUniqueness = (tx: Db, org: number, attr: number) =>
  tx.run(sql`
    update attributes set is_unique = false, unique_since = null, config = case when config ? 'caseSensitive' then null else config end,
      updated_at = greatest(now(), updated_at + interval '1 microsecond')
    where org = ${org} and attr = ${attr} and is_unique`)

export interface SameValue {
  values: string[]
  recordIds: string[]
  total: number
}

const CONFLICTS_MAX = 20
const SHOWN_EACH = 10
const VALUE_CHARS_MAX = 200

interface Compared extends Pick<KeyChange, 'org' | 'obj' | 'slug' | 'type'> {
  isList: boolean
  /** Whether texts that differ only in case are the same. */
  ignoresCase: boolean
}

/** The first values that several records have, each with the first of its records. */
export function selectSameValues(
  db: Db,
  { org, obj, slug, type, isList, ignoresCase }: Compared,
): Promise<SameValue[]> {
  const stored = storedValue({ type, slug })
  const text = comparableText(type, isList ? sql`element` : stored)
  const key = ignoresCase || IGNORES_CASE.has(type) ? lower(sql`text`) : sql`text`
  return db.many<SameValue>(sql`
    with held as (
      select r.id, ${text} as text from records r ${isList ? sql`cross join lateral ${elements(stored)}` : sql``}
      where r.org = ${org} and r.obj = ${obj} and r.data ? ${slug}::text),
    keyed as materialized (select id, text, ${key} collate "C" as key from held where text <> ''),
    same as (
      select key, count(*) over () as total from keyed
      group by key having min(id::text) <> max(id::text) order by key limit ${CONFLICTS_MAX})
    select s.total,
      (array_agg(distinct left(k.text, ${VALUE_CHARS_MAX})))[:${SHOWN_EACH}] as values,
      (array_agg(distinct k.id))[:${SHOWN_EACH}]::text[] as "recordIds"
    from same s join keyed k on k.key = s.key group by s.key, s.total order by s.key`)
}
