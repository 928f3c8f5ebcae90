// The steps after the switch: the target takes over, and the source ends its work. Each step may be repeated, by the
// command, or by a worker if the command was killed.
import sql, { raw } from 'sql-template-tag'
import { isLocked } from '../../base/error-code.ts'
import type { Db } from '../../db/pool.ts'
import { SCHEMA } from '../../jobs/boss.ts'
import type { MovingContext } from '../context.ts'
import {
  asMover,
  findGuard,
  GuardChangedError,
  openMoveTarget,
  removeGuard,
  requireGuard,
  setGuard,
} from './guard.ts'
import { deleteMove, type MoveRow } from './store.ts'
import { OVERRIDES, type Override } from './tables.ts'

interface Job {
  name: string
  data: object
}

const isOpenJob = (org: number) => sql`
  data->>'org' = ${String(org)} and state in ('created', 'retry', 'active')`

const hasJobs = (db: Db) =>
  db.value<boolean>(sql`select to_regclass(${`${SCHEMA}.job`}) is not null as found`)

/** Queued imports, replays and mails that have not ended. */
const selectJobs = async (source: Db, org: number): Promise<Job[]> =>
  (await hasJobs(source))
    ? source.many<Job>(sql`select name, data from pgboss.job where ${isOpenJob(org)} order by created_on`)
    : []

/** Rows of one transaction. */
const HIDDEN_AT_ONCE = 5000

/** Hides the remaining rows from workers. */
async function hideLeft(source: Db, org: number): Promise<void> {
  const hideBatch = (table: string, { column, hidden, when }: Override) =>
    source.transaction(async (tx) => {
      await requireGuard(tx, org, { state: 'left' })
      await asMover(tx)
      return tx.run(sql`
        update ${raw(table)} set ${raw(column)} = ${raw(hidden)} where org = ${org} and id in (
          select id from ${raw(table)} where org = ${org} and ${raw(when)}
            and ${raw(column)} is distinct from ${raw(hidden)} limit ${HIDDEN_AT_ONCE})`)
    })
  for (const [table, overrides] of Object.entries(OVERRIDES))
    for (const override of overrides) while ((await hideBatch(table, override)) > 0);
}

/** Ends the organization's work in the source. The rows remain for reads that began before. */
async function leave(source: Db, org: number): Promise<void> {
  const withJobs = await hasJobs(source)
  await source.transaction(async (tx) => {
    await asMover(tx)
    if (!(await setGuard(tx, org, { from: ['closed'], to: 'left' }))) return
    for (const statement of [
      sql`delete from event_pending where org = ${org}`,
      sql`delete from stat_changes where org = ${org}`,
      sql`update webhook_lanes set due_at = 'infinity' where org = ${org}`,
      sql`update svix_applications set due_at = 'infinity' where org = ${org}`,
    ])
      await tx.run(statement)
    if (withJobs) await tx.run(sql`delete from pgboss.job where ${isOpenJob(org)}`)
  })
  if ((await findGuard(source, org))?.state === 'left') await hideLeft(source, org)
}

/**
 * Opens the target: writes are accepted again.
 * @param cells must include the source and the target
 * @param move in the state `switched`
 */
export async function takeOver(
  { cells }: MovingContext,
  { org, source, target, round }: MoveRow,
): Promise<void> {
  const [from, to] = [cells.of(source), cells.of(target)]
  const jobs = await selectJobs(from.db, org)
  await cells.copy()
  await to.db.transaction(async (tx) => {
    if (!(await openMoveTarget(tx, org, round))) return
    for (const { name, data } of jobs) await to.queue.enqueue(tx, { name }, data)
  })
  to.wake.events()
  to.wake.work()
}

/** Ends the work of the source, once the target is open. */
async function leaveSource({ cells }: MovingContext, { org, source, target }: MoveRow): Promise<void> {
  const guard = await findGuard(cells.of(target).db, org)
  if (guard && guard.state !== 'open')
    throw new Error(`The target of a move is ${guard.state} after the switch`)
  if (guard) await leave(cells.of(source).db, org)
}

/**
 * To be called after takeOver. Removes the guard before the directory allows another move. If the tables are always
 * locked, the move remains `switched` and a worker tries again; an open guard limits nothing.
 */
export async function endMove({ cells }: MovingContext, move: MoveRow): Promise<void> {
  try {
    await leaveSource({ cells }, move)
    await removeGuard(cells.of(move.target).db, move.org, { state: 'open' })
  } catch (error) {
    if (isLocked(error)) return
    // Another process has removed the guard.
    if (!(error instanceof GuardChangedError)) throw error
  }
  await deleteMove(cells.of(0).db, move, 'switched')
}
