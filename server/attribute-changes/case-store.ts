// Statements about unique values whose case is to count, or not to count: attributes in `case_changes`.
import sql, { type Sql } from 'sql-template-tag'
import type { AttributeType } from '../../contract/attribute-types.ts'
import type { AttributeConfig } from '../../contract/attributes.ts'
import type { Db } from '../db/pool.ts'
import { isHere } from '../placement/placement.ts'
import { comparableText, elements, lower } from '../records/filters/comparable.ts'
import { WITHOUT_CASE } from '../records/values/unique-keys.ts'

export type CasePhase = 'fill' | 'clear'

/** An attribute whose records get keys, or lose them. */
export interface RunningCase {
  org: number
  obj: number
  attr: number
  slug: string
  type: AttributeType
  config: AttributeConfig
  /** The rule of the keys that records get or lose. */
  isSensitive: boolean
  phase: CasePhase
}

/** From the end of the transaction on, values that are written are unique by both rules. It takes the place of an earlier one. */
export const startCaseChange = (
  tx: Db,
  org: number,
  { attr, isSensitive }: Pick<RunningCase, 'attr' | 'isSensitive'>,
) =>
  tx.run(sql`
    insert into case_changes (org, attr, is_sensitive, phase) values (${org}, ${attr}, ${isSensitive}, 'fill')
    on conflict (org, attr) do update set is_sensitive = excluded.is_sensitive, phase = excluded.phase, after = default, since = default`)

/** Of every organization, or of one attribute. */
export const selectCaseChanges = (db: Db, attr?: number) =>
  db.many<RunningCase>(sql`
    select a.org, a.obj, a.attr, a.slug, a.type, a.config, c.is_sensitive as "isSensitive", c.phase
    from case_changes c join attributes a on a.org = c.org and a.attr = c.attr
    join objects o on o.org = a.org and o.obj = a.obj
    where a.deleted_at is null and o.deleted_at is null
      and (${attr ?? null}::int is null or a.attr = ${attr ?? null}::int) and ${isHere(sql`o.org`)}
    order by a.attr`)

/**
 * The phase is committed, or this would not see it: from now on no transaction begins that does not.
 * @returns when that was found, as text: another phase has another time. undefined: the phase is over
 */
export const sealCaseChange = (
  db: Db,
  { org, attr, phase, isSensitive }: RunningCase,
): Promise<string | undefined> =>
  db.maybeValue<string>(sql`
    update case_changes set since = least(since, clock_timestamp())
    where org = ${org} and attr = ${attr} and phase = ${phase} and is_sensitive = ${isSensitive}
    returning since::text as since`)

/** A phase in which every open transaction knows of it. */
export type SealedCase = RunningCase & { sealedAt: string }

const isRunning = ({ org, attr, sealedAt }: SealedCase): Sql =>
  sql`org = ${org} and attr = ${attr} and since = ${sealedAt}::timestamptz`

/** Of two workers the second waits. @returns the last record that has its keys; undefined: the phase is over */
export const lockCaseChange = (tx: Db, running: SealedCase) =>
  tx.maybeValue<string>(sql`select after from case_changes where ${isRunning(running)} for no key update`)

export const moveCaseChange = (tx: Db, running: SealedCase, last: string) =>
  tx.run(sql`update case_changes set after = ${last}::uuid where ${isRunning(running)}`)

interface Holder {
  id: string
  /** JSON text */
  value: string | null
}

/** The next records, locked: none gives up a value, and takes another one, before its keys are there. */
export const lockCaseHolders = (
  tx: Db,
  { org, obj, slug }: RunningCase,
  { after, limit }: { after: string; limit: number },
) =>
  tx.many<Holder>(sql`
    select r.id, (r.data->${slug}::text)::text as value from records r
    where r.org = ${org} and r.obj = ${obj} and r.id > ${after}::uuid
    order by r.id limit ${limit} for no key update`)

/** All records have keys by both rules, or cannot have them: those by one rule go. */
export const endFill = (tx: Db, running: SealedCase, isChanged: boolean) => {
  const { org, attr, isSensitive } = running
  const gone = isChanged ? !isSensitive : isSensitive
  const config = JSON.stringify({ caseSensitive: isSensitive })
  return tx.run(sql`
    with configured as (
      update attributes set config = ${config}::jsonb, updated_at = greatest(now(), updated_at + interval '1 microsecond')
      where org = ${org} and attr = ${attr} and ${isChanged})
    update case_changes set phase = 'clear', is_sensitive = ${gone}, after = default, since = default where ${isRunning(running)}`)
}

const AFTER_WITHOUT_CASE = `${WITHOUT_CASE.slice(0, -1)};`

/** @returns how many keys by the rule that does not hold were removed */
export const clearKeys = (tx: Db, { org, attr, isSensitive }: RunningCase, limit: number) => {
  const isWithout = sql`(u.value >= ${WITHOUT_CASE} and u.value < ${AFTER_WITHOUT_CASE})`
  return tx.run(sql`
    delete from uniques where org = ${org} and attr = ${attr} and value = any(array(
      select u.value from uniques u
      where u.org = ${org} and u.attr = ${attr} and ${isSensitive ? sql`not ${isWithout}` : isWithout} limit ${limit}))`)
}

export const endCaseChange = (tx: Db, running: SealedCase) =>
  tx.run(sql`delete from case_changes where ${isRunning(running)}`)

export interface SameWithoutCase {
  values: string[]
  recordIds: string[]
  total: number
}

const CONFLICTS_MAX = 20
const SHOWN_EACH = 10
const VALUE_CHARS_MAX = 200

/** The first values that records have in different cases, each with the first of its records. */
export function selectSameWithoutCase(
  db: Db,
  { org, obj, slug, type, isList }: Pick<RunningCase, 'org' | 'obj' | 'slug' | 'type'> & { isList: boolean },
): Promise<SameWithoutCase[]> {
  const stored = sql`(r.data->${slug}::text)`
  const text = comparableText(type, isList ? sql`element` : stored)
  return db.many<SameWithoutCase>(sql`
    with held as (
      select r.id, ${text} as text from records r ${isList ? sql`cross join lateral ${elements(stored)}` : sql``}
      where r.org = ${org} and r.obj = ${obj} and r.data ? ${slug}::text),
    keyed as materialized (select id, text, ${lower(sql`text`)} collate "C" as key from held where text <> ''),
    same as (
      select key, count(*) over () as total from keyed
      group by key having min(id::text) <> max(id::text) order by key limit ${CONFLICTS_MAX})
    select s.total,
      (array_agg(distinct left(k.text, ${VALUE_CHARS_MAX})))[:${SHOWN_EACH}] as values,
      (array_agg(distinct k.id))[:${SHOWN_EACH}]::text[] as "recordIds"
    from same s join keyed k on k.key = s.key group by s.key, s.total order by s.key`)
}
