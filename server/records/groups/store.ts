// Counts and sums records by group: in one pass over the matching records, or from counters.
import sql, { type Sql } from 'sql-template-tag'
import type { Group } from '../../../contract/groups.ts'
import { GROUPS_MAX } from '../../../contract/limits.ts'
import type { Db } from '../../db/pool.ts'
import { type ObjectModel, StaleModel } from '../../model/attributes/models.ts'
import type { CountedGroups } from '../engine/counted-groups.ts'
import { comparableNumber, comparableText, storedValue } from '../filters/comparable.ts'
import { isCurrent } from '../rows/stored-record.ts'
import type { Grouping } from './grouping.ts'

/** `2026-11-20` → `2026-11` */
const MONTH_CHARACTERS = 7

function groupValue({ by }: Grouping): Sql {
  const text = comparableText(by.type, storedValue(by))
  return by.type === 'date' ? sql`left(${text}, ${MONTH_CHARACTERS}::int)` : text
}

function amountOf({ sumOf }: Grouping): { currency: Sql; number: Sql } {
  if (!sumOf) return { currency: sql`null::text`, number: sql`null::numeric` }
  const stored = storedValue(sumOf)
  const currency = sumOf.type === 'currency' ? sql`${stored}->>'currency'` : sql`null::text`
  return { currency, number: comparableNumber(sumOf.type, stored) }
}

type GroupRow = Group & { count: number | null; fresh: boolean }

const groupsIn = (rows: readonly GroupRow[]): Group[] =>
  rows.flatMap(({ value, count, sums }) => (count === null ? [] : [{ value, count, sums }]))

/**
 * @param records a query of the records to count
 * @returns groups with records, the largest first, at most GROUPS_MAX + 1
 */
export async function selectRecordGroups(
  db: Db,
  model: ObjectModel,
  { grouping, records }: { grouping: Grouping; records: Sql },
): Promise<Group[]> {
  const { currency, number } = amountOf(grouping)
  // The subquery reads only these values: otherwise PostgreSQL would sort whole records.
  const rows = await db.many<GroupRow>(sql`
    with matching as (
      select ${groupValue(grouping)} as value, ${currency} as currency, ${number} as number
      from (${records}) as r offset 0),
    parts as (
      select value, currency, count(*) as records, sum(number) as sum from matching group by value, currency),
    groups as (
      select value, sum(records)::bigint as count,
        coalesce(json_agg(json_build_object('currency', currency, 'sum', trim_scale(sum)::text) order by currency)
          filter (where sum is not null), '[]') as sums
      from parts group by value order by count desc, value limit ${GROUPS_MAX + 1})
    select groups.*, state.fresh from (select ${isCurrent(model)} as fresh) as state left join groups on true
    order by count desc, value`)
  if (!rows[0]?.fresh) throw new StaleModel()
  return groupsIn(rows)
}

type CountedRow = Group & { count: number | null; fresh: boolean; rest: number; all: number }

/** Counts the groups of all records, from counters. Has the result of selectRecordGroups. */
export async function selectCountedGroups(
  db: Db,
  model: ObjectModel,
  { type }: Grouping['by'],
  { changes, values, rest, isRestAll }: CountedGroups,
): Promise<Group[]> {
  const value = type === 'date' ? sql`left(value, ${MONTH_CHARACTERS}::int)` : sql`value`
  const rows = await db.many<CountedRow>(sql`
    with changes as materialized (${changes}),
    groups as materialized (select ${value} as value, sum(n)::bigint as count from (${values}) as v group by 1)
    select state.*, groups.value, groups.count, '[]'::json as sums
    from (
      select ${isCurrent(model)} as fresh, ${rest} as rest, (select coalesce(sum(count), 0)::bigint from groups) as all
      from changes) as state
    left join (select * from groups order by count desc, value limit ${GROUPS_MAX + 1}) as groups on true
    order by count desc, value`)
  const [first] = rows
  if (!first?.fresh) throw new StaleModel()
  const missing = first.rest - (isRestAll ? first.all : 0)
  const nothing = missing > 0 ? [{ value: null, count: missing, sums: [] }] : []
  return [...groupsIn(rows), ...nothing].toSorted((a, b) => b.count - a.count)
}
