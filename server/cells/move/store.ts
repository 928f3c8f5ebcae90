// Every statement about moves in the directory.
import sql, { raw } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'

export type MoveState = 'copying' | 'closing' | 'switched' | 'cancelling'

export interface MoveRow {
  org: number
  /** Public id of the organization. */
  orgId: string
  source: number
  target: number
  state: MoveState
  round: number
}

const columns = sql`m.org, o.id as "orgId", m.source, m.target, m.state, m.round`

export const findMove = (directory: Db, org: number): Promise<MoveRow | undefined> =>
  directory.maybeOne<MoveRow>(sql`
    select ${columns} from moves m join organizations o on o.org = m.org where m.org = ${org}`)

/** @returns undefined if the organization is no longer in `source`, or a move of it has begun */
export const insertMove = async (
  directory: Db,
  { org, source, target, holder }: Pick<MoveRow, 'org' | 'source' | 'target'> & { holder: string },
): Promise<boolean> =>
  (await directory.run(sql`
    with o as (
      update organizations set moving_to = ${target} where org = ${org} and cell = ${source} and moving_to is null
      returning org)
    insert into moves (org, source, target, holder) select org, ${source}, ${target}, ${holder} from o
    on conflict do nothing`)) > 0

/** A command that has not updated `seen_at` for this time has ended. */
const ABANDONED_AFTER = sql`interval '5 seconds'`

/** @returns false if another command is running */
export const takeMove = async (directory: Db, org: number, holder: string): Promise<boolean> =>
  (await directory.run(sql`
    update moves set holder = ${holder}, seen_at = now()
    where org = ${org} and (holder = ${holder} or seen_at < now() - ${ABANDONED_AFTER})`)) > 0

/** @returns a text that changes whenever the running command updates the move */
export const findSign = (directory: Db, org: number): Promise<string | undefined> =>
  directory.maybeValue<string>(sql`select holder || ' ' || seen_at as sign from moves where org = ${org}`)

/** Releases the move, so that another command can take it immediately. */
export const leaveMove = (directory: Db, org: number, holder: string): Promise<number> =>
  directory.run(sql`update moves set seen_at = '-infinity' where org = ${org} and holder = ${holder}`)

/** @returns the next round; undefined if another command has taken the move */
export const startClosing = (directory: Db, org: number, holder: string): Promise<number | undefined> =>
  directory.maybeValue<number>(sql`
    update moves set state = 'closing', round = round + 1, state_at = now()
    where org = ${org} and holder = ${holder} and state = 'copying' returning round`)

/** Gives up an attempt to close. @returns false if the move has switched, or the attempt was already given up */
export const stopClosing = async (directory: Db, { org, round }: Pick<MoveRow, 'org' | 'round'>) =>
  (await directory.run(sql`
    update moves set state = 'copying', state_at = now()
    where org = ${org} and round = ${round} and state = 'closing'`)) > 0

/** @returns false if the move has switched, or its command is running */
export const startCancelling = async (directory: Db, org: number, holder: string): Promise<boolean> =>
  (await directory.run(sql`
    update moves set state = 'cancelling', state_at = now()
    where org = ${org} and holder = ${holder} and state in ('copying', 'cancelling')`)) > 0

/**
 * From this commit on, the organization is in the target. The transaction waits for concurrent changes of members and
 * keys. It marks all members and keys to be copied to the target.
 * @returns false if the attempt was given up
 */
export function switchCell(directory: Db, { org, target, round }: MoveRow): Promise<boolean> {
  return directory.transaction(async (tx) => {
    await tx.run(sql`set local lock_timeout = '500ms'`)
    const switched = await tx.run(sql`
      update moves set state = 'switched', state_at = now()
      where org = ${org} and round = ${round} and state = 'closing'`)
    if (switched === 0) return false
    // The reference of a new member or key locks this row, so none is added before the commit. The locks on members and
    // keys keep existing ones from being changed or removed.
    const { id } = await tx.one<{ id: string }>(
      sql`select id from organizations where org = ${org} for update`,
    )
    await tx.run(sql`select from members where organization_id = ${id} for update`)
    await tx.run(sql`select from api_keys where org = ${org} for update`)
    await tx.run(sql`update organizations set cell = ${target} where org = ${org}`)
    await tx.run(sql`
      insert into identity_changes (cell, kind, id)
      select ${target}::int, kind, id from (
        select 'organization' as kind, ${id}::uuid as id
        union all select 'member', id from members where organization_id = ${id}
        union all select 'key', id from api_keys where org = ${org}) as c
      where ${target}::int > 0`)
    return true
  })
}

