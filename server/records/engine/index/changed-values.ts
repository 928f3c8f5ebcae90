// The values that a write changes, as common table expressions: each is extracted from its record once, for index rows and
// counters. One SQL text for all objects: their attributes are parameters.
import sql, { type Sql } from 'sql-template-tag'
import type { IndexedAttribute } from '../../../model/attributes/object-index.ts'
import { lower } from '../../filters/comparable.ts'
import {
  attributeRows,
  elementsOf,
  keyNumber,
  keyText,
  kindOf,
  type StoredKind,
  type StoredSide,
  storedIn,
} from './index-keys.ts'

/** The CTE of the written rows (column `id`), and its columns with their data before and after. */
export interface Written {
  name: Sql
  before?: StoredSide
  after?: StoredSide
}

export interface Changed {
  written: Written
  attributes: readonly IndexedAttribute[]
}

export const hasKind = (attributes: readonly IndexedAttribute[], ...kinds: StoredKind[]): boolean =>
  attributes.some((one) => kinds.includes(kindOf(one)))

/** All values of a new or deleted record; only the changed values of a changed record. */
function isChanged({ before, after }: Written): Sql {
  if (before && after) return sql`v.old is distinct from v.new`
  return sql`coalesce(v.old, v.new) is not null or v.missing`
}

/** (id, old, new) as jsonb, with the columns of the attribute. */
function values({ written, attributes }: Changed): Sql {
  const side = (at: StoredSide | undefined) => (at ? storedIn(at) : sql`null::jsonb`)
  const { name, before, after } = written
  // OFFSET 0: each value is extracted once, not for each use of the column.
  return sql`
    select * from (
      select w.id, a.*, ${side(before)} as old, ${side(after)} as new
      from ${name} w cross join ${attributeRows(attributes)} offset 0) as v
    where ${isChanged(written)}`
}

/** Null for a side that a new or deleted record does not have: nothing is computed for it. */
const ifThere = (side: StoredSide | undefined, value: Sql, type: Sql) => (side ? value : sql`null::${type}`)

/** (id, old, new) as text, and as `old_low`, `new_low` in lower case. */
function texts({ before, after }: Written): Sql {
  const text = (side: StoredSide | undefined, value: Sql) => ifThere(side, value, sql`text`)
  return sql`
    select t.*, ${text(before, lower(sql`t.old`))} as old_low, ${text(after, lower(sql`t.new`))} as new_low from (
      select a.id, a.attr, a.keyed, a.searched, a.counting, ${text(before, keyText(sql`a.old`))} as old,
        ${text(after, keyText(sql`a.new`))} as new
      from vals a where a.kind = 'text' offset 0) as t`
}

function numbers({ before, after }: Written): Sql {
  const number = (side: StoredSide | undefined, value: Sql) => ifThere(side, keyNumber(value), sql`numeric`)
  return sql`
    select a.id, a.attr, a.keyed, a.counting, ${number(before, sql`a.old`)} as old, ${number(after, sql`a.new`)} as new
    from vals a where a.kind = 'number'`
}

/** (id, sign, value): elements of the new value with sign 1, elements of the old value with sign -1. */
const elements = (kind: StoredKind, value: Sql) => sql`
  select distinct a.id, a.attr, a.keyed, a.searched, a.counting, s.sign, ${value} as value
  from vals a cross join lateral (
    select -1 as sign, e from ${elementsOf(sql`a.old`)} as e
    union all select 1, e from ${elementsOf(sql`a.new`)} as e) as s
  where a.kind = ${kind}`

/**
 * CTEs `vals`, `texts`, `numbers`, `text_elements` and `number_elements`, except those that no attribute needs.
 * @param kept materialized for a write, which has few; not materialized for all records of an object
 */
export function valueParts(changed: Changed, kept = sql`materialized`): Sql[] {
  const { attributes, written } = changed
  const part = (kind: StoredKind, name: Sql, query: Sql) =>
    hasKind(attributes, kind) ? [sql`${name} as ${kept} (${query})`] : []
  return [
    sql`vals as ${kept} (${values(changed)})`,
    ...part('text', sql`texts`, texts(written)),
    ...part('number', sql`numbers`, numbers(written)),
    ...part('texts', sql`text_elements`, elements('texts', keyText(sql`s.e`))),
    ...part('numbers', sql`number_elements`, elements('numbers', keyNumber(sql`s.e`))),
  ]
}
