// Copies of an organization's row, members, users and API keys in its cell, where statements name who did something.
// Triggers of the directory note what changed (migrations/0035-cells.sql); here it is copied. Each row is read after
// the lock, so the last copy has the last state, in any order of copies.
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Context } from '../context.ts'
import type { Db } from '../db/pool.ts'

type Kind = 'organization' | 'user' | 'member' | 'key'

interface Change {
  seq: string
  kind: Kind
  id: string
}

interface Table {
  name: string
  columns: string
  /** Of the primary key. */
  key: string
}

const TABLES: Readonly<Record<Kind, Table>> = {
  organization: {
    name: 'organizations',
    columns:
      'id, org, name, slug, logo, metadata, country, currency, time_zone, trash_days, created_at, cell',
    key: 'id',
  },
  user: {
    name: 'users',
    columns: 'id, name, email, email_verified, image, image_file, created_at, updated_at',
    key: 'id',
  },
  member: { name: 'members', columns: 'id, organization_id, user_id, role, created_at', key: 'id' },
  key: {
    name: 'api_keys',
    columns:
      'org, id, name, prefix, hash, scopes, rate_limit, expires_at, last_used_at, created_by, created_at',
    key: 'org, id',
  },
}

/** What refers to another comes after it. */
const KINDS = ['organization', 'user', 'member', 'key'] as const

const NO_ROWS = '[]'
const CHANGES_AT_ONCE = 1000

const selectChanges = (directory: Db, cell: number) =>
  directory.many<Change>(sql`
    select seq::text as seq, kind, id from identity_changes where cell = ${cell} order by seq limit ${CHANGES_AT_ONCE}`)

const deleteChanges = (directory: Db, cell: number, changes: readonly Change[]) =>
  directory.run(sql`
    delete from identity_changes
    where cell = ${cell} and seq = any(${changes.map(({ seq }) => seq)}::bigint[])`)

/** Rows of the directory, as text: no value is changed on the way. */
const selectRows = (directory: Db, { name }: Table, condition: Sql): Promise<string> =>
  directory.value<string>(sql`
    select coalesce(json_agg(to_jsonb(t)), '[]')::text as rows from ${raw(name)} t where ${condition}`)

/** They never change, and PostgreSQL lets no statement set a generated number again. */
const FIXED = new Set(['id', 'org'])

/** @param condition which rows of `t` are written */
function upsert(
  cell: Db,
  { name, columns, key }: Table,
  rows: string,
  condition = sql`true`,
): Promise<number> {
  const changed = columns
    .split(', ')
    .filter((column) => !FIXED.has(column))
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')
  return cell.run(sql`
    insert into ${raw(name)} (${raw(columns)}) overriding system value
    select ${raw(columns)} from jsonb_populate_recordset(null::${raw(name)}, ${rows}::jsonb) as t where ${condition}
    on conflict (${raw(key)}) do update set ${raw(changed)}`)
}

const oneOf = (ids: readonly string[]): Sql => sql`t.id = any(${ids}::uuid[])`

const idsOf = (changes: readonly Change[], kind: Kind): string[] =>
  changes.filter((change) => change.kind === kind).map(({ id }) => id)

/** A member or a key is no use without its user, who may be in the cell for the first time. */
const usersOf = (changes: readonly Change[]): Sql => sql`
  t.id in (
    select unnest(${idsOf(changes, 'user')}::uuid[])
    union select user_id from members where id = any(${idsOf(changes, 'member')}::uuid[])
    union select created_by from api_keys where id = any(${idsOf(changes, 'key')}::uuid[]))`

type Rows = Readonly<Record<Kind, string>>

/** All of one moment: a member is never copied without the user. */
async function selectChanged(directory: Db, cell: number): Promise<{ changes: Change[]; rows: Rows }> {
  return directory.snapshot(async (at) => {
    const changes = await selectChanges(at, cell)
    const select = async (kind: Kind, condition = oneOf(idsOf(changes, kind))) =>
      changes.length === 0 ? NO_ROWS : selectRows(at, TABLES[kind], condition)
    const rows = {
      organization: await select('organization'),
      user: await select('user', usersOf(changes)),
      member: await select('member'),
      key: await select('key'),
    }
    return { changes, rows }
  })
}

