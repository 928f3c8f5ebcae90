// Common table expressions that insert the new index rows of a write and delete the old ones.
import sql, { empty, join, type Sql } from 'sql-template-tag'
import { isPresent, lower } from '../../filters/comparable.ts'
import type { Changed, Written } from './changed-values.ts'
import {
  BETWEEN,
  elementsOf,
  isKeyed,
  isLong,
  keyOfLowered,
  keyText,
  kindOf,
  type StoredKind,
  textKey,
} from './index-keys.ts'

export interface IndexedSource extends Changed {
  org: number
  /** For existing records: a record that changed after its index began already has its rows. */
  isFillingIn?: boolean
}

const isDifferent = (keys: Sql) =>
  sql`select * from (${keys} offset 0) as k where k.old is distinct from k.new`

/** (id, attr, old, new): a row for each added element (old is null) and each removed element (new is null). */
const elementKeys = (elements: Sql, key: Sql, extra: Sql) => sql`
  select e.id, e.attr${extra}, case when sum(e.sign) < 0 then e.key end as old, case when sum(e.sign) > 0 then e.key end as new
  from (select distinct e.id, e.attr${extra}, e.sign, ${key} as key from ${elements} e where e.keyed) as e
  where e.key is not null group by e.id, e.attr${extra}, e.key having sum(e.sign) <> 0`

/**
 * Deletes the rows of `keys`, each found by its whole key. PostgreSQL would plan a join by the rows it estimates for an
 * attribute, and scan all of them.
 */
const rowsOut = (
  name: Sql,
  { org, table, keys, key }: { org: number; table: Sql; keys: Sql; key: Sql },
): Sql =>
  sql`${name} as (
    delete from ${table} t where t.ctid = any(array(
      select l.ctid from ${keys} k cross join lateral (
        select t.ctid from ${table} t where t.org = ${org} and t.attr = k.attr and ${key} offset 0) as l)))`

/** Deletes the old keys from an index table and inserts the new ones, sorted by attribute. */
function moveKeys(
  { org, written, isFillingIn }: IndexedSource,
  { name, isText }: { name: Sql; isText: boolean },
): Sql[] {
  const table = isText ? sql`index_text` : sql`index_number`
  const key = sql`k.old is not null and t.value = k.old and t.id = k.id`
  const [flag, flagOf] = isText
    ? [sql`, searched`, sql`, k.searched and not ${isLong(sql`k.new`)}`]
    : [empty, empty]
  const there = isText
    ? sql`on conflict (org, attr, value, id) do update set searched = true where excluded.searched and not index_text.searched`
    : sql`on conflict do nothing`
  const into = sql`${name}_in as (
    insert into ${table} (org, attr, value, id${flag}) select ${org}, k.attr, k.new, k.id${flagOf} from ${name} k
    where k.new is not null order by k.attr, k.new ${isFillingIn ? there : empty})`
  return [
    ...(written.before ? [rowsOut(sql`${name}_out`, { org, table, keys: name, key })] : []),
    ...(written.after ? [into] : []),
  ]
}

/** A new or deleted record reads the CTE once, to insert or to delete. A changed record reads it twice. */
const kept = ({ before, after }: Written): Sql =>
  before && after ? sql`materialized` : sql`not materialized`

const either = (queries: readonly Sql[]): Sql => join(queries, ' union all ')

const TEXT_KEYS: Partial<Record<StoredKind, Sql>> = {
  text: isDifferent(sql`
    select t.id, t.attr, t.searched, ${keyOfLowered(sql`t.old_low`)} as old, ${keyOfLowered(sql`t.new_low`)} as new
    from texts t where t.keyed`),
  texts: elementKeys(sql`text_elements`, textKey(sql`e.value`), sql`, e.searched`),
}
const NUMBER_KEYS: Partial<Record<StoredKind, Sql>> = {
  number: isDifferent(sql`select n.id, n.attr, n.old, n.new from numbers n where n.keyed`),
  numbers: elementKeys(sql`number_elements`, sql`e.value`, empty),
}

