// Copies of an organization's row, members, users and API keys in its cell, where statements join them to name users.
// Triggers of the directory record what changed (migrations/0068-baseline/22-cells.sql); this module copies it. Each
// row is read after the lock, so the last copy has the last state, in any order of copies.
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import type { CellContext } from './context.ts'
import { findTable, upsertRows } from './copied-rows.ts'

type Kind = 'organization' | 'user' | 'member' | 'key'

interface Change {
  seq: string
  kind: Kind
  id: string
}

const TABLES: Readonly<Record<Kind, string>> = {
  organization: 'organizations',
  user: 'users',
  member: 'members',
  key: 'api_keys',
}

/** Columns that only the directory needs: where an organization is moving to. */
const NOT_COPIED: ReadonlySet<string> = new Set(['moving_to'])

/** A kind comes after the kinds that it refers to. */
const KINDS = ['organization', 'user', 'member', 'key'] as const

export const COPIED_TABLES: readonly string[] = KINDS.map((kind) => TABLES[kind])

const NO_ROWS = '[]'
const CHANGES_AT_ONCE = 1000

const selectChanges = (directory: Db, cell: number, after: string) =>
  directory.many<Change>(sql`
    select seq::text as seq, kind, id from identity_changes where cell = ${cell} and seq > ${after}::bigint
    order by identity_changes.seq limit ${CHANGES_AT_ONCE}`)

const deleteChanges = (directory: Db, cell: number, changes: readonly Change[]) =>
  directory.run(sql`
    delete from identity_changes
    where cell = ${cell} and seq = any(${changes.map(({ seq }) => seq)}::bigint[])`)

/** Rows of the directory as text, so that no value changes on the way. */
const selectRows = (directory: Db, kind: Kind, condition: Sql): Promise<string> =>
  directory.value<string>(sql`
    select coalesce(json_agg(to_jsonb(t)), '[]')::text as rows from ${raw(TABLES[kind])} t where ${condition}`)

/** The columns of the rows that are copied. */
const columnsIn = (rows: string): string[] =>
  Object.keys((JSON.parse(rows) as object[])[0] ?? {}).filter((column) => !NOT_COPIED.has(column))

/**
 * Writes rows of the directory into a cell, with the columns that both have.
 * @param when SQL: which rows of `t` are written @returns whether the cell has all columns of the directory
 */
async function upsert(tx: Db, kind: Kind, rows: string, when?: Sql): Promise<boolean> {
  if (rows === NO_ROWS) return true
  const columns = columnsIn(rows)
  const isCopied = (column: string) => columns.includes(column)
  const table = await findTable(tx, TABLES[kind])
  const copied = {
    ...table,
    columns: table.columns.filter(isCopied),
    changed: table.changed.filter(isCopied),
  }
  await upsertRows(tx, copied, rows, when)
  const known = new Set([...table.columns, ...table.generated])
  return columns.every((column) => known.has(column))
}

const oneOf = (ids: readonly string[]): Sql => sql`t.id = any(${ids}::uuid[])`

const idsOf = (changes: readonly Change[], kind: Kind): string[] =>
  changes.filter((change) => change.kind === kind).map(({ id }) => id)

/** Also the users of changed members and keys, because the cell may not have them yet. */
const usersOf = (changes: readonly Change[]): Sql => sql`
  t.id in (
    select unnest(${idsOf(changes, 'user')}::uuid[])
    union select user_id from members where id = any(${idsOf(changes, 'member')}::uuid[])
    union select created_by from api_keys where id = any(${idsOf(changes, 'key')}::uuid[]))`

type Rows = Readonly<Record<Kind, string>>

/** All rows from one snapshot, so that a member is never copied without the user. */
async function selectChanged(
  directory: Db,
  cell: number,
  after: string,
): Promise<{ changes: Change[]; rows: Rows }> {
  return directory.snapshot(async (at) => {
    const changes = await selectChanges(at, cell, after)
    const select = async (kind: Kind, condition = oneOf(idsOf(changes, kind))) =>
      changes.length === 0 ? NO_ROWS : selectRows(at, kind, condition)
    const rows = {
      organization: await select('organization'),
      user: await select('user', usersOf(changes)),
      member: await select('member'),
      key: await select('key'),
    }
    return { changes, rows }
  })
}

/** Users are never deleted in a cell: the data of former users still refers to them. */
const deleteMissing = (tx: Db, kind: 'member' | 'key', changes: readonly Change[], rows: string) =>
  tx.run(sql`
    delete from ${raw(TABLES[kind])}
    where id = any(${idsOf(changes, kind)}::uuid[])
      and id not in (select (r->>'id')::uuid from jsonb_array_elements(${rows}::jsonb) as r)`)

/** Users whom the cell already has, and users of its members and keys. Other users are not copied. */
const isOfCell = ({ member, key }: Rows): Sql => sql`(
  exists (select from users u where u.id = t.id)
  or t.id in (select (r->>'user_id')::uuid from jsonb_array_elements(${member}::jsonb) as r)
  or t.id in (select (r->>'created_by')::uuid from jsonb_array_elements(${key}::jsonb) as r))`

