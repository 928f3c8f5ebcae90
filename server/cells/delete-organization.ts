// Deletes an organization with all its data, for operators. Its stored files are deleted within an hour
// (files/jobs.ts). The rows that name the files are kept until then.
import sql, { raw } from 'sql-template-tag'
import { AppError } from '../base/errors.ts'
import type { BaseContext } from '../db/base-context.ts'
import type { Db } from '../db/pool.ts'
import { listTables, type MovedTable } from './move/tables.ts'

/** Rows of one transaction. */
const BATCH = 1000

/** The job finds the stored files by the rows of these tables. */
const KEPT: ReadonlySet<string> = new Set(['files', 'file_usage'])

interface Organization {
  org: number
  id: string
  /** The cell of its data. */
  cell: number
}

export interface Contents {
  members: number
  records: number
  files: number
}

type OrganizationDatabases = Pick<BaseContext, 'directory' | 'db'>

/** The figures that the operator reads before confirming. */
export async function contentsOf(
  { directory, db }: OrganizationDatabases,
  { org, id }: Pick<Organization, 'org' | 'id'>,
): Promise<Contents> {
  const members = await directory.value<number>(
    sql`select count(*)::int from members where organization_id = ${id}`,
  )
  const records = await db.value<number>(sql`select count(*)::bigint from records where org = ${org}`)
  const files = await db.value<number>(sql`select count(*)::int from files where org = ${org}`)
  return { members, records, files }
}

const removeBatch = (db: Db, { name, primary }: MovedTable, org: number): Promise<number> => {
  const columns = raw(primary.join(', '))
  return db.run(sql`
    delete from ${raw(name)} where org = ${org} and (${columns}) in (
      select ${columns} from ${raw(name)} where org = ${org} limit ${BATCH})`)
}

/** Removes referring rows before the rows they refer to, in small transactions that hold locks only briefly. */
async function removeRows(db: Db, org: number, signal: AbortSignal): Promise<number> {
  let removed = 0
  for (const table of (await listTables(db)).toReversed()) {
    if (KEPT.has(table.name)) continue
    for (let rows = BATCH; rows === BATCH; removed += rows) {
      signal.throwIfAborted()
      rows = await removeBatch(db, table, org)
    }
  }
  return removed
}

/** @throws AppError wrong_state during a move: the copied rows would not be deleted */
async function requireAtRest(tx: Db, { id }: Organization): Promise<void> {
  const isMoving = await tx.maybeValue<boolean>(
    sql`select moving_to is not null from organizations where id = ${id} for update`,
  )
  if (!isMoving) return
  throw new AppError(
    'wrong_state',
    'The organization is being moved to another cell: wait until it is there, or cancel with rapport org move --cancel',
  )
}

/** From this commit on, the organization has no members and no keys. */
const closeAccess = (directory: Db, organization: Organization): Promise<void> =>
  directory.transaction(async (tx) => {
    const { org, id } = organization
    await requireAtRest(tx, organization)
    await tx.run(sql`delete from api_keys where org = ${org}`)
    await tx.run(sql`delete from invitations where organization_id = ${id}`)
    await tx.run(sql`delete from members where organization_id = ${id}`)
    await tx.run(sql`delete from outgoing_mail where organization_id = ${id}`)
  })

const forget = (directory: Db, organization: Organization): Promise<void> =>
  directory.transaction(async (tx) => {
    await requireAtRest(tx, organization)
    await tx.run(sql`delete from organizations where id = ${organization.id}`)
  })

export interface DeletionOptions {
  /** Resolves when no process accepts a key that was deleted before the call. */
  leasesEnded(): Promise<unknown>
  signal: AbortSignal
}

/**
 * Deletes an organization. Repeated after an interruption, it continues.
 * @param databases the organization's cell, and the directory @returns the number of removed rows
 * @throws AppError wrong_state while the organization is being moved
 */
export async function deleteOrganization(
  { directory, db }: OrganizationDatabases,
  organization: Organization,
  { leasesEnded, signal }: DeletionOptions,
): Promise<number> {
  const { org, cell } = organization
  await closeAccess(directory, organization)
  await leasesEnded()
  const removed = await removeRows(db, org, signal)
  // Rows that work in progress wrote during the deletion. The directory's row comes last, so that the command can be
  // repeated until then.
  const late = await removeRows(db, org, signal)
  await forget(directory, organization)
  if (cell > 0) await db.run(sql`delete from organizations where org = ${org}`)
  return removed + late
}
