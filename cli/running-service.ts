// Commands only write down what is to be delivered: a running service does it.
import sql from 'sql-template-tag'
import type { Db } from '../server/db/pool.ts'
import { APPLICATION } from '../server/db/writer.ts'

/** Connections older than this process are another's. By the database's clock. */
const isServiceRunning = (db: Db): Promise<boolean> =>
  db.value<boolean>(sql`
    select exists (
      select from pg_stat_activity
      where datname = current_database() and application_name = ${APPLICATION}
        and backend_start < clock_timestamp() - make_interval(secs => ${process.uptime()})) as found`)

/** A line for the person who waits, or none. */
export const noteOnService = async (db: Db): Promise<string[]> =>
  (await isServiceRunning(db))
    ? []
    : ['No service is running on this database: the work starts as soon as one runs, see npm start.']

/** @throws when no worker is running to do the work that is waited for */
export async function requireService(db: Db): Promise<void> {
  const [note] = await noteOnService(db)
  if (note !== undefined) throw new Error('--wait needs a running service: see npm start')
}
