// pg-boss on our own connections.
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Pool } from '../db/pool.ts'

export const SCHEMA = 'pgboss'

/** The pool as pg-boss wants it. */
export const onPool = (pool: Pool) => ({
  async executeSql(text: string, values: unknown[] = []) {
    const client = await pool.connect()
    let hasFailed = true
    try {
      const result = await client.query(text, values)
      hasFailed = false
      return result
    } finally {
      // pg-boss sends a whole transaction as one text: where that fails, the transaction stays open, aborted.
      client.release(hasFailed)
    }
  },
})

/** What pg-boss adds to a message, which differs for each worker. */
const OF_WORKER = / \(Queue: [^)]*, Worker: [^)]*\)$/

/** pg-boss hands out copies, which are no errors: of those the log would not know that the database is away. */
const errorOf = (copy: Error): Error =>
  Object.assign(new Error(), copy, { message: copy.message.replace(OF_WORKER, '') })

/** Every worker of every queue meets a database that is away: that is one outage. */
export function logErrors(boss: PgBoss, log: Logger): void {
  boss.on('error', (copy) => log.error({ err: errorOf(copy) }, 'the job queue had an error'))
}
