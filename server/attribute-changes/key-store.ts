// Statements about attributes whose values get or lose unique keys: `case_changes`. The reason is a change of the rule
// about case, or a change of whether values are unique.
import sql, { type Sql } from 'sql-template-tag'
import type { AttributeType } from '../../contract/attribute-types.ts'
import type { AttributeConfig } from '../../contract/attributes.ts'
import type { Db } from '../db/pool.ts'
import { isHere } from '../placement/placement.ts'
import { comparableText, elements, IGNORES_CASE, lower, storedValue } from '../records/filters/comparable.ts'
import { WITHOUT_CASE } from '../records/values/unique-keys.ts'

export type KeyPhase = 'fill' | 'clear'

/** An attribute whose records get or lose keys. */
export interface KeyChange {
  org: number
  obj: number
  attr: number
  slug: string
  type: AttributeType
  config: AttributeConfig
  /** Whether the attribute becomes unique or is no longer unique. Otherwise the rule about case changes. */
  isOfUniqueness: boolean
  /** If the rule about case changes: the rule of the keys that records get or lose. */
  isSensitive: boolean
  phase: KeyPhase
}

/**
 * Starts a change, or replaces an earlier one. After the commit, written values get keys by both rules about case, or
 * the keys of the new uniqueness.
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

/** The changes of all organizations, or of one attribute. */
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
 * Stores the time at which the phase is known to be committed: all later transactions see it.
 * @returns this time as text, which differs between phases; undefined if the phase is over
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

/** A phase that is committed: all later transactions see it. */
export type SealedChange = KeyChange & { sealedAt: string }

const isRunning = ({ org, attr, sealedAt }: SealedChange): Sql =>
  sql`org = ${org} and attr = ${attr} and since = ${sealedAt}::timestamptz`

/** A second worker waits. @returns the last record that has its keys; undefined if the phase is over */
export const lockKeyChange = (tx: Db, running: SealedChange) =>
  tx.maybeValue<string>(sql`select after from case_changes where ${isRunning(running)} for no key update`)

export const moveKeyChange = (tx: Db, running: SealedChange, last: string) =>
  tx.run(sql`update case_changes set after = ${last}::uuid where ${isRunning(running)}`)

/** A record with its values of the attribute as JSON texts. */
export interface Holder {
  id: string
  value: string | null
  /** Normal forms, for types whose records store them in addition to the data. */
  comparable: string | null
}

/** The next records, locked so that no value changes before its keys are written. */
export const lockKeyHolders = (
  tx: Db,
  { org, obj, slug }: KeyChange,
  { after, limit }: { after: string; limit: number },
) =>
  tx.many<Holder>(sql`
    select r.id, (r.data->${slug}::text)::text as value, (r.comparable->${slug}::text)::text as comparable from records r
    where r.org = ${org} and r.obj = ${obj} and r.id > ${after}::uuid
    order by r.id limit ${limit} for no key update`)

/** Ends the `fill` phase. The attribute becomes unique, or, if the change is refused, its new keys are removed. */
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

/**
 * Ends the `fill` phase. The keys by one rule are removed: by the old rule, or, if the change is refused, by the new
 * one.
 */
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

/**
 * Removes keys by the rule that no longer applies, or of an attribute that is not unique.
 * @returns the number of removed keys
 */
export const clearKeys = (tx: Db, { org, attr, isOfUniqueness, isSensitive }: KeyChange, limit: number) => {
  const isWithout = sql`(u.value >= ${WITHOUT_CASE} and u.value < ${AFTER_WITHOUT_CASE})`
  const isRemoved = isOfUniqueness ? sql`true` : isSensitive ? sql`not ${isWithout}` : isWithout
  return tx.run(sql`
    delete from uniques where org = ${org} and attr = ${attr} and value = any(array(
      select u.value from uniques u where u.org = ${org} and u.attr = ${attr} and ${isRemoved} limit ${limit}))`)
}

export const endKeyChange = (tx: Db, running: SealedChange) =>
  tx.run(sql`delete from case_changes where ${isRunning(running)}`)

/** After the commit, values no longer claim keys. Also removes the rule about case. */
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
  /** Whether texts that differ only in case are equal. */
  ignoresCase: boolean
}

/** The first values that several records have, each with the first of these records. */
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
