// Moves an organization to another cell while it is in use (docs/operators/cells.md).
//
// 1. triggers on the organization's rows record changes in the source, and hide the rows in the target
// 2. all rows are copied in one snapshot, then the changed rows, until few are left
// 3. open runs are shown in the target; workers of the source release them; then writes of the organization are refused
// 4. the last changes are copied, and the directory names the target: this one commit decides
// 5. the target takes over; the rows in the source are removed later
//
// After a kill before this commit the source is unchanged, after a kill later the target is complete. The next command,
// or a worker, continues.
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { AppError } from '../../base/errors.ts'
import { newId } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import { ensureSameDays } from '../../events/partitions.ts'
import type { MovingContext } from '../context.ts'
import { copyMovingOrganization } from '../copies.ts'
import { getLastMigration, getMigrationNumber } from '../store.ts'
import { removeOrganization, removeRows } from './clear.ts'
import { catchUpClosely, closeAndSwitch, raiseTarget, reopen } from './close.ts'
import { type Copy, copyTables, countRows } from './copy.ts'
import { findGuard, forgetCopied, guardSource, installGuard, removeGuard, setGuard } from './guard.ts'
import { holdTarget, keepHolding, waitForMove } from './holder.ts'
import { writing } from './rows.ts'
import { deleteMove, findMove, insertMove, insertTokens, type MoveRow, startCancelling } from './store.ts'
import { listTables } from './tables.ts'
import { endMove, takeOver } from './take-over.ts'

export type MovePhase = 'preparing' | 'copying' | 'closing' | 'finishing'

export interface MoveOptions {
  signal: AbortSignal
  onPhase?: (phase: MovePhase) => void | Promise<void>
  /** @param total an estimate */
  onRows?: (done: number, total: number) => void
}

export interface Moved {
  org: number
  source: number
  target: number
  rows: number
  /** How long writes were refused, in milliseconds; null: an earlier command made the switch. */
  refusedMs: number | null
}

const conflict = (message: string) => new AppError('wrong_state', message)

const dbOf = ({ cells }: MovingContext, cell: number): Db => cells.of(cell).db

/** Starts or continues the organization's move. From then on this command holds it. */
async function begin(
  ctx: MovingContext,
  { org, cell }: { org: number; cell: number },
  target: number,
  { holder, signal }: { holder: string; signal: AbortSignal },
): Promise<MoveRow> {
  const directory = dbOf(ctx, 0)
  const found = await findMove(directory, org)
  if (!found) {
    if (cell === target) throw conflict('The organization is in this cell already: choose another cell')
    await insertMove(directory, { org, source: cell, target, holder })
  } else if (found.target !== target)
    throw conflict(`A move of the organization to another cell has begun: finish it, or give --cancel`)
  const isHeld = await waitForMove(directory, { org, holder, signal })
  const move = await findMove(directory, org)
  if (!move || !isHeld)
    throw conflict('Another command is moving the organization: try again when it has ended')
  if (move.state === 'cancelling')
    throw conflict('The move is being cancelled: give --cancel again to finish that')
  return move
}

async function requireSameVersion(source: Db, target: Db): Promise<void> {
  const [one, other] = [await getMigrationNumber(source), await getMigrationNumber(target)]
  if (one !== other)
    throw conflict(`The cells have different migrations (${one}, ${other}): start the service first`)
}

/** Whether the source has recorded every change since the target's first row was copied. */
async function isContinued(from: Db, to: Db, org: number): Promise<boolean> {
  const [source, target] = [await findGuard(from, org), await findGuard(to, org)]
  const hasNotes = source !== undefined && ['copying', 'paused', 'closed'].includes(source.state)
  return hasNotes && (target?.state === 'hidden' || target?.state === 'closed')
}

/** Prepares both cells, before anything is copied. */
async function prepare({ ctx, move, holder, options }: Work): Promise<void> {
  const { org, source, target } = move
  const [directory, from, to] = [dbOf(ctx, 0), dbOf(ctx, source), dbOf(ctx, target)]
  await requireSameVersion(from, to)
  const continues = await isContinued(from, to, org)
  await holdTarget(directory, to, { org, holder })
  if (!continues) {
    await forgetCopied(to, org, holder)
    // Rows that the organization left here when it moved away.
    const removal = { org, cell: target, expected: { state: 'hidden', holder } } as const
    await removeRows(to, removal, options.signal)
  }
  await installGuard(to, org)
  await guardSource(from, org)
  await installGuard(from, org)
  await ensureSameDays(from, to)
  if (target > 0)
    await writing({ org, target: to, holder }, (tx) => copyMovingOrganization(directory, tx, move))
}

const PURGE_MS = 120_000
const PURGE_LOOK_MS = 500

/** A job removes deleted objects and attributes. It must not do that in two cells. */
async function waitForPurge({ org, source, signal }: Copy): Promise<void> {
  const until = performance.now() + PURGE_MS
  const isPurging = () =>
    source.value<boolean>(sql`
      select exists (select from objects where org = ${org} and deleted_at is not null)
        or exists (select from attributes where org = ${org} and deleted_at is not null) as found`)
  while (await isPurging()) {
    signal.throwIfAborted()
    if (performance.now() > until)
      throw conflict(
        'Deleted objects or attributes are still being removed in the background: try again later',
      )
    await delay(PURGE_LOOK_MS)
  }
}

