// The tables with rows of organizations, from the catalog: a new table with a column `org` is moved too.
import sql, { type RawValue } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { type CopiedTable, TABLE_ITEMS } from '../copied-rows.ts'

export interface MovedTable extends CopiedTable {
  /** The primary key without org, with types. */
  key: readonly { name: string; type: string }[]
  /** Columns that refer to users. */
  users: readonly string[]
  /** Tables to which the table refers. */
  parents: readonly string[]
}

/** Tables that copies.ts copies, and tables about moves. */
const APART: readonly RawValue[] = [
  ...['organizations', 'api_keys'],
  ...['moves', 'moved_tokens', 'organization_moves', 'move_changes'],
]

/** Small tables that workers poll. Copied when nothing changes any more. No table outside this list refers to them. */
const LATE = new Set(['event_pending', 'stat_changes', 'webhook_lanes', 'svix_applications', 'svix_messages'])

export const isLate = ({ name }: Pick<MovedTable, 'name'>): boolean => LATE.has(name)

const selectTables = (db: Db) =>
  db.many<MovedTable>(sql`
    select ${TABLE_ITEMS},
      (select coalesce(json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod))
         order by k.place), '[]')
       from unnest(i.indkey::int2[]) with ordinality as k(attnum, place)
       join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum where a.attname <> 'org') as key,
      (select coalesce(json_agg(a.attname), '[]') from pg_constraint f
       join pg_attribute a on a.attrelid = c.oid and a.attnum = f.conkey[1]
       where f.conrelid = c.oid and f.contype = 'f' and f.confrelid = 'users'::regclass) as users,
      (select coalesce(json_agg(distinct p.relname), '[]') from pg_constraint f join pg_class p on p.oid = f.confrelid
       where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as parents
    from pg_class c
    join pg_index i on i.indrelid = c.oid and i.indisprimary
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> all(${APART}::text[])
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org' and not a.attisdropped)
    order by c.relname`)

/** The tables, each one after the tables to which it refers. */
export async function listTables(db: Db): Promise<MovedTable[]> {
  const left = new Map((await selectTables(db)).map((table) => [table.name, table]))
  const sorted: MovedTable[] = []
  while (left.size > 0) {
    const free = [...left.values()].filter(({ parents }) => !parents.some((parent) => left.has(parent)))
    if (free.length === 0) throw new Error(`Tables refer to each other: ${[...left.keys()].join(', ')}`)
    for (const table of free) left.delete(table.name)
    sorted.push(...free)
  }
  return sorted
}

export interface Override {
  column: string
  /** SQL of the value in the target until it takes over. With this value, no worker finds the row. */
  hidden: string
  /** SQL condition on rows that get another value at the end. */
  when: string
  /** Whether rows may be many: these are shown before writes are refused. Until the switch, the guard stops workers. */
  isShownEarly?: boolean
}

const OPEN_RUN = `status in ('queued', 'running', 'waiting')`

/** Columns by which workers find work. They get their real values at the end of a move. */
export const OVERRIDES: Readonly<Record<string, readonly Override[]>> = {
  objects: [{ column: 'index_since', hidden: 'null::timestamptz', when: 'index_since is not null' }],
  workflows: [{ column: 'next_at', hidden: `'infinity'::timestamptz`, when: `next_at < 'infinity'` }],
  workflow_runs: [
    { column: 'due_at', hidden: `'infinity'::timestamptz`, when: OPEN_RUN, isShownEarly: true },
  ],
}

/** The columns that are shown before writes are refused, or those that are shown later. */
export const overridesOf = ({ name }: Pick<MovedTable, 'name'>, { isEarly }: { isEarly: boolean }) =>
  (OVERRIDES[name] ?? []).filter(({ isShownEarly = false }) => isShownEarly === isEarly)

/** SQL of the columns for the first copy, with hidden values. @param isClosing whether early columns are shown */
export function hiddenColumns(table: MovedTable, { isClosing }: { isClosing: boolean }): string {
  const early = isClosing ? [] : overridesOf(table, { isEarly: true })
  const overrides = [...early, ...overridesOf(table, { isEarly: false })]
  const byColumn = new Map(overrides.map((one) => [one.column, one]))
  return table.columns
    .map((column) => {
      const { hidden, when } = byColumn.get(column) ?? {}
      return hidden ? `case when ${when} then ${hidden} else t.${column} end as ${column}` : `t.${column}`
    })
    .join(', ')
}
