// Finds the winner for the id of a merged record, also after the record was removed from the trash.
import sql, { empty, type Sql } from 'sql-template-tag'
import { AppError, notFound } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'

export interface Successor {
  id: string
  /** Whether the winner still exists. */
  isLive: boolean
  /** Ids of the merged record, and of the records between it and the winner. */
  passed: string[]
}

interface Owner {
  org: number
  obj: number
}

/** Rows of `id` and `winner`: of one object, or of all objects. */
export const merged = ({ org, obj }: Pick<Owner, 'org'> & Partial<Owner>): Sql => {
  const ofObject = obj === undefined ? empty : sql`and obj = ${obj}`
  return sql`(
  select t.id, t.merged_into as winner from trash t
  where t.org = ${org} ${ofObject} and t.merged_into is not null
  union all
  select g.id, g.winner from merged_records g where g.org = ${org} ${ofObject})`
}

/** The final winner for each id of a merged record: a winner may itself have been merged. */
export async function findSuccessors(
  db: Db,
  owner: Owner,
  ids: readonly string[],
): Promise<Map<string, Successor>> {
  if (ids.length === 0) return new Map()
  const { org, obj } = owner
  const rows = await db.many<Successor & { loser: string }>(sql`
    with recursive hops as (
      select m.id as loser, m.winner, array[m.id] as passed from ${merged(owner)} as m where m.id = any(${ids}::uuid[])
      union
      select h.loser, m.winner, h.passed || m.id from hops h join ${merged(owner)} as m on m.id = h.winner)
    select h.loser, h.winner as id, h.passed,
      exists (select from records r where r.org = ${org} and r.obj = ${obj} and r.id = h.winner) as "isLive"
    from hops h where not exists (select from ${merged(owner)} as m where m.id = h.winner)`)
  return new Map(rows.map(({ loser, ...successor }) => [loser, successor]))
}

const mergedInto = (winner: string): AppError =>
  new AppError('not_found', `This record was merged into ${winner}: use that id`, { mergedInto: winner })

/** The 404 for a record that does not exist. For a merged record it names the winner. */
export const notFoundError = (successor: Pick<Successor, 'id'> | undefined): AppError =>
  successor ? mergedInto(successor.id) : notFound('record')

export const recordNotFound = async (db: Db, owner: Owner, id: string): Promise<AppError> =>
  notFoundError((await findSuccessors(db, owner, [id])).get(id))

/** CTE `merged_ids`: the record, and all records that were ever merged into it. */
export const mergedIds = (owner: Owner, id: string): Sql => sql`
  merged_ids as (
    select ${id}::uuid as id
    union
    select m.id from merged_ids w join ${merged(owner)} as m on m.winner = w.id)`