/** @param state in which the move may end */
export const deleteMove = (
  directory: Db,
  { org, source, target, round }: MoveRow,
  state: MoveState,
): Promise<void> =>
  directory.transaction(async (tx) => {
    const ended = await tx.run(sql`
      delete from moves
      where org = ${org} and source = ${source} and target = ${target} and round = ${round} and state = ${state}`)
    if (ended > 0) await tx.run(sql`update organizations set moving_to = null where org = ${org}`)
  })

/** Moves that are in a short state for too long, and moves whose command has ended. */
export const selectStuck = (directory: Db): Promise<MoveRow[]> =>
  directory.many<MoveRow>(sql`
    select ${columns} from moves m join organizations o on o.org = m.org
    where (m.state in ('closing', 'switched') and m.state_at < now() - interval '3 seconds')
      or (m.state = 'copying' and m.seen_at < now() - ${ABANDONED_AFTER})`)

/**
 * Stores the tokens of the organization's files and portal links. By them, tokens that contain no organization's id are
 * found after the organization has left cell 0. Called early; insertChangedTokens adds the tokens of later rows.
 */
export const insertTokens = (directory: Db, org: number): Promise<number> =>
  directory.run(sql`
    insert into moved_tokens (hash, org)
    select sha256(convert_to(token, 'UTF8')), org from files where org = ${org}
    union all select hash, org from portal_tokens where org = ${org}
    on conflict do nothing`)

/** The same for rows that have changed since then, from the changes that the guard recorded. */
export const insertChangedTokens = (directory: Db, org: number): Promise<number> =>
  directory.run(sql`
    with changed as materialized (
      select distinct name, key from move_changes where org = ${org} and name in ('files', 'portal_tokens'))
    insert into moved_tokens (hash, org)
    select sha256(convert_to(f.token, 'UTF8')), f.org
    from changed c join files f on f.org = ${org} and f.id = (c.key->>'id')::uuid where c.name = 'files'
    union all
    select p.hash, p.org
    from changed c join portal_tokens p on p.org = ${org} and p.hash = (c.key->>'hash')::bytea
    where c.name = 'portal_tokens'
    on conflict do nothing`)

const SEQUENCES = ['object_versions', 'event_pending_id_seq', 'stat_changes_id_seq'] as const
const lastValues = sql`
  select s.name, pg_sequence_last_value(s.name::regclass) as last from unnest(${[...SEQUENCES]}::text[]) as s(name)`

/** More numbers than an installation uses while an organization moves. */
const RESERVE = 1_000_000

interface Sequence {
  name: string
  last: number | null
}

const SEQUENCE_LOCK = 740215546

/** Never lowers a sequence. @param last the number after which it continues */
export const raiseSequence = (tx: Db, name: string, last: number): Promise<number> =>
  tx.run(sql`
    select setval(${name}::regclass, greatest(pg_sequence_last_value(${name}::regclass), ${last}::bigint))`)

/** Raises sequences of the target above those of the source. @returns whether that was necessary */
export async function raiseSequences(source: Db, target: Db): Promise<boolean> {
  const there = new Map((await target.many<Sequence>(lastValues)).map(({ name, last }) => [name, last ?? 0]))
  const behind = (await source.many<Sequence>(lastValues)).filter(
    ({ name, last }) => (last ?? 0) > (there.get(name) ?? 0),
  )
  if (behind.length > 0)
    await target.transaction(async (tx) => {
      // Another move into the cell may raise them at the same time.
      await tx.run(sql`select pg_advisory_xact_lock(${SEQUENCE_LOCK}::bigint)`)
      for (const { name, last } of behind) await raiseSequence(tx, name, (last ?? 0) + RESERVE)
    })
  return behind.length > 0
}

/** A move that has not ended, as operators see it. */
export interface OpenMove {
  /** Name of the cell that the organization leaves, and of its new cell. */
  from: string
  to: string
  state: MoveState
  /** When it began, and when its state last changed. */
  startedAt: string
  stateAt: string
  /** Whether a command is working on it. */
  isWorking: boolean
}

export interface OrganizationMove extends OpenMove {
  /** Public id of the organization. */
  id: string
  slug: string
}

const DIRECTORY_NAME = 'directory'
const cellName = (column: 'm.source' | 'm.target') =>
  sql`coalesce((select name from cells where cell = ${raw(column)}), ${DIRECTORY_NAME})`

/** Oldest first. @param org undefined: of all organizations */
export const selectMoves = (directory: Db, org?: number): Promise<OrganizationMove[]> =>
  directory.many<OrganizationMove>(sql`
    select o.id, o.slug, ${cellName('m.source')} as "from", ${cellName('m.target')} as "to", m.state,
      m.started_at as "startedAt", m.state_at as "stateAt", m.seen_at >= now() - ${ABANDONED_AFTER} as "isWorking"
    from moves m join organizations o on o.org = m.org
    where m.org = coalesce(${org ?? null}::int, m.org)
    order by m.started_at, o.id`)
