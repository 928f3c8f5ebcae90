// The short last part of a move, during which writes of the organization are refused: the remaining changes are copied,
// and the directory switches.
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { isLocked, isUniqueViolation } from '../../base/error-code.ts'
import type { Db } from '../../db/pool.ts'
import { isDatabaseUnavailable } from '../../db/unavailable.ts'
import { endOfOrder, isOrderBehind, raiseEventOrder } from '../../events/clock.ts'
import { copyMovingOrganization } from '../copies.ts'
import { type Copy, copyLaterChanges, copyRest, showEarly } from './copy.ts'
import { closeGuard, closeTarget, hideTarget, lockingBriefly, reopenGuard, setGuard } from './guard.ts'
import {
  findMove,
  insertChangedTokens,
  type MoveRow,
  raiseSequences,
  startClosing,
  stopClosing,
  switchCell,
} from './store.ts'

interface Attempt {
  directory: Db
  org: number
  source: Db
}

export interface Closing {
  directory: Db
  copy: Copy
  move: MoveRow
  holder: string
}

/** Leases last 30 s, so leases of processes that have ended have expired after this time. */
const DRAIN_MS = 40_000
const LOOK_MS = 20

/** Whether a worker sends deliveries of the organization, or executes a step of a run. */
const isWorkedFor = (source: Db, org: number) =>
  source.value<boolean>(sql`
    select exists (select from webhook_lanes where org = ${org} and leased_until > now())
      or exists (select from svix_applications where org = ${org} and leased_until > now())
      or exists (select from workflow_runs where org = ${org} and status = 'running' and due_at > now()) as found`)

/**
 * Waits until no worker holds work of the organization. Work that takes longer than a lease continues in the target, as
 * after a kill: a request may be sent twice, with the same id.
 */
async function drain({ copy }: Closing): Promise<void> {
  const until = performance.now() + DRAIN_MS
  await setGuard(copy.source, copy.org, { from: ['copying'], to: 'paused' })
  while (performance.now() < until && (await isWorkedFor(copy.source, copy.org))) {
    copy.signal.throwIfAborted()
    await delay(LOOK_MS)
  }
}

/** Numbers and event order of the target continue after those of the source. */
export async function raiseTarget({ source, target }: Copy): Promise<void> {
  await raiseSequences(source, target)
  const place = await endOfOrder(source)
  if (await isOrderBehind(target, place)) await lockingBriefly(target, (tx) => raiseEventOrder(tx, place))
}

async function isTargetReady({ source, target }: Copy): Promise<boolean> {
  const isRaised = await raiseSequences(source, target)
  return !isRaised && !(await isOrderBehind(target, await endOfOrder(source)))
}

const copyMailDays = async (at: Db, tx: Db, orgId: string): Promise<void> => {
  const rows = await at.value<string>(sql`
    select coalesce(json_agg(m), '[]')::text as rows from mail_days m where sender = ${orgId}`)
  await tx.run(sql`
    insert into mail_days as m (day, sender, mails)
    select day, sender, mails from json_populate_recordset(null::mail_days, ${rows}::json)
    on conflict (day, sender) do update set mails = greatest(m.mails, excluded.mails)`)
}

/** An attempt that takes longer is given up, so that writes are refused for less than two seconds. */
const REFUSED_MS = 1300

/** @returns whether the directory has switched */
async function closeOnce(
  closing: Closing,
  round: number,
): Promise<{ isSwitched: boolean; closedAt: number }> {
  const { directory, copy, move } = closing
  const { org, source } = copy
  if (!(await closeGuard(source, org, round))) return { isSwitched: false, closedAt: 0 }
  const closedAt = performance.now()
  await copyRest(copy, async (at, tx) => {
    await copyMailDays(at, tx, move.orgId)
    if (move.target > 0) await copyMovingOrganization(directory, tx, move)
    await closeTarget(tx, org, round)
  })
  if (!(await isTargetReady(copy))) return { isSwitched: false, closedAt }
  if (copy.directory) await insertChangedTokens(copy.directory, org)
  if (performance.now() - closedAt > REFUSED_MS) return { isSwitched: false, closedAt }
  return { isSwitched: await switchCell(directory, { ...move, round }), closedAt }
}

/** Allows writes in the source again. @returns false if the directory has already switched */
export async function reopenSource({ directory, org, source }: Attempt, round: number): Promise<boolean> {
  const isStopped = await stopClosing(directory, { org, round })
  if (!isStopped && (await findMove(directory, org))?.state === 'switched') return false
  await reopenGuard(source, org, round)
  return true
}

/** Like reopenSource; also hides the target again. */
export async function reopen(attempt: Attempt & { target: Db }, round: number): Promise<boolean> {
  if (!(await reopenSource(attempt, round))) return false
  await hideTarget(attempt.target, attempt.org, round)
  return true
}

const ATTEMPTS = 20

/** Errors that may not occur again at the next attempt. */
const isTemporary = (error: unknown) =>
  // Locks, and unique values that rows exchanged: before the next attempt, such rows are written one by one.
  isLocked(error) || isUniqueViolation(error) || isDatabaseUnavailable(error)

/** @returns the time from which writes were refused (performance.now()) */
export async function closeAndSwitch(closing: Closing): Promise<number> {
  const { directory, copy, holder } = closing
  // Before workers are paused.
  await showEarly(copy)
  for (let attempt = 1; ; attempt++) {
    await drain(closing)
    await catchUpClosely(copy)
    await raiseTarget(copy)
    const round = await startClosing(directory, copy.org, holder)
    if (round === undefined)
      throw new Error('Another command has taken over this move: wait until it has ended')
    let failure: unknown
    try {
      const { isSwitched: hasSwitched, closedAt } = await closeOnce(closing, round)
      if (hasSwitched) return closedAt
    } catch (error) {
      failure = error
    }
    if (!(await reopen({ ...copy, directory }, round))) return performance.now()
    if (failure !== undefined && !isTemporary(failure)) throw failure
    if (attempt === ATTEMPTS)
      throw failure ?? new Error('There were too many changes to copy within a second: try again later')
    copy.signal.throwIfAborted()
  }
}

/** A round that copies fewer changes than this is the last one before writes are refused. */
const FEW = 200
const SHORT_MS = 300
const ROUNDS = 20

/** Copies changes until few are left, or a copy takes little time. */
export async function catchUpClosely(copy: Copy): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    copy.signal.throwIfAborted()
    const startedAt = performance.now()
    if ((await copyLaterChanges(copy)) < FEW || performance.now() - startedAt < SHORT_MS) return
  }
}