/**
 * Processes cache the cell of a key for a second. This long after `moving_to` and the guard of the source were set, no
 * process has such an entry.
 */
const CACHED_MS = 2000

interface Work {
  ctx: MovingContext
  move: MoveRow
  holder: string
  options: MoveOptions
}

async function copyOf({ ctx, move, holder, options }: Work): Promise<Copy & { rows: () => number }> {
  const { org } = move
  const [source, target] = [dbOf(ctx, move.source), dbOf(ctx, move.target)]
  const tables = await listTables(source)
  let [done, total] = [0, 0]
  const copy: Copy = {
    ...{ org, source, target, holder, tables, signal: options.signal, isClosing: false },
    directory: move.source === 0 ? source : undefined,
    onRows(count) {
      done += count
      options.onRows?.(done, Math.max(done, total))
    },
  }
  total = await countRows(copy)
  return { ...copy, rows: () => done }
}

/** Works until the directory has switched. @returns undefined if an earlier command has switched it */
async function copyAndSwitch(work: Work): Promise<{ rows: number; closedAt: number } | undefined> {
  const { ctx, move, holder, options } = work
  await options.onPhase?.('preparing')
  const directory = dbOf(ctx, 0)
  const [source, target] = [dbOf(ctx, move.source), dbOf(ctx, move.target)]
  const isClosing = move.state === 'closing'
  if (isClosing && !(await reopen({ directory, org: move.org, source, target }, move.round))) return undefined
  await prepare(work)
  const preparedAt = performance.now()
  const copy = await copyOf(work)
  await waitForPurge(copy)
  await options.onPhase?.('copying')
  await copyTables(copy)
  await catchUpClosely(copy)
  await raiseTarget(copy)
  if (move.source === 0) await insertTokens(directory, move.org)
  await delay(Math.max(0, preparedAt + CACHED_MS - performance.now()), undefined, { signal: options.signal })
  await waitForPurge(copy)
  await options.onPhase?.('closing')
  const closedAt = await closeAndSwitch({ directory, copy, move, holder })
  return { rows: copy.rows(), closedAt }
}

/**
 * Moves an organization, or continues an interrupted move.
 * @param organization `cell`: its current cell
 * @throws AppError wrong_state, unavailable
 */
export async function moveOrganization(
  ctx: MovingContext,
  organization: { org: number; cell: number },
  target: number,
  options: MoveOptions,
): Promise<Moved> {
  const holder = newId()
  const directory = dbOf(ctx, 0)
  // Throws if one of them does not respond, before anything begins.
  const cells = [dbOf(ctx, organization.cell), dbOf(ctx, target)]
  for (const cell of cells) await getLastMigration(cell)
  const move = await begin(ctx, organization, target, { holder, signal: options.signal })
  const { lost, stop } = keepHolding(directory, move.org, holder)
  const signal = AbortSignal.any([options.signal, lost])
  try {
    const work = { ctx, move, holder, options: { ...options, signal } }
    const done = move.state === 'switched' ? undefined : await copyAndSwitch(work)
    const switched = await findMove(directory, move.org)
    // A worker may have already finished the move.
    const isOpen = switched?.state === 'switched'
    if (isOpen) await takeOver(ctx, switched)
    const refusedMs = done ? Math.round(performance.now() - done.closedAt) : null
    await options.onPhase?.('finishing')
    if (isOpen) await endMove(ctx, switched)
    return { org: move.org, source: move.source, target, rows: done?.rows ?? 0, refusedMs }
  } finally {
    await stop()
  }
}

/**
 * Ends a move that has not switched: the organization stays in its cell, and the copied rows are removed.
 * @throws AppError wrong_state, not_found
 */
export async function cancelMove(ctx: MovingContext, org: number, signal?: AbortSignal): Promise<MoveRow> {
  const holder = newId()
  const directory = dbOf(ctx, 0)
  if (!(await findMove(directory, org)))
    throw new AppError('not_found', 'The organization is not being moved: see rapport org show')
  const isHeld = await waitForMove(directory, { org, holder, signal })
  const move = await findMove(directory, org)
  if (!move || !isHeld) throw conflict('Another command is moving the organization: stop it first')
  const [source, target] = [dbOf(ctx, move.source), dbOf(ctx, move.target)]
  const { stop } = keepHolding(directory, org, holder)
  try {
    if (move.state === 'closing') await reopen({ directory, org, source, target }, move.round)
    if (!(await startCancelling(directory, org, holder)))
      throw conflict('The organization is in the new cell already: move it back')
    // Before anything is removed, so that a command that was suspended for a while can no longer write.
    await holdTarget(directory, target, { org, holder })
    await setGuard(source, org, { from: ['copying', 'paused', 'closed'], to: 'open' })
    const removal = { org, cell: move.target, expected: { state: 'hidden', holder } } as const
    await removeOrganization(target, removal, signal)
    if (await findGuard(source, org)) await removeGuard(source, org, { state: 'open' })
    await deleteMove(directory, move, 'cancelling')
    return move
  } finally {
    await stop()
  }
}
