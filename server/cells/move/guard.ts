// Guards an organization's rows in a cell while it moves. The triggers on its tables are made for the move and dropped
// after it, so that they cost other installations, cells and organizations nothing.
//
// copying source: records the keys of changed rows for the copy
// paused  source: the same, and no worker starts deliveries or workflow runs of the organization
// closed  no change: refuses writes; statements of workers for many organizations skip these rows
// left    source, after the switch: the same, but rows may be deleted, such as by age
// hidden  target: workers skip the rows
// open    target, after the switch: no limit
//
// Each transaction that writes takes a shared advisory lock for the organization before it reads the state. Closing
// takes the exclusive lock. So a process with an old cache cannot commit a write after the source is closed.
import sql, { raw, type Sql } from 'sql-template-tag'
import { isLocked } from '../../base/error-code.ts'
import type { Db } from '../../db/pool.ts'
import { MOVING } from '../../db/unavailable.ts'
import { isLate, listTables, type MovedTable } from './tables.ts'

export type GuardState = 'copying' | 'paused' | 'closed' | 'left' | 'hidden' | 'open'

/** First half of the key of the advisory lock. */
const LOCK = 740215545

/** Writes with which a worker takes work of an organization, or keeps it longer. */
const CLAIMS: Readonly<Record<string, string>> = {
  // Each processed event would wake the worker of an endpoint again.
  event_pending: `tg_op = 'DELETE'`,
  webhook_lanes: `tg_op = 'UPDATE' and new.fence > old.fence`,
  svix_applications: `tg_op = 'UPDATE' and new.leased_until > old.leased_until`,
  workflow_runs: `tg_op = 'UPDATE' and new.status = 'running' and new.fence > old.fence`,
}

/** Writes of workers for several organizations in one statement: an error would hold up the other organizations. */
const SHARED: Readonly<Record<string, string>> = {
  event_pending: `tg_op = 'DELETE'`,
  stat_changes: `tg_op = 'DELETE'`,
  // Written when a membership is deleted in the directory (copies.ts): an error would hold up all copies to the cell.
  former_members: `tg_op = 'INSERT'`,
  idempotent_answers: `tg_op = 'DELETE'`,
  webhook_lanes: `tg_op = 'UPDATE'`,
  svix_applications: `tg_op = 'UPDATE'`,
  webhook_attempts: `tg_op = 'INSERT'`,
  webhook_deliveries: `tg_op = 'INSERT'`,
  webhook_hours: `tg_op <> 'DELETE'`,
  // All updates except those that people request: cancelling or retrying a run.
  workflow_runs: `tg_op = 'UPDATE' and (new.status = old.status or new.status not in ('cancelled', 'queued'))`,
}

const keyOf = (row: 'old' | 'new', { key }: MovedTable) =>
  `jsonb_build_object(${key.map(({ name }) => `'${name}', ${row}.${name}`).join(', ')})`

/** Changes are not recorded for tables that are copied at the end. */
const note = (row: 'old' | 'new', table: MovedTable) =>
  isLate(table)
    ? 'null;'
    : `insert into move_changes (org, name, key) values (moved, '${table.name}', ${keyOf(row, table)});`

/** PL/pgSQL of a trigger. All names in it come from the catalog. */
const guardFunction = (table: MovedTable) => `
  create or replace function guard_move_${table.name}() returns trigger language plpgsql as $guard$
  declare
    moved int;
    step text;
  begin
    if tg_op = 'DELETE' then moved := old.org; else moved := new.org; end if;
    if coalesce(current_setting('rapport.mover', true), '') <> 'on' then
      perform pg_advisory_xact_lock_shared(${LOCK}, moved);
      select state into step from organization_moves where org = moved;
      if step in ('copying', 'paused') then
        if step = 'paused' and (${CLAIMS[table.name] ?? 'false'}) then return null; end if;
        if tg_op <> 'INSERT' then ${note('old', table)} end if;
        if tg_op <> 'DELETE' then
          if tg_op = 'INSERT' or ${keyOf('old', table)} <> ${keyOf('new', table)} then ${note('new', table)} end if;
        end if;
      elsif step = 'hidden' then
        return null;
      elsif step = 'closed' or (step = 'left' and tg_op <> 'DELETE') then
        if ${SHARED[table.name] ?? 'false'} then return null; end if;
        raise exception 'The organization is being moved to another cell' using errcode = '${MOVING}';
      end if;
    end if;
    if tg_op = 'DELETE' then return old; end if;
    return new;
  end $guard$`

/** How long writers of a table wait for the lock before it is released and requested again. */
const LOCK_MS = '400'
const TRIES = 100

