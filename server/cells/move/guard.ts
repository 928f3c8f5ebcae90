// Guards an organization's rows in a cell while it moves: triggers on its tables, made for the move and dropped after
// it, so that no other installation, cell or organization pays for them.
//
//   copying  source: keys of changed rows are noted for the copy
//   paused   source: the same, and no worker takes on deliveries or workflow runs of the organization
//   closed   no change: writes are refused; statements of workers for many organizations skip these rows
//   left     source, after the switch: the same; rows that are deleted by age may go
//   hidden   target: workers skip the rows
//   open     target, after the switch: no limit
//
// Each transaction that writes takes a shared advisory lock for the organization before it reads the state; closing
// takes the exclusive one. So a process with an old cache cannot commit a write after the source is closed.
import sql, { raw, type Sql } from 'sql-template-tag'
import { isLocked } from '../../base/error-code.ts'
import type { Db } from '../../db/pool.ts'
import { MOVING } from '../../db/unavailable.ts'
import { isLate, listTables, type MovedTable } from './tables.ts'

export type GuardState = 'copying' | 'paused' | 'closed' | 'left' | 'hidden' | 'open'

/** First half of the key of the advisory lock. */
const LOCK = 740215545

/** A worker that takes on work, or goes on with it longer. */
const CLAIMS: Readonly<Record<string, string>> = {
  // Each would wake the worker of an endpoint again.
  event_pending: `tg_op = 'DELETE'`,
  webhook_lanes: `tg_op = 'UPDATE' and new.fence > old.fence`,
  svix_applications: `tg_op = 'UPDATE' and new.leased_until > old.leased_until`,
  workflow_runs: `tg_op = 'UPDATE' and new.status = 'running' and new.fence > old.fence`,
}

/** What workers do for several organizations in one statement: a refusal would hold up the others. */
const SHARED: Readonly<Record<string, string>> = {
  event_pending: `tg_op = 'DELETE'`,
  stat_changes: `tg_op = 'DELETE'`,
  // Follows a membership that is deleted in the directory (copies.ts): the copies of others would wait.
  former_members: `tg_op = 'INSERT'`,
  idempotent_answers: `tg_op = 'DELETE'`,
  webhook_lanes: `tg_op = 'UPDATE'`,
  svix_applications: `tg_op = 'UPDATE'`,
  webhook_attempts: `tg_op = 'INSERT'`,
  webhook_deliveries: `tg_op = 'INSERT'`,
  webhook_hours: `tg_op <> 'DELETE'`,
  // Not what people ask for: to cancel a run, or to retry it.
  workflow_runs: `tg_op = 'UPDATE' and (new.status = old.status or new.status not in ('cancelled', 'queued'))`,
}

const keyOf = (row: 'old' | 'new', { key }: MovedTable) =>
  `jsonb_build_object(${key.map(({ name }) => `'${name}', ${row}.${name}`).join(', ')})`

/** Tables that are copied at the end need no note. */
const note = (row: 'old' | 'new', table: MovedTable) =>
  isLate(table)
    ? 'null;'
    : `insert into move_changes (org, name, key) values (moved, '${table.name}', ${keyOf(row, table)});`

/** PL/pgSQL of a trigger; the names in it are the catalog's. */
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

/** Writers of the table wait for the lock as long as this; then it is tried again. */
const LOCK_MS = '400'
const TRIES = 100

/** A transaction that locks what others use: it gives way, and tries again. */
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

/** Repeating it adds what is missing. Once a trigger is there, no transaction writes the table without it. */
export async function installGuard(db: Db, org: number): Promise<void> {
  for (const table of await listTables(db)) {
    if (await hasTriggers(db, table.name, org)) continue
    await lockingBriefly(db, async (tx) => {
      // Two moves that begin together would change the same function.
      await tx.run(sql`select pg_advisory_xact_lock(${LOCK}::int, 0)`)
      await tx.run(raw(guardFunction(table)))
      await tx.run(createTriggers(table, org))
    })
  }
}

/** What a step relies on: the state, and in the target the command that may write. */
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

/** Until the transaction ends, what changes the guard waits. @throws GuardChangedError */
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
            // Readers wait for it too: all locks are taken together or none, so that no reader meets a deadlock.
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

/** Drops the triggers, then what they have noted, and then the state. @throws GuardChangedError */
export async function removeGuard(db: Db, org: number, expected: Expected): Promise<void> {
  await dropTriggers(db, org, expected)
  await forgetNotes(db, org, expected)
  await db.run(sql`delete from organization_moves where ${isExpected(org, expected)}`)
}

const hasTrigger = (db: Db, table: string, trigger: string): Promise<boolean> =>
  db.value<boolean>(sql`
    select exists (select from pg_trigger where tgrelid = ${table}::regclass and tgname = ${trigger}) as found`)

/** The following statements of the transaction pass the triggers. */
export const asMover = (tx: Db): Promise<number> =>
  tx.run(sql`select set_config('rapport.mover', 'on', true)`)

export interface Guard {
  state: GuardState
  round: number
  copied: string[]
}

export const findGuard = (db: Db, org: number): Promise<Guard | undefined> =>
  db.maybeOne<Guard>(sql`select state, round, copied from organization_moves where org = ${org}`)

/** For rows that no move has left behind, and that are to be removed in the same way. */
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
 * Only `holder` writes in the target from here on: what others have begun there is waited for. A guard that is still
 * open has to be removed before, since its triggers would pass over writes.
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

/** What has been copied before has to be copied again. */
export const forgetCopied = (db: Db, org: number, holder: string): Promise<number> =>
  db.run(sql`
    update organization_moves set copied = '{}', round = 0 where org = ${org} and holder = ${holder}`)

/** The target has all rows of this round. */
export const closeTarget = (tx: Db, org: number, round: number): Promise<number> =>
  tx.run(sql`
    update organization_moves set state = 'closed', round = ${round}, changed_at = now()
    where org = ${org} and state in ('hidden', 'closed')`)

/** Unless a later round has closed the target. */
export const hideTarget = (db: Db, org: number, round: number): Promise<number> =>
  db.run(sql`
    update organization_moves set state = 'hidden', changed_at = now()
    where org = ${org} and state = 'closed' and holder is not null and round <= ${round}`)

/** After the switch of this round. @returns whether it was not open yet */
export const openMoveTarget = async (tx: Db, org: number, round: number): Promise<boolean> =>
  (await tx.run(sql`
    update organization_moves set state = 'open', changed_at = now()
    where org = ${org} and state in ('hidden', 'closed') and holder is not null and round = ${round}`)) > 0

/** @returns whether it was in one of the states `from` */
export const setGuard = async (
  db: Db,
  org: number,
  { from, to }: { from: readonly GuardState[]; to: GuardState },
): Promise<boolean> =>
  (await db.run(sql`
    update organization_moves set state = ${to}, changed_at = now()
    where org = ${org} and state = any(${from}::text[])`)) > 0

/**
 * Closes the source, once the transactions that have written end; those that begin meanwhile wait.
 * @returns false when a later round was there already
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
    // Less than deadlock_timeout: writers that wait for each other behind it go on.
    { tries: 20, waitMs: '800' },
  )

/** Opens the source again, unless a later round has closed it. */
export const reopenGuard = (db: Db, org: number, round: number): Promise<number> =>
  db.run(sql`
    update organization_moves set state = 'copying', changed_at = now()
    where org = ${org} and (state = 'paused' or (state = 'closed' and round <= ${round}))`)
