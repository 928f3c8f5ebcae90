// Prevents processes of an older version from claiming jobs (refuse_older_writers). This is not in a migration, because
// pg-boss creates its tables itself.
import sql, { raw } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import { SCHEMA } from './boss.ts'

const TRIGGER = 'older_writers'

/** Job tables without the trigger: the table that statements name, and its partitions. */
const selectOpen = (db: Db) =>
  db.many<{ name: string }>(sql`
    select c.oid::regclass::text as name from pg_class c
    where c.relnamespace = ${SCHEMA}::regnamespace and c.relkind in ('r', 'p')
      and (c.oid = ${`${SCHEMA}.job`}::regclass
        or exists (select from pg_inherits i where i.inhrelid = c.oid and i.inhparent = ${`${SCHEMA}.job`}::regclass))
      and not exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = ${TRIGGER})`)

/** Requires that the tables exist. Several processes may call it at the same time. */
export async function refuseOlderClaims(db: Db): Promise<void> {
  if ((await selectOpen(db)).length === 0) return
  await db.transaction(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(7402155390212)`)
    // DDL takes no parameters. The names come from PostgreSQL, quoted.
    for (const { name } of await selectOpen(tx))
      await tx.run(
        raw(`create trigger ${TRIGGER} before update on ${name}
          for each statement execute function public.refuse_older_writers()`),
      )
  })
}
