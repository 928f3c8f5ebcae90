// The role of the service on the embedded server. The role that initdb makes is always a superuser: with it an injected
// statement could read files and run programs.
import type { Client } from 'pg'

export const SERVICE_ROLE = 'rapport_service'

/** Schemas, tables, functions and types that the role does not own yet, except those of extensions. */
const FOREIGN = `
  with schemas as (
    select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'),
  members as (select classid, objid from pg_depend where deptype = 'e'),
  things as (
    select 'pg_class'::regclass as class, c.oid, c.relowner as owner, format('%s %I.%I',
      case c.relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end,
      s.nspname, c.relname) as name
    from pg_class c join schemas s on s.oid = c.relnamespace
    -- A sequence of a column goes with its table.
    where c.relkind in ('r', 'p', 'v', 'm') or (c.relkind = 'S' and not exists (
      select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i')))
    union all
    select 'pg_proc'::regclass, p.oid, p.proowner,
      format('routine %I.%I(%s)', s.nspname, p.proname, pg_get_function_identity_arguments(p.oid))
    from pg_proc p join schemas s on s.oid = p.pronamespace
    union all
    select 'pg_type'::regclass, t.oid, t.typowner, format('type %I.%I', s.nspname, t.typname)
    from pg_type t join schemas s on s.oid = t.typnamespace where t.typtype in ('d', 'e')
    union all
    select 'pg_namespace'::regclass, oid, (select nspowner from pg_namespace n where n.oid = s.oid), format('schema %I', nspname)
    from schemas s where nspname <> 'public')
  select name from things
  where owner <> $1::regrole and (class, oid) not in (select classid, objid from members)`

async function giveDatabase(client: Client, database: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(FOREIGN, [SERVICE_ROLE])
  for (const { name } of rows) await client.query(`alter ${name} owner to ${SERVICE_ROLE}`)
  await client.query(`alter database ${client.escapeIdentifier(database)} owner to ${SERVICE_ROLE}`)
}

async function makeRole(client: Client, password: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [SERVICE_ROLE])
  if (rowCount) return
  await client.query(`create role ${SERVICE_ROLE} login password ${client.escapeLiteral(password)}`)
  // The doctor command reads sessions and sizes.
  await client.query(`grant pg_monitor to ${SERVICE_ROLE}`)
}

/** @returns whether the role owns the database, and therefore also the objects in it */
export async function isServiceDatabase(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from pg_database where datname = current_database() and pg_get_userbyid(datdba) = $1',
    [SERVICE_ROLE],
  )
  return rowCount === 1
}

/** Makes the role, and makes it the owner of the connection's database and of all its objects: atomically. */
export async function ensureServiceRole(
  client: Client,
  { database, password }: { database: string; password: string },
): Promise<void> {
  if (await isServiceDatabase(client)) return
  await client.query('begin')
  try {
    await makeRole(client, password)
    await giveDatabase(client, database)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
