// Which database has an organization's data, as SQL for other folders. Their own statements may not name a state of a
// move or a column with a cell: only this folder and server/cells may (server/test/placement.test.ts).
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'

/** @param state SQL, a condition on the state of the organization's guard (cells/move/guard.ts) */
const hasGuard = (org: Sql, state: Sql): Sql => sql`exists (
  select from organization_moves guard where guard.org = ${org} and guard.state ${state})`

/**
 * Whether this database has the data of an organization: the organization is not being copied to it, and has not left
 * it. Work for all organizations of a database skips the others, because another database does that work.
 * @param org SQL of its number, such as `t.org`
 */
export const isHere = (org: Sql): Sql => sql`not ${hasGuard(org, sql`in ('hidden', 'closed', 'left')`)}`

/** Whether workers may start work for an organization: its data is here, and will not move within seconds. */
export const takesWork = (org: Sql): Sql => sql`not ${hasGuard(org, sql`not in ('copying', 'open')`)}`

/** The number of the cell that has the data. @param organization alias of a row of `organizations`, such as `o` */
export const cellOf = (organization: Sql): Sql => sql`${organization}.cell`

/** For the directory: whether the cell may change at any time. */
export const isMoving = (organization: Sql): Sql => sql`${organization}.moving_to is not null`

/** For the database of a cell: whether an organization is there and is not being moved. */
export const isSettledIn = (organization: Sql, cell: number): Sql => sql`
  ${cellOf(organization)} = ${cell} and not ${hasGuard(sql`${organization}.org`, sql`<> 'open'`)}`

/** Numbers of organizations whose rows are being copied into the database, or were copied just before. */
export const selectArrivals = async (db: Db): Promise<number[]> =>
  (
    await db.many<{ org: number }>(sql`
      select org from organization_moves where state in ('hidden', 'closed', 'open')`)
  ).map(({ org }) => org)

/** For the directory: cells to which changes of keys or organizations are not yet copied. */
export const selectCellsBehind = (directory: Db) =>
  directory.many<{ cell: number }>(sql`
    select c.cell from cells c where exists (
      select from identity_changes i where i.cell = c.cell and i.kind in ('key', 'organization'))`)
