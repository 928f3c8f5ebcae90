// Rows that move from one cell to another, as JSON text: each value is the text that PostgreSQL writes and reads.
import sql, { raw, type Sql } from 'sql-template-tag'
import { newId } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import { findTable, upsertRows } from '../copied-rows.ts'
import { asMover, requireGuard } from './guard.ts'
import type { MovedTable } from './tables.ts'

/** Limits of one statement. */
const BATCH_CHARACTERS = 4_000_000
const BATCH_ROWS = { first: 20, max: 2000 }

const textOf = (rows: readonly { row: string }[]) => `[${rows.map(({ row }) => row).join(',')}]`

const sizeOf = (rows: readonly { row: string }[]) => rows.reduce((sum, { row }) => sum + row.length, 0)

/** The rows of a query, in batches. @param limitOf how many rows to read next, from the last rows */
export async function* readInBatches<Row>(
  tx: Db,
  query: Sql,
  limitOf: (rows: readonly Row[]) => number,
): AsyncGenerator<Row[]> {
  const cursor = raw(`move_${newId().replaceAll('-', '')}`)
  await tx.run(sql`declare ${cursor} no scroll cursor for ${query}`)
  let rows: Row[] = []
  for (let limit = limitOf(rows); ; limit = limitOf(rows)) {
    rows = await tx.many<Row>(sql`fetch ${raw(String(limit))} from ${cursor}`)
    if (rows.length > 0) yield rows
    if (rows.length < limit) break
  }
  await tx.run(sql`close ${cursor}`)
}

/** The next limit, which keeps a statement small if rows are large. */
const fitting = (rows: readonly { row: string }[]): number => {
  if (rows.length === 0) return BATCH_ROWS.first
  const fitting = Math.floor((BATCH_CHARACTERS * rows.length) / sizeOf(rows))
  return Math.max(1, Math.min(fitting, rows.length * 10, BATCH_ROWS.max))
}

/**
 * Rows of an organization in a table, in the snapshot of `tx`.
 * @param columns SQL with the alias `t`
 * @param when SQL condition that selects some of the rows
 */
export async function* readMovedRows(
  tx: Db,
  { table, org, columns, when }: { table: MovedTable; org: number; columns: string; when?: string },
): AsyncGenerator<{ rows: string; count: number }> {
  const query = sql`
    select row_to_json(r)::text as row from (
      select ${raw(columns)} from ${raw(table.name)} t where org = ${org} and (${raw(when ?? 'true')})) as r`
  for await (const rows of readInBatches<{ row: string }>(tx, query, fitting))
    yield { rows: textOf(rows), count: rows.length }
}

const conditionOf = ({ key }: MovedTable, row: string) =>
  key.map(({ name }) => `${row}.${name} = k.${name}`).join(' and ') || 'true'

/** FROM item `k` of keys as JSON text. If the organization is the only key, the item is one row without columns. */
const keysAs = ({ key }: MovedTable, keys: string): Sql =>
  key.length === 0
    ? sql`(select) as k`
    : sql`json_to_recordset(${keys}::json) as ${raw(`k(${key.map(({ name, type }) => `${name} ${type}`).join(', ')})`)}`

/** The existing rows with these keys. @param columns SQL with the alias `t` @returns JSON text */
export async function readKeyed(
  tx: Db,
  { table, org, keys, columns }: { table: MovedTable; org: number; keys: string; columns: string },
): Promise<string> {
  const rows = await tx.many<{ row: string }>(sql`
    select row_to_json(r)::text as row from ${keysAs(table, keys)} cross join lateral (
      select ${raw(columns)} from ${raw(table.name)} t
      where t.org = ${org} and ${raw(conditionOf(table, 't'))} offset 0) as r`)
  return textOf(rows)
}

/** The keys whose rows do not exist. @returns JSON text */
export const readMissing = (
  tx: Db,
  { table, org, keys }: { table: MovedTable; org: number; keys: string },
): Promise<string> =>
  tx.value<string>(sql`
    select coalesce(json_agg(${table.key.length === 0 ? sql`'{}'::json` : sql`k`}), '[]')::text as keys
    from ${keysAs(table, keys)}
    where not exists (
      select from ${raw(table.name)} t where t.org = ${org} and ${raw(conditionOf(table, 't'))})`)

export const deleteRows = (
  tx: Db,
  { table, org, keys }: { table: MovedTable; org: number; keys: string },
): Promise<number> =>
  tx.run(sql`
    delete from ${raw(table.name)} d using ${keysAs(table, keys)}
    where d.org = ${org} and ${raw(conditionOf(table, 'd'))}`)

/** Updates some columns of existing rows. */
export function writeColumns(
  tx: Db,
  { name, primary }: MovedTable,
  { columns, rows }: { columns: readonly string[]; rows: string },
): Promise<number> {
  const changes = columns.map((column) => `${column} = s.${column}`).join(', ')
  const same = primary.map((column) => `d.${column} = s.${column}`).join(' and ')
  return tx.run(sql`
    update ${raw(name)} d set ${raw(changes)}
    from json_populate_recordset(null::${raw(name)}, ${rows}::json) as s where ${raw(same)}`)
}

const selectMissingUsers = (target: Db, { name, users }: MovedTable, rows: string) =>
  target.many<{ id: string }>(sql`
    select distinct u.id from json_populate_recordset(null::${raw(name)}, ${rows}::json) as r
    cross join lateral (values ${raw(users.map((column) => `(r.${column})`).join(', '))}) as u(id)
    where u.id is not null and not exists (select from users where id = u.id)`)

/** Copies the users that rows refer to, also former members. Later changes come from the directory (copies.ts). */
async function writeUsers(source: Db, tx: Db, table: MovedTable, rows: string): Promise<void> {
  if (table.users.length === 0) return
  const missing = await selectMissingUsers(tx, table, rows)
  if (missing.length === 0) return
  const users = await source.value<string>(sql`
    select coalesce(json_agg(u), '[]')::text as users
    from users u where id = any(${missing.map(({ id }) => id)}::uuid[])`)
  await upsertRows(tx, { ...(await findTable(tx, 'users')), changed: [] }, users)
}

/** The target of a command's writes. */
interface Writing {
  org: number
  target: Db
  /** The id of the command, which may write until another command has taken over. */
  holder: string
}

/** A transaction that passes the triggers. @throws GuardChangedError */
export const writing = (
  { org, target, holder }: Writing,
  work: (tx: Db) => Promise<unknown>,
): Promise<void> =>
  target.transaction(async (tx) => {
    await requireGuard(tx, org, { holder })
    await asMover(tx)
    await work(tx)
  })

/**
 * Runs `work` in the transaction of `target` that `writing` has begun, or in a separate, short one: while it is open,
 * new events of other organizations do not appear.
 */
export async function inTarget(to: Writing, work: (tx: Db) => Promise<unknown>): Promise<void> {
  if (to.target.inTransaction) await work(to.target)
  else await writing(to, work)
}

export const writeMovedRows = (
  source: Db,
  to: Writing,
  { table, rows }: { table: MovedTable; rows: string },
): Promise<void> =>
  inTarget(to, async (tx) => {
    await writeUsers(source, tx, table, rows)
    await upsertRows(tx, table, rows)
  })
