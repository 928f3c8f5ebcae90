// Statements about leases on the rows of a table. A lease that is not renewed expires. Each lease increases the fence,
// so that writes of an earlier holder are rejected. All times are times of the database.
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'

/** A table with the columns due_at (infinity: not due), leased_until and fence. The names become part of statements. */
export interface LeasedTable<Column extends string = string> {
  name: string
  key: readonly Column[]
  /** Columns with future times: they are moved back with the clock. */
  times: readonly string[]
  leaseSeconds: number
  /** Selects the keys of rows that have work but that no process would lease. */
  forgotten(now: Sql): Sql
}

/** The lease as it was claimed: another process may hold the row now. */
export type RowLease<Column extends string> = Readonly<Record<Column, number | string>> & { fence: number }

const columns = (names: readonly string[]): Sql => join(names.map((name) => raw(name)))

const leaseOf = ({ leaseSeconds }: LeasedTable): Sql => sql`make_interval(secs => ${leaseSeconds})`

const isSameRow = ({ key }: LeasedTable, one: string, other: string): Sql =>
  raw(key.map((column) => `${one}.${column} = ${other}.${column}`).join(' and '))

const isHeld = <Column extends string>({ key }: LeasedTable<Column>, lease: RowLease<Column>): Sql =>
  join(
    [...key, 'fence' as const].map((column) => sql`${raw(column)} = ${lease[column]}`),
    ' and ',
  )

interface Claimed {
  limit: number
  now: Sql
  /** A further condition. */
  isFree?: Sql
}

/** Common table expressions that lease due rows, the longest due first. `leased` returns these rows. */
export const leasedRows = (table: LeasedTable, { limit, now, isFree = sql`true` }: Claimed): Sql => sql`
  due as (
    select ${columns(table.key)} from ${raw(table.name)}
    where due_at <= ${now} and leased_until < ${now} and ${isFree}
    order by due_at limit ${limit} for no key update skip locked),
  leased as (
    update ${raw(table.name)} t set leased_until = ${now} + ${leaseOf(table)}, fence = t.fence + 1
    from due where ${isSameRow(table, 't', 'due')} returning t.*)`

/** A common table expression that renews a lease. `held` is the row, or empty if the lease is lost. */
export const heldRow = <Column extends string>(
  table: LeasedTable<Column>,
  lease: RowLease<Column>,
  now: Sql,
): Sql => sql`
  held as (
    update ${raw(table.name)} set leased_until = ${now} + ${leaseOf(table)}
    where ${isHeld(table, lease)} returning *)`

interface Release {
  /** Assignments to due_at and other columns. */
  set: Sql
  /** Runs in the same transaction, while the row is locked. */
  before?: ((tx: Db) => Promise<unknown>) | undefined
}

/**
 * Releases a lease, unless it is lost. This needs two statements: the second reads data that was committed while the
 * first waited for the row.
 */
export const releaseLease = <Column extends string>(
  db: Db,
  table: LeasedTable<Column>,
  lease: RowLease<Column>,
  { set, before }: Release,
): Promise<void> =>
  db.transaction(async (tx) => {
    const row = sql`${raw(table.name)} where ${isHeld(table, lease)}`
    if ((await tx.run(sql`select from ${row} for no key update`)) === 0) return
    await before?.(tx)
    await tx.run(sql`
      update ${raw(table.name)} set leased_until = '-infinity', ${set} where ${isHeld(table, lease)}`)
  })

/** Selects the keys of forgotten rows, and of leases that end too late to be from the current clock. */
export const forgottenRows = (table: LeasedTable, now: Sql): Sql => sql`
  ${table.forgotten(now)}
  union
  select ${columns(table.key)} from ${raw(table.name)} where leased_until > ${now} + 2 * ${leaseOf(table)}`

/** Makes forgotten rows due. @returns the number of rows */
export const wakeForgotten = (db: Db, table: LeasedTable, now: Sql = sql`now()`): Promise<number> =>
  db.run(sql`
    update ${raw(table.name)} t
    set due_at = least(t.due_at, ${now}), leased_until = least(t.leased_until, ${now} + ${leaseOf(table)})
    from (${forgottenRows(table, now)}) as f where ${isSameRow(table, 't', 'f')}`)

/** Moves the times of rows back, after the clock was set back. @returns the number of rows */
export function moveRowsBack(tx: Db, { name, times }: LeasedTable, seconds: number): Promise<number> {
  const moved = times.map(
    (time) => sql`${raw(time)} = ${raw(time)} - make_interval(secs => ${seconds}::float8)`,
  )
  const finite = times.map((time) => `case when ${time} < 'infinity' then ${time} end`)
  return tx.run(sql`update ${raw(name)} set ${join(moved)} where greatest(${columns(finite)}) > now()`)
}
