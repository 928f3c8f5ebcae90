// Every statement about cells.
import sql, { raw } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import { COPIED_TABLES } from './copies.ts'

export type CellState = 'active' | 'draining'

export interface CellRow {
  cell: number
  name: string
  state: CellState
  addedAt: string
}

/** `isWaiting`: only cells with changes that are not copied yet. */
export const selectCells = (directory: Db, { isWaiting = false } = {}) =>
  directory.many<CellRow>(sql`
    select cell, name, state, added_at as "addedAt" from cells c
    where not ${isWaiting} or exists (select from identity_changes i where i.cell = c.cell)
    order by cell`)

/** The number of changes that are not yet copied to the cell. */
export const countWaitingCopies = (directory: Db, cell: number): Promise<number> =>
  directory.value<number>(sql`select count(*)::int as n from identity_changes where cell = ${cell}`)

/** Waiting rows, and for how long the oldest has waited. */
export interface CellBacklog {
  rows: number
  seconds: number
}

export const getWaiting = (directory: Db, cell: number): Promise<CellBacklog> =>
  directory.one<CellBacklog>(sql`
    select count(*)::int as rows, coalesce(extract(epoch from now() - min(noted_at)), 0)::int as seconds
    from identity_changes where cell = ${cell}`)

export interface Sizes {
  /** Size of the database. */
  bytes: number
  /** Entries of events that no consumer has processed. */
  outbox: CellBacklog
}

export async function getSizes(db: Db): Promise<Sizes> {
  const bytes = await db.value<number>(sql`select pg_database_size(current_database())::float8 as bytes`)
  const outbox = await db.one<CellBacklog>(sql`
    select count(*)::int as rows, coalesce(extract(epoch from now() - min(created_at)), 0)::int as seconds
    from event_pending`)
  return { bytes, outbox }
}

export const cellOfOrganization = (directory: Db, orgId: string) =>
  directory.maybeValue<number>(sql`select cell from organizations where id = ${orgId}`)

/** The cell of a token that does not contain an organization's id; undefined if its organization never left cell 0. */
export const cellOfMovedToken = (directory: Db, hash: Buffer) =>
  directory.maybeValue<number>(sql`
    select o.cell from moved_tokens t join organizations o on o.org = t.org where t.hash = ${hash}`)

/** The active, responding cell with the fewest organizations; the directory's cell if no other is active. */
export const chooseCell = (directory: Db, opened: readonly number[]): Promise<number> =>
  directory.value<number>(sql`
    select coalesce((
      select c.cell from cells c where c.state = 'active' and c.cell = any(${opened}::int[])
      order by (select count(*) from organizations o where o.cell = c.cell), c.cell limit 1), 0) as cell`)

/** Makes commands that add cells wait for each other. */
export const lockCells = (tx: Db) => tx.run(sql`lock table cells in share row exclusive mode`)

/** Adds a cell with the next number. */
export const insertCell = (tx: Db, name: string) =>
  tx.one<CellRow>(sql`
    insert into cells (cell, name) select coalesce(max(cell), 0) + 1, ${name} from cells
    returning cell, name, state, added_at as "addedAt"`)

/** @returns undefined if there is no such cell */
export const updateState = (directory: Db, name: string, state: CellState) =>
  directory.maybeOne<CellRow>(sql`
    update cells set state = ${state} where name = ${name}
    returning cell, name, state, added_at as "addedAt"`)

export interface CellCount {
  cell: number
  organizations: number
}

export const countOrganizationsByCell = (db: Db): Promise<CellCount[]> =>
  db.many<CellCount>(sql`
    select cell, count(*)::int as organizations from organizations group by cell`)

export interface StoredInstallation {
  id: string
  cell: number
}

export const getInstallation = (db: Db) => db.one<StoredInstallation>(sql`select id, cell from installation`)

/** Whether a database is this cell of the directory's installation. */
export async function isCell(directory: Db, db: Db, cell: number): Promise<boolean> {
  const [own, there] = [await getInstallation(directory), await getInstallation(db)]
  return there.id === own.id && there.cell === cell
}

/** Numbers of objects and attributes are different in every cell, so that organizations can move. */
const NUMBERS_PER_CELL = 2 ** 23

/**
 * For a cell. Addresses and slugs are unique in the directory. A row in the cell may come from a sign-up that failed in
 * the directory, and must not block the next sign-up.
 */
export async function dropUniqueNames(cell: Db): Promise<void> {
  await cell.run(sql`alter table users drop constraint if exists users_email_key`)
  await cell.run(sql`alter table organizations drop constraint if exists organizations_slug_key`)
}

/** For a cell that has no object yet. */
export async function startNumbers(cell: Db, number: number): Promise<void> {
  const first = number * NUMBERS_PER_CELL + 1
  const range = raw(`minvalue ${first} maxvalue ${first + NUMBERS_PER_CELL - 1} start ${first} restart`)
  for (const sequence of ['objects_obj_seq', 'attributes_attr_seq'])
    await cell.run(sql`alter sequence ${raw(sequence)} ${range}`)
}

/** For the directory, which then assigns no numbers from the range of a cell. */
export async function limitNumbers(directory: Db): Promise<void> {
  for (const sequence of ['objects_obj_seq', 'attributes_attr_seq'])
    await directory.run(sql`alter sequence ${raw(sequence)} maxvalue ${raw(String(NUMBERS_PER_CELL))}`)
}

/** For the directory: from then on, changes are recorded for cells. Waits for statements that write these tables. */
export async function noteCopyChanges(directory: Db): Promise<void> {
  for (const table of COPIED_TABLES)
    await directory.run(sql`alter table ${raw(table)} enable trigger identity_changes`)
}

/** The number of the last applied migration. */
export const getMigrationNumber = (db: Db): Promise<number> =>
  db.value<number>(sql`select max(version) from schema_migrations`)

/** The name of the last applied migration. */
export const getLastMigration = (db: Db): Promise<string> =>
  db.value<string>(sql`select name from schema_migrations order by version desc limit 1`)

export const updateInstallation = (cell: Db, { id, cell: number }: StoredInstallation) =>
  cell.run(sql`update installation set id = ${id}, cell = ${number}`)
