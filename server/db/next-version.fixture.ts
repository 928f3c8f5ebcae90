// Simulates a migration of the next version, which refuses writes of this version.
import sql, { raw } from 'sql-template-tag'
import type { Db } from './pool.ts'
import { WRITER } from './writer.ts'

export const NEXT_WRITER = WRITER + 1

/** The statement of a migration that raises WRITER. */
export const REFUSE_THIS_VERSION = `
create or replace function refuse_older_writers() returns trigger language plpgsql as $$
begin
  if coalesce(nullif(current_setting('rapport.writer', true), ''),
      substring(current_setting('application_name') from '^rapport/(\\d+)$'))::int < ${NEXT_WRITER} then
    raise exception 'A newer version of Rapport has changed this database: stop this process and start the new version'
      using errcode = 'cannot_connect_now';
  end if;
  return null;
end $$;
`

/** Runs `work` while the database refuses writes of this version. */
export async function asNextVersion(db: Db, work: () => Promise<void>): Promise<void> {
  const before = await db.value<string>(sql`select pg_get_functiondef('refuse_older_writers'::regproc)`)
  await db.run(raw(REFUSE_THIS_VERSION))
  try {
    await work()
  } finally {
    await db.run(raw(before))
  }
}
