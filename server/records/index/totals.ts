// Totals that no counter tells: counted from index rows, or where they do not help, from records.
import sql, { join, type Sql } from 'sql-template-tag'
import { and } from '../store.ts'
import type { Indexed, Prepared } from './measure.ts'
import type { Count } from './planner.ts'
import { own } from './ways.ts'

const probeIds = (prepared: readonly Prepared[], place: number): Sql =>
  prepared[place]?.probe?.ids ?? sql`select null::uuid as id where false`

/** Ids that are in all of them: the first is walked through, the others are hashed by PostgreSQL. */
function intersection(prepared: readonly Prepared[], places: readonly number[]): Sql {
  const [first = 0, ...rest] = places
  const names = [sql`b`, sql`c`, sql`d`]
  const others = rest.map((place, at) => {
    const name = names[at]
    if (!name) throw new Error('The planner intersects four at most')
    return sql`join (${probeIds(prepared, place)}) as ${name} on ${name}.id = a.id`
  })
  return sql`select count(*) from (${probeIds(prepared, first)}) as a ${others.length === 0 ? sql`` : join(others, ' ')}`
}

/** A scalar query of the number of records that meet all filters. */
export function countQuery(model: Indexed, prepared: readonly Prepared[], count: Count): Sql {
  const conditions = prepared.map(({ filter }) => filter.condition)
  if (count.by === 'intersection') return intersection(prepared, count.filters)
  if (count.by === 'scan') return sql`select count(*) from records r where ${own(model)}${and(conditions)}`
  return sql`
    select count(*) from (${probeIds(prepared, count.filter)}) as i
    join records r on ${own(model)} and r.id = i.id${and(conditions)}`
}