/** Runs a transaction that locks what others use: it gives up after `waitMs`, and tries again. */
export async function lockingBriefly<Result>(
  db: Db,
  work: (tx: Db) => Promise<Result>,
  { tries = TRIES, waitMs = LOCK_MS } = {},
): Promise<Result> {
  for (let left = tries; ; left--) {
    try {
      return await db.transaction(async (tx) => {
        await tx.run(sql`select set_config('lock_timeout', ${waitMs}, true)`)
        return work(tx)
      })
    } catch (error) {
      if (!isLocked(error) || left <= 1) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

const triggers = (org: number) => ({ write: `move_${org}_write`, delete: `move_${org}_delete` })

const createTriggers = ({ name }: MovedTable, org: number): Sql => {
  const names = triggers(org)
  return raw(`
    create or replace trigger ${names.write} before insert or update on ${name}
      for each row when (new.org = ${org}) execute function guard_move_${name}();
    create or replace trigger ${names.delete} before delete on ${name}
      for each row when (old.org = ${org}) execute function guard_move_${name}()`)
}

async function hasTriggers(db: Db, table: string, org: number): Promise<boolean> {
  const names = Object.values(triggers(org))
  return db.value<boolean>(sql`
    select count(*) = 2 as found from pg_trigger where tgrelid = ${table}::regclass and tgname = any(${names}::text[])`)
}

/** Repeating it adds missing triggers. Once a trigger is there, no transaction writes the table without it. */
export async function installGuard(db: Db, org: number): Promise<void> {
  for (const table of await listTables(db)) {
    if (await hasTriggers(db, table.name, org)) continue
    await lockingBriefly(db, async (tx) => {
      // Two moves that begin at the same time would change the same function.
      await tx.run(sql`select pg_advisory_xact_lock(${LOCK}::int, 0)`)
      await tx.run(raw(guardFunction(table)))
      await tx.run(createTriggers(table, org))
    })
  }
}

/** The guard that a step requires: its state, and in the target the command that may write. */
export interface Expected {
  state?: GuardState
  holder?: string
}

/** Another command, or a later move, has changed the guard: the step has no effect. */
export class GuardChangedError extends Error {
  override readonly name = 'GuardChangedError'
  constructor() {
    super('Another command has taken over this move: wait until it has ended')
  }
}

const isExpected = (org: number, { state, holder }: Expected): Sql => sql`
  org = ${org} and (${state ?? null}::text is null or state = ${state ?? null})
  and (${holder ?? null}::uuid is null or holder = ${holder ?? null})`

/** Locks the guard against changes until the transaction ends. @throws GuardChangedError */
export async function requireGuard(tx: Db, org: number, expected: Expected): Promise<void> {
  const found = await tx.maybeOne(
    sql`select from organization_moves where ${isExpected(org, expected)} for share`,
  )
  if (!found) throw new GuardChangedError()
}

/** @throws GuardChangedError */
async function dropTriggers(db: Db, org: number, expected: Expected): Promise<void> {
  for (const { name } of await listTables(db))
    for (const trigger of Object.values(triggers(org)))
      if (await hasTrigger(db, name, trigger))
        await lockingBriefly(
          db,
          async (tx) => {
            await requireGuard(tx, org, expected)
            // Readers wait for this lock too. All locks are taken before the drop, so that no reader meets a deadlock.
            await tx.run(raw(`lock table ${name} in access exclusive mode`))
            await tx.run(raw(`drop trigger if exists ${trigger} on ${name}`))
          },
          { tries: 200, waitMs: '50' },
        )
}

const NOTES = 1000

/** @throws GuardChangedError */
async function forgetNotes(db: Db, org: number, expected: Expected): Promise<void> {
  const forgetBatch = () =>
    db.transaction(async (tx) => {
      await requireGuard(tx, org, expected)
      return tx.run(sql`
        delete from move_changes where org = ${org} and id in (
          select id from move_changes where org = ${org} order by id limit ${NOTES})`)
    })
  while ((await forgetBatch()) > 0);
}

/** Drops the triggers, then deletes the recorded changes and the state. @throws GuardChangedError */
export async function removeGuard(db: Db, org: number, expected: Expected): Promise<void> {
  await dropTriggers(db, org, expected)
  await forgetNotes(db, org, expected)
  await db.run(sql`delete from organization_moves where ${isExpected(org, expected)}`)
}

const hasTrigger = (db: Db, table: string, trigger: string): Promise<boolean> =>
  db.value<boolean>(sql`
    select exists (select from pg_trigger where tgrelid = ${table}::regclass and tgname = ${trigger}) as found`)

/** Lets the following statements of the transaction pass the triggers. */
export const asMover = (tx: Db): Promise<number> =>
  tx.run(sql`select set_config('rapport.mover', 'on', true)`)

export interface Guard {
  state: GuardState
  round: number
  copied: string[]
}

export const findGuard = (db: Db, org: number): Promise<Guard | undefined> =>
  db.maybeOne<Guard>(sql`select state, round, copied from organization_moves where org = ${org}`)

/** For rows that no move has left behind, but that must be removed in the same way. */
export const markLeft = (db: Db, org: number): Promise<number> =>
  db.run(sql`
    insert into organization_moves (org, state) values (${org}, 'left') on conflict (org) do nothing`)

/** Begins a move in the source, unless it has begun. */
export const guardSource = (db: Db, org: number): Promise<number> =>
  db.run(sql`
    insert into organization_moves as m (org, state) values (${org}, 'copying')
    on conflict (org) do update set
      state = excluded.state, round = 0, copied = '{}', holder = null, changed_at = now()
    where m.state = 'open'`)

/**
 * From here on, only `holder` writes in the target. Waits for writes that others have begun there. An open guard must
 * be removed first: it would let other writes pass.
 * @returns whether there was no guard
 */
export async function guardTarget(db: Db, org: number, holder: string): Promise<boolean> {
  const inserted = await db.run(sql`
    insert into organization_moves (org, state, holder) values (${org}, 'hidden', ${holder})
    on conflict (org) do nothing`)
  if (inserted > 0) return true
  const taken = await db.run(sql`
    update organization_moves set state = 'hidden', holder = ${holder}, changed_at = now(),
      round = case when state = 'left' then 0 else round end,
      copied = case when state = 'left' then '{}' else copied end
    where org = ${org} and state in ('left', 'hidden', 'closed')`)
  if (taken === 0) throw new GuardChangedError()
  return false
}

/** Marks all tables as not copied. */
export const forgetCopied = (db: Db, org: number, holder: string): Promise<number> =>
  db.run(sql`
    update organization_moves set copied = '{}', round = 0 where org = ${org} and holder = ${holder}`)

/** Marks the target as complete for this round. */
export const closeTarget = (tx: Db, org: number, round: number): Promise<number> =>
  tx.run(sql`
    update organization_moves set state = 'closed', round = ${round}, changed_at = now()
    where org = ${org} and state in ('hidden', 'closed')`)

/** Hides the target, unless a later round has closed it. */
export const hideTarget = (db: Db, org: number, round: number): Promise<number> =>
  db.run(sql`
    update organization_moves set state = 'hidden', changed_at = now()
    where org = ${org} and state = 'closed' and holder is not null and round <= ${round}`)

/** Opens the target after the switch of this round. @returns whether it was not open yet */
export const openMoveTarget = async (tx: Db, org: number, round: number): Promise<boolean> =>
  (await tx.run(sql`
    update organization_moves set state = 'open', changed_at = now()
    where org = ${org} and state in ('hidden', 'closed') and holder is not null and round = ${round}`)) > 0

/** @returns whether the guard was in one of the states `from` */
export const setGuard = async (
  db: Db,
  org: number,
  { from, to }: { from: readonly GuardState[]; to: GuardState },
): Promise<boolean> =>
  (await db.run(sql`
    update organization_moves set state = ${to}, changed_at = now()
    where org = ${org} and state = any(${from}::text[])`)) > 0

/**
 * Closes the source when the transactions that have written there have ended. New transactions wait for that.
 * @returns false if a later round has closed it already
 */
export const closeGuard = (db: Db, org: number, round: number): Promise<boolean> =>
  lockingBriefly(
    db,
    async (tx) => {
      await tx.run(sql`select pg_advisory_xact_lock(${LOCK}::int, ${org}::int)`)
      const closed = await tx.run(sql`
        update organization_moves set state = 'closed', round = ${round}, changed_at = now()
        where org = ${org} and state in ('copying', 'paused') and round < ${round}`)
      return closed > 0
    },
    // Shorter than the default deadlock_timeout of 1 s: this lock is given up before writers that wait behind it get a
    // deadlock error.
    { tries: 20, waitMs: '800' },
  )

/** Opens the source again, unless a later round has closed it. */
export const reopenGuard = (db: Db, org: number, round: number): Promise<number> =>
  db.run(sql`
    update organization_moves set state = 'copying', changed_at = now()
    where org = ${org} and (state = 'paused' or (state = 'closed' and round <= ${round}))`)