/** Rows of index_text and index_number. */
function keyParts(source: IndexedSource): Sql[] {
  const kinds = new Set(source.attributes.filter(isKeyed).map(kindOf))
  const parts = (name: Sql, queries: Partial<Record<StoredKind, Sql>>, isText: boolean) => {
    const keys = [...kinds].flatMap((kind) => queries[kind] ?? [])
    if (keys.length === 0) return []
    return [sql`${name} as ${kept(source.written)} (${either(keys)})`, ...moveKeys(source, { name, isText })]
  }
  return [...parts(sql`text_keys`, TEXT_KEYS, true), ...parts(sql`number_keys`, NUMBER_KEYS, false)]
}

/** Rows of index_missing. */
function missingParts({ org, attributes, written, isFillingIn }: IndexedSource): Sql[] {
  const { before, after } = written
  if (!attributes.some(({ keepsMissing, state }) => keepsMissing && state !== 'none')) return []
  const isNull = (value: Sql, isThere: boolean) => (isThere ? sql`not ${isPresent(value)}` : sql`false`)
  const key = sql`k.was and t.id = k.id`
  return [
    sql`missing as ${kept(written)} (
      select * from (
        select a.id, a.attr, ${isNull(sql`a.old`, before !== undefined)} as was, ${isNull(sql`a.new`, after !== undefined)} as is_now
        from vals a where a.missing) as m
      where m.was <> m.is_now)`,
    ...(before
      ? [rowsOut(sql`missing_out`, { org, table: sql`index_missing`, keys: sql`missing`, key })]
      : []),
    ...(after
      ? [
          sql`missing_in as (
            insert into index_missing (org, attr, id) select ${org}, m.attr, m.id from missing m where m.is_now
            order by m.attr ${isFillingIn ? sql`on conflict do nothing` : empty})`,
        ]
      : []),
  ]
}

/** All long elements of a list as one text, so that the record has one row. */
const longElements = (value: Sql) => sql`(
  select string_agg(l.low, ${BETWEEN}::text)
  from (select ${lower(keyText(sql`e`))} as low from ${elementsOf(value)} as e) as l where ${isLong(sql`l.low`)})`

const ifLong = (lowered: Sql) => sql`case when ${isLong(lowered)} then ${lowered} end`

const LONG_TEXTS: Partial<Record<StoredKind, Sql>> = {
  text: sql`
    select t.id, t.attr, ${ifLong(sql`t.old_low`)} as old, ${ifLong(sql`t.new_low`)} as new from texts t where t.searched`,
  texts: sql`
    select a.id, a.attr, ${longElements(sql`a.old`)} as old, ${longElements(sql`a.new`)} as new
    from vals a where a.kind = 'texts' and a.searched`,
}

/** Rows of index_search. */
function searchParts({ org, attributes, written }: IndexedSource): Sql[] {
  const { before, after } = written
  const kinds = new Set(attributes.filter(({ search }) => search !== 'none').map(kindOf))
  const keys = [...kinds].flatMap((kind) => LONG_TEXTS[kind] ?? [])
  if (keys.length === 0) return []
  const out = {
    org,
    table: sql`index_search`,
    keys: sql`long_texts`,
    key: sql`k.new is null and t.id = k.id`,
  }
  return [
    sql`long_texts as ${kept(written)} (${isDifferent(either(keys))})`,
    ...(before ? [rowsOut(sql`long_out`, out)] : []),
    ...(after
      ? [
          sql`long_in as (
            insert into index_search (org, attr, id, value) select ${org}, k.attr, k.id, k.new from long_texts k
            where k.new is not null on conflict (org, attr, id) do update set value = excluded.value)`,
        ]
      : []),
  ]
}

/** Follows the CTEs of valueParts. */
export const indexRowParts = (source: IndexedSource): Sql[] => [
  ...keyParts(source),
  ...missingParts(source),
  ...searchParts(source),
]
