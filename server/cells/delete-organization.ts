// Deletes an organization with everything it has, for operators. Its stored files follow within an hour
// (files/jobs.ts): the rows that name them stay until then.
import { setTimeout as delay } from 'node:timers/promises'
import sql, { raw } from 'sql-template-tag'
import type { Context } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { AppError } from '../errors.ts'
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

type Place = Pick<Context, 'directory' | 'db'>

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

/** From this commit on it has no members and no keys. @throws AppError wrong_state while it moves */
const closeAccess = (directory: Db, { org, id }: Organization): Promise<void> =>
  directory.transaction(async (tx) => {
    const isMoving = await tx.maybeValue<boolean>(
      sql`select moving_to is not null from organizations where id = ${id} for update`,
    )
    if (isMoving)
      throw new AppError(
        'wrong_state',
        'The organization is being moved to another cell: wait until it is there, or cancel with rapport org move --cancel',
      )
    await tx.run(sql`delete from api_keys where org = ${org}`)
    await tx.run(sql`delete from invitations where organization_id = ${id}`)
    await tx.run(sql`delete from members where organization_id = ${id}`)
    await tx.run(sql`delete from outgoing_mail where organization_id = ${id}`)
  })

export interface DeletionOptions {
  /** For how long processes may still accept a key that was deleted, in milliseconds. */
  leaseMs: number
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
  { leaseMs, signal }: DeletionOptions,
): Promise<number> {
  const { org, cell } = organization
  await closeAccess(directory, organization)
  await delay(leaseMs)
  const removed = await removeRows(db, org, signal)
  if (cell > 0) await db.run(sql`delete from organizations where org = ${org}`)
  await directory.run(sql`delete from organizations where org = ${org}`)
  // What work in progress wrote meanwhile.
  return removed + (await removeRows(db, org, signal))
}
