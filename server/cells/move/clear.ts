// Removes an organization's rows from a cell: what it left behind, or what a cancelled move had copied.
import sql, { raw } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { asMover, removeGuard } from './guard.ts'
import { listTables, type MovedTable } from './tables.ts'

/** Of one transaction. */
const BATCH = 1000

function removeBatch(db: Db, { name, primary, key }: MovedTable, org: number): Promise<number> {
  const columns = primary.join(', ')
  return db.transaction(async (tx) => {
    await asMover(tx)
    return tx.run(
      raw(
        key.length === 0
          ? `delete from ${name} where org = ${org}`
          : `delete from ${name} where org = ${org} and (${columns}) in (
               select ${columns} from ${name} where org = ${org} limit ${BATCH})`,
      ),
    )
  })
}

/** @param cell its number: the directory keeps the rows of the organization itself */
export async function removeOrganization(
  db: Db,
  { org, cell }: { org: number; cell: number },
  signal?: AbortSignal,
): Promise<void> {
  const tables = await listTables(db)
  for (const table of tables.toReversed())
    while ((await removeBatch(db, table, org)) > 0) signal?.throwIfAborted()
  if (cell > 0)
    await db.transaction(async (tx) => {
      await tx.run(sql`
        delete from members where organization_id in (select id from organizations where org = ${org})`)
      await tx.run(sql`delete from api_keys where org = ${org}`)
      await tx.run(sql`delete from organizations where org = ${org}`)
    })
  await forgetMove(db, org)
}

const forgetBatch = (db: Db, org: number) =>
  db.run(sql`
    delete from move_changes where org = ${org} and id in (
      select id from move_changes where org = ${org} order by id limit ${BATCH})`)

/** Drops the triggers, and what they have noted. */
export async function forgetMove(db: Db, org: number): Promise<void> {
  await removeGuard(db, org)
  while ((await forgetBatch(db, org)) > 0);
}

/** Reads that began before the switch, such as exports, have ended by then. */
const LEFT_MINUTES = 10

const selectOver = (db: Db) =>
  db.many<{ org: number; state: 'left' | 'open' }>(sql`
    select org, state from organization_moves
    where (state = 'left' and changed_at < now() - make_interval(mins => ${LEFT_MINUTES}))
      or (state = 'open' and changed_at < now() - interval '1 minute')`)

/** A job: removes what moved organizations have left behind in a cell. */
export async function clearMoved(
  { db, directory, cell }: { db: Db; directory: Db; cell: number },
  signal: AbortSignal,
): Promise<void> {
  for (const { org, state } of await selectOver(db)) {
    if (signal.aborted) return
    // The organization may be on its way back.
    if (await directory.maybeOne(sql`select from moves where org = ${org}`)) continue
    if (state === 'left') await removeOrganization(db, { org, cell }, signal)
    else await removeGuard(db, org)
  }
}
