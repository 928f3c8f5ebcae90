// Detects a running service: commands only queue work, and a running service does it.
import sql from 'sql-template-tag'
import type { Db } from '../server/db/pool.ts'
import { APPLICATION } from '../server/db/writer.ts'

/** Whether the database has connections older than this process, by the database's clock: these are of a service. */
const isServiceRunning = (db: Db): Promise<boolean> =>
  db.value<boolean>(sql`
    select exists (
      select from pg_stat_activity
      where datname = current_database() and application_name = ${APPLICATION}
        and backend_start < clock_timestamp() - make_interval(secs => ${process.uptime()})) as found`)

/** A line for people if no service is running. */
export const noteOnService = async (db: Db): Promise<string[]> =>
  (await isServiceRunning(db))
    ? []
    : ['No service is running on this database: the work begins when one is started.']

/** @throws if no service is running, so that waiting would be useless */
export async function requireService(db: Db): Promise<void> {
  const [note] = await noteOnService(db)
  if (note !== undefined)
    throw new Error('--wait needs a running service: start one, then run the command again')
}