/** Rows that belong in the cell. An organization whose move to the cell was cancelled has none there. */
const conditionsOf = (rows: Rows, cell: number): Readonly<Record<Kind, Sql>> => ({
  organization: sql`(t.cell = ${cell} or exists (select from organizations o where o.id = t.id))`,
  user: isOfCell(rows),
  member: sql`exists (select from organizations o where o.id = t.organization_id)`,
  key: sql`exists (select from organizations o where o.org = t.org)`,
})

/** @returns whether the cell has all columns of the directory */
async function write(tx: Db, cell: number, changes: readonly Change[], rows: Rows): Promise<boolean> {
  const conditions = conditionsOf(rows, cell)
  let isComplete = true
  for (const kind of KINDS) {
    if (kind === 'member' || kind === 'key') await deleteMissing(tx, kind, changes, rows[kind])
    if (!(await upsert(tx, kind, rows[kind], conditions[kind]))) isComplete = false
  }
  return isComplete
}

interface Zone {
  org: number
  timeZone: string
}

const selectTimeZones = (cell: Db, changes: readonly Change[]) =>
  cell.many<Zone>(sql`
    select org, time_zone as "timeZone" from organizations
    where id = any(${idsOf(changes, 'organization')}::uuid[])`)

/** Organizations whose time zone has changed. */
const selectMoved = (cell: Db, before: readonly Zone[]) =>
  cell.many<Pick<Zone, 'org'>>(sql`
    select o.org from organizations o
    join unnest(${before.map(({ org }) => org)}::int[], ${before.map(({ timeZone }) => timeZone)}::text[])
      as b(org, time_zone) on b.org = o.org and b.time_zone <> o.time_zone`)

/** Makes copies to a cell wait for each other. */
const lockCopies = (tx: Db) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended('identity copies', 0))`)

/** The migrations of a newer version are applied in the directory, but not yet in the cell. */
export class CellBehindError extends Error {
  override readonly name = 'CellBehindError'
  constructor() {
    super('The cell lacks columns of the directory: a process of the newer version adds them when it starts')
  }
}

/**
 * Copies to a cell what has changed in the directory, also columns that only newer versions use.
 * @throws CellBehindError after it has copied the columns that the cell has; the changes are kept for the other columns
 */
export async function copyChanges(
  directory: Db,
  { db, cell, hooks }: Pick<CellContext, 'db' | 'cell' | 'hooks'>,
): Promise<void> {
  let isBehind = false
  for (let after = '0'; ; ) {
    const { changes, isComplete } = await db.transaction(async (tx) => {
      await lockCopies(tx)
      const { changes: found, rows } = await selectChanged(directory, cell, after)
      const zones = await selectTimeZones(tx, found)
      const hasAll = await write(tx, cell, found, rows)
      for (const { org } of await selectMoved(tx, zones))
        for (const hook of hooks.afterTimeZone) await hook(tx, org)
      return { changes: found, isComplete: hasAll }
    })
    if (!isComplete) isBehind = true
    else if (changes.length > 0) await deleteChanges(directory, cell, changes)
    after = changes.at(-1)?.seq ?? after
    if (changes.length < CHANGES_AT_ONCE) break
  }
  if (isBehind) throw new CellBehindError()
}

type OfOrganization = readonly (readonly [Kind, Sql])[]

async function copyAll(directory: Db, tx: Db, conditions: OfOrganization): Promise<void> {
  for (const [kind, condition] of conditions)
    await upsert(tx, kind, await selectRows(directory, kind, condition))
}

/**
 * Copies an organization that is not committed yet, with its members, to its cell.
 * @param directory the transaction that makes it
 * @param tx of the cell
 */
export const copyNewOrganization = (directory: Db, tx: Db, orgId: string): Promise<void> =>
  copyAll(directory, tx, [
    ['organization', sql`t.id = ${orgId}`],
    ['user', sql`t.id in (select user_id from members where organization_id = ${orgId})`],
    ['member', sql`t.organization_id = ${orgId}`],
  ])

const selectIds = (directory: Db, table: 'members' | 'api_keys', condition: Sql): Promise<string[]> =>
  directory.value<string[]>(sql`
    select coalesce(array_agg(id), '{}') as ids from ${raw(table)} where ${condition}`)

/**
 * Copies the current rows of an organization that moves to the cell, with its members and keys. Removes other members
 * and keys of the organization from the cell.
 * @param tx of the cell
 */
export async function copyMovingOrganization(
  directory: Db,
  tx: Db,
  { org, orgId }: { org: number; orgId: string },
): Promise<void> {
  await lockCopies(tx)
  const [ofMembers, ofKeys] = [sql`organization_id = ${orgId}`, sql`org = ${org}`]
  for (const [table, condition] of [
    ['members', ofMembers],
    ['api_keys', ofKeys],
  ] as const) {
    const ids = await selectIds(directory, table, condition)
    await tx.run(sql`delete from ${raw(table)} where ${condition} and id <> all(${ids}::uuid[])`)
  }
  await copyAll(directory, tx, [
    ['organization', sql`t.id = ${orgId}`],
    [
      'user',
      sql`t.id in (
      select user_id from members where ${ofMembers} union select created_by from api_keys where ${ofKeys})`,
    ],
    ['member', ofMembers],
    ['key', ofKeys],
  ])
}
