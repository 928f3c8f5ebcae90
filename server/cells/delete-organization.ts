// Deletes an organization with everything it has, for operators. Its stored files follow within an hour
// (files/jobs.ts): the rows that name them stay until then.
import sql, { raw } from 'sql-template-tag'
import { AppError } from '../base/errors.ts'
import type { BaseContext } from '../db/base-context.ts'
import type { Db } from '../db/pool.ts'
import { listTables, type MovedTable } from './move/tables.ts'

/** Rows of one transaction. */
const BATCH = 1000

/** By these the job finds the stored files. */
const KEPT: ReadonlySet<string> = new Set(['files', 'file_usage'])

interface Organization {
  org: number
  id: string
  /** Where its data is. */
  cell: number
}

export interface Contents {
  members: number
  records: number
  files: number
}

type Place = Pick<BaseContext, 'directory' | 'db'>

/** What a person reads before they confirm. */
export async function contentsOf(
  { directory, db }: Place,
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

/** Children before what they refer to, in small transactions that hold no lock for long. */
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

/** @throws AppError wrong_state while it moves: what was copied would stay */
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

/** From this commit on it has no members and no keys. */
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
  /** Settles when no process accepts a key that was deleted before. */
  leasesEnded(): Promise<unknown>
  signal: AbortSignal
}

/**
 * Given again after an interruption, it goes on.
 * @param place the organization's cell, and the directory @returns rows that were removed
 * @throws AppError wrong_state while it is moved
 */
export async function deleteOrganization(
  { directory, db }: Place,
  organization: Organization,
  { leasesEnded, signal }: DeletionOptions,
): Promise<number> {
  const { org, cell } = organization
  await closeAccess(directory, organization)
  await leasesEnded()
  const removed = await removeRows(db, org, signal)
  // What work in progress wrote meanwhile. The directory's row comes last: while it is there, the command can be repeated.
  const late = await removeRows(db, org, signal)
  await forget(directory, organization)
  if (cell > 0) await db.run(sql`delete from organizations where org = ${org}`)
  return removed + late
}
