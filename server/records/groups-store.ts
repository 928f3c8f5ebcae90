// Records counted and summed by group, in one pass over those that match.
import sql, { type Sql } from 'sql-template-tag'
import type { Group } from '../../contract/groups.ts'
import { GROUPS_MAX } from '../../contract/limits.ts'
import { type ObjectModel, STALE } from '../attributes/models.ts'
import type { Db } from '../db/pool.ts'
import { numberOf, storedValue, textOf } from './filters.ts'
import type { Grouping } from './grouping.ts'
import { and, isCurrent } from './store.ts'

/** `2026-11-20` → `2026-11` */
const MONTH_CHARACTERS = 7

function groupValue({ by }: Grouping): Sql {
  const text = textOf(by.type, storedValue(by))
  return by.type === 'date' ? sql`left(${text}, ${MONTH_CHARACTERS}::int)` : text
}

function amountOf({ sumOf }: Grouping): { currency: Sql; number: Sql } {
  if (!sumOf) return { currency: sql`null::text`, number: sql`null::numeric` }
  const stored = storedValue(sumOf)
  const currency = sumOf.type === 'currency' ? sql`${stored}->>'currency'` : sql`null::text`
  return { currency, number: numberOf(sumOf.type, stored) }
}

/** @returns STALE, or the groups with records in them, the largest first; one more than GROUPS_MAX at most */
export async function selectGroups(
  db: Db,
  model: ObjectModel,
  { grouping, filters }: { grouping: Grouping; filters: readonly Sql[] },
): Promise<Group[] | typeof STALE> {
  const { currency, number } = amountOf(grouping)
  const rows = await db.many<Group & { count: number | null; fresh: boolean }>(sql`
    with matching as (
      select ${groupValue(grouping)} as value, ${currency} as currency, ${number} as number
      from records r where r.org = ${model.org} and r.obj = ${model.obj}${and(filters)}),
    parts as (
      select value, currency, count(*) as records, sum(number) as sum from matching group by value, currency),
    groups as (
      select value, sum(records)::bigint as count,
        coalesce(json_agg(json_build_object('currency', currency, 'sum', trim_scale(sum)::text) order by currency)
          filter (where sum is not null), '[]') as sums
      from parts group by value order by count desc, value limit ${GROUPS_MAX + 1})
    select groups.*, state.fresh from (select ${isCurrent(model)} as fresh) as state left join groups on true
    order by count desc, value`)
  if (!rows[0]?.fresh) return STALE
  return rows.flatMap(({ value, count, sums }) => (count === null ? [] : [{ value, count, sums }]))
}
