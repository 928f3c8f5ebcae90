// Common table expressions that keep index rows: the new ones of what a statement writes, and the old ones away.
import sql, { type Sql } from 'sql-template-tag'
import type { IndexedAttribute } from '../../attributes/object-index.ts'
import { lower } from '../filters.ts'
import { changedElements, changedKeys, valueAfter, valueBefore, type Written, written } from './changes.ts'
import {
  anyNumber,
  anyText,
  BETWEEN,
  elementsOf,
  isKeyed,
  isMany,
  isNumeric,
  isPresent,
  textKey,
} from './keys.ts'

export interface Source {
  org: number
  written: Written
  attributes: readonly IndexedAttribute[]
}

/** Takes the old keys out of an index table, and puts the new ones in. */
function moveKeys({ org, written: { before, after } }: Source, table: Sql, keys: Sql): Sql[] {
  const out = sql`${keys}_out as (
    delete from ${table} t using ${keys} k
    where t.org = ${org} and t.attr = k.attr and t.value = k.old and t.id = k.id)`
  // A filling in may have come first.
  const into = sql`${keys}_in as (
    insert into ${table} (org, attr, value, id) select ${org}, attr, new, id from ${keys} where new is not null
    on conflict do nothing)`
  return [...(before ? [out] : []), ...(after ? [into] : [])]
}

const keyOfText = (value: Sql) => textKey(anyText(value))

const KINDS = [
  { keys: sql`text_keys`, table: sql`index_text`, numeric: false, many: false },
  { keys: sql`text_elements`, table: sql`index_text`, numeric: false, many: true },
  { keys: sql`number_keys`, table: sql`index_number`, numeric: true, many: false },
  { keys: sql`number_elements`, table: sql`index_number`, numeric: true, many: true },
] as const

/** Rows of index_text and index_number. */
function keyParts(source: Source): Sql[] {
  const kept = source.attributes.filter((one) => isKeyed(one) && one.state !== 'none')
  return KINDS.flatMap(({ keys, table, numeric, many }) => {
    const chosen = kept.filter((one) => isNumeric(one) === numeric && isMany(one) === many)
    if (chosen.length === 0) return []
    const changed = many ? changedElements : changedKeys
    const changes = changed(source.written, chosen, numeric ? anyNumber : keyOfText)
    return [sql`${keys} as materialized (${changes})`, ...moveKeys(source, table, keys)]
  })
}

const isMissing = (value: Sql, isThere: boolean) => (isThere ? sql`not ${isPresent(value)}` : sql`false`)

/** Rows of index_missing. */
function missingParts(source: Source): Sql[] {
  const chosen = source.attributes.filter(({ state, keepsMissing }) => keepsMissing && state !== 'none')
  if (chosen.length === 0) return []
  const { org, written: rows } = source
  const was = isMissing(valueBefore(rows), rows.before !== undefined)
  const is = isMissing(valueAfter(rows), rows.after !== undefined)
  return [
    sql`missing as materialized (
      select * from (select w.id, a.attr, ${was} as was, ${is} as is_now from ${written(rows, chosen)}) as m
      where was <> is_now)`,
    sql`missing_out as (
      delete from index_missing t using missing m
      where m.was and t.org = ${org} and t.attr = m.attr and t.id = m.id)`,
    sql`missing_in as (
      insert into index_missing (org, attr, id) select ${org}, attr, id from missing where is_now
      on conflict do nothing)`,
  ]
}

/** The text that is searched: of a list all its elements, so that one row stands for the record. */
export const searchText = (value: Sql, many: boolean): Sql =>
  many
    ? sql`(select string_agg(${lower(anyText(sql`e`))}, ${BETWEEN}::text) from ${elementsOf(value)} as e)`
    : lower(anyText(value))

function searchPart(source: Source, name: Sql, chosen: readonly IndexedAttribute[], many: boolean): Sql[] {
  if (chosen.length === 0) return []
  const { org, written: rows } = source
  return [
    sql`${name} as materialized (${changedKeys(rows, chosen, (value) => searchText(value, many))})`,
    sql`${name}_out as (
      delete from index_search t using ${name} k
      where k.new is null and t.org = ${org} and t.attr = k.attr and t.id = k.id)`,
    sql`${name}_in as (
      insert into index_search (org, attr, id, value) select ${org}, attr, id, new from ${name} where new is not null
      on conflict (org, attr, id) do update set value = excluded.value)`,
  ]
}

/** Rows of index_search. */
function searchParts(source: Source): Sql[] {
  const kept = source.attributes.filter(({ search }) => search !== 'none')
  return [
    ...searchPart(
      source,
      sql`search_text`,
      kept.filter((one) => !isMany(one)),
      false,
    ),
    ...searchPart(source, sql`search_list`, kept.filter(isMany), true),
  ]
}

export const indexRowParts = (source: Source): Sql[] => [
  ...keyParts(source),
  ...missingParts(source),
  ...searchParts(source),
]