/** Only memberships and keys are ever deleted: what a former user wrote still names them. */
const deleteMissing = (tx: Db, kind: 'member' | 'key', changes: readonly Change[], rows: string) =>
  tx.run(sql`
    delete from ${raw(TABLES[kind].name)}
    where id = any(${idsOf(changes, kind)}::uuid[])
      and id not in (select (r->>'id')::uuid from jsonb_array_elements(${rows}::jsonb) as r)`)

/** Users whom the cell has already, and those of its members and keys: of others it gets no copy. */
const isOfCell = ({ member, key }: Rows): Sql => sql`(
  exists (select from users u where u.id = t.id)
  or t.id in (select (r->>'user_id')::uuid from jsonb_array_elements(${member}::jsonb) as r)
  or t.id in (select (r->>'created_by')::uuid from jsonb_array_elements(${key}::jsonb) as r))`

/** Rows that belong in the cell: of an organization whose move to it was cancelled, it has none any more. */
const conditionsOf = (rows: Rows, cell: number): Readonly<Record<Kind, Sql>> => ({
  organization: sql`(t.cell = ${cell} or exists (select from organizations o where o.id = t.id))`,
  user: isOfCell(rows),
  member: sql`exists (select from organizations o where o.id = t.organization_id)`,
  key: sql`exists (select from organizations o where o.org = t.org)`,
})

async function write(tx: Db, cell: number, changes: readonly Change[], rows: Rows): Promise<void> {
  const conditions = conditionsOf(rows, cell)
  for (const kind of KINDS) {
    if (kind === 'member' || kind === 'key') await deleteMissing(tx, kind, changes, rows[kind])
    if (rows[kind] !== NO_ROWS) await upsert(tx, TABLES[kind], rows[kind], conditions[kind])
  }
}

interface Zone {
  org: number
  timeZone: string
}

const selectTimeZones = (cell: Db, changes: readonly Change[]) =>
  cell.many<Zone>(sql`
    select org, time_zone as "timeZone" from organizations
    where id = any(${idsOf(changes, 'organization')}::uuid[])`)

/** Organizations that have another time zone now. */
const selectMoved = (cell: Db, before: readonly Zone[]) =>
  cell.many<Pick<Zone, 'org'>>(sql`
    select o.org from organizations o
    join unnest(${before.map(({ org }) => org)}::int[], ${before.map(({ timeZone }) => timeZone)}::text[])
      as b(org, time_zone) on b.org = o.org and b.time_zone <> o.time_zone`)

/** Copies to a cell wait for each other. */
const lockCopies = (tx: Db) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended('identity copies', 0))`)

/** Copies to a cell what has changed in the directory. */
export async function copyChanges(
  directory: Db,
  { db, cell, afterTimeZone }: Pick<Context, 'db' | 'cell' | 'afterTimeZone'>,
): Promise<void> {
  for (;;) {
    const changes = await db.transaction(async (tx) => {
      await lockCopies(tx)
      const { changes: found, rows } = await selectChanged(directory, cell)
      const zones = await selectTimeZones(tx, found)
      await write(tx, cell, found, rows)
      for (const { org } of await selectMoved(tx, zones)) await afterTimeZone(tx, org)
      return found
    })
    if (changes.length > 0) await deleteChanges(directory, cell, changes)
    if (changes.length < CHANGES_AT_ONCE) return
  }
}

type OfOrganization = readonly (readonly [Kind, Sql])[]

async function copyAll(directory: Db, tx: Db, conditions: OfOrganization): Promise<void> {
  for (const [kind, condition] of conditions)
    await upsert(tx, TABLES[kind], await selectRows(directory, TABLES[kind], condition))
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
 * Copies an organization that moves to the cell as it is now, with its members and keys, and removes those that it had.
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
