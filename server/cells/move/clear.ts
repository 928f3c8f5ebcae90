// Removes an organization's rows from a cell after a move away from it, or after a cancelled move to it.
import sql, { raw } from 'sql-template-tag'
import { isLocked } from '../../base/error-code.ts'
import type { Db } from '../../db/pool.ts'
import { asMover, type Expected, GuardChangedError, removeGuard, requireGuard } from './guard.ts'
import { listTables, type MovedTable } from './tables.ts'

/** Rows of one transaction. */
const BATCH = 1000

interface Removal {
  org: number
  /** The cell's number: the directory, cell 0, keeps the row of the organization itself. */
  cell: number
  /** The guard that allows the removal. It changes when the organization comes back. */
  expected: Expected
}

/** One transaction of a removal. @throws GuardChangedError */
const removing = <Result>(db: Db, { org, expected }: Removal, work: (tx: Db) => Promise<Result>) =>
  db.transaction(async (tx) => {
    await requireGuard(tx, org, expected)
    await asMover(tx)
    return work(tx)
  })

function removeBatch(db: Db, { name, primary, key }: MovedTable, removal: Removal): Promise<number> {
  const columns = primary.join(', ')
  const { org } = removal
  return removing(db, removal, (tx) =>
    tx.run(
      raw(
        key.length === 0
          ? `delete from ${name} where org = ${org}`
          : `delete from ${name} where org = ${org} and (${columns}) in (
               select ${columns} from ${name} where org = ${org} limit ${BATCH})`,
      ),
    ),
  )
}

/** Removes all rows of the organization, but not the guard. @throws GuardChangedError */
export async function removeRows(db: Db, removal: Removal, signal?: AbortSignal): Promise<void> {
  const tables = await listTables(db)
  for (const table of tables.toReversed())
    while ((await removeBatch(db, table, removal)) > 0) signal?.throwIfAborted()
  const { org, cell } = removal
  if (cell > 0)
    await removing(db, removal, async (tx) => {
      await tx.run(sql`
        delete from members where organization_id in (select id from organizations where org = ${org})`)
      await tx.run(sql`delete from api_keys where org = ${org}`)
      await tx.run(sql`delete from organizations where org = ${org}`)
    })
}

/** Removes the organization's rows, and then the guard. @throws GuardChangedError */
export async function removeOrganization(db: Db, removal: Removal, signal?: AbortSignal): Promise<void> {
  await removeRows(db, removal, signal)
  await removeGuard(db, removal.org, removal.expected)
}

/** After this time, reads that began before the switch, such as exports, have ended. */
const LEFT_MINUTES = 10

const selectOver = (db: Db) =>
  db.many<{ org: number; state: 'left' | 'open' }>(sql`
    select org, state from organization_moves
    where (state = 'left' and changed_at < now() - make_interval(mins => ${LEFT_MINUTES}))
      or (state = 'open' and changed_at < now() - interval '1 minute')`)

/** Ignores a lock or a changed guard: the next run removes the rows, if they must still be removed. */
function passOver(error: unknown): void {
  if (!isLocked(error) && !(error instanceof GuardChangedError)) throw error
}

/** A job: removes the rows of moved organizations from the cells they left. */
export async function clearMoved(
  { db, directory, cell }: { db: Db; directory: Db; cell: number },
  signal: AbortSignal,
): Promise<void> {
  for (const { org, state } of await selectOver(db)) {
    if (signal.aborted) return
    if (await directory.maybeOne(sql`select from moves where org = ${org}`)) continue
    const expected = { state }
    await (state === 'left'
      ? removeOrganization(db, { org, cell, expected }, signal)
      : removeGuard(db, org, expected)
    ).catch(passOver)
  }
}
