// The tables that hold rows of organizations, from the catalog: a table that is added with a column `org` moves too.
import sql, { type RawValue } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { type CopiedTable, TABLE_ITEMS } from '../copied-rows.ts'

export interface MovedTable extends CopiedTable {
  /** The primary key without org, with types. */
  key: readonly { name: string; type: string }[]
  /** Columns that refer to users. */
  users: readonly string[]
  /** Tables that it refers to. */
  parents: readonly string[]
}

/** Copied by copies.ts, or about moves. */
const APART: readonly RawValue[] = [
  ...['organizations', 'api_keys'],
  ...['moves', 'moved_tokens', 'organization_moves', 'move_changes'],
]

/** Read by what runs all the time, and small: copied when nothing changes any more. No table refers to them from outside. */
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

/** Parents come before what refers to them. */
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
  /** SQL, of what the target has until it takes over: nothing there finds the row. */
  hidden: string
  /** SQL: rows that have another value at the end. */
  when: string
  /** Whether there may be many: they get it before writes are refused. Until the switch the guard turns away workers. */
  isShownEarly?: boolean
}

const OPEN_RUN = `status in ('queued', 'running', 'waiting')`

/** Columns by which what runs all the time finds work. They get their values at the end of a move. */
export const OVERRIDES: Readonly<Record<string, readonly Override[]>> = {
  objects: [{ column: 'index_since', hidden: 'null::timestamptz', when: 'index_since is not null' }],
  workflows: [{ column: 'next_at', hidden: `'infinity'::timestamptz`, when: `next_at < 'infinity'` }],
  workflow_runs: [
    { column: 'due_at', hidden: `'infinity'::timestamptz`, when: OPEN_RUN, isShownEarly: true },
  ],
}

/** Those that are shown before writes are refused, or those that are shown after that. */
export const overridesOf = ({ name }: Pick<MovedTable, 'name'>, { isEarly }: { isEarly: boolean }) =>
  (OVERRIDES[name] ?? []).filter(({ isShownEarly = false }) => isShownEarly === isEarly)

/** Columns of the source as the target first gets them. @param isClosing whether some are shown already */
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
