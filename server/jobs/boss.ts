// pg-boss on our own connections.
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Pool } from '../db/pool.ts'

export const SCHEMA = 'pgboss'

/** The pool as pg-boss wants it. */
export const onPool = (pool: Pool) => ({
  async executeSql(text: string, values: unknown[] = []) {
    const client = await pool.connect()
    let isBroken = false
    try {
      return await client.query(text, values)
    } catch (error) {
      // pg-boss sends a whole transaction as one text: where that fails, the transaction stays open, aborted. The
      // connection is kept: where a newer version refuses every query of every queue, new ones would take all the time.
      await client.query('rollback').catch(() => {
        isBroken = true
      })
      throw error
    } finally {
      client.release(isBroken)
    }
  },
})

/** What pg-boss adds to a message, which differs for each worker. */
const OF_WORKER = / \(Queue: [^)]*, Worker: [^)]*\)$/

/**
 * What workers report are copies without the class Error, in which the log does not recognize an unavailable database.
 * What the rest of pg-boss reports are the errors themselves.
 */
const errorOf = (reported: Error): Error =>
  reported instanceof Error
    ? reported
    : Object.assign(new Error(), reported as Error, {
        message: (reported as Error).message.replace(OF_WORKER, ''),
      })

/** Every worker of every queue reports an unavailable database: that is one outage. */
export function logErrors(boss: PgBoss, log: Logger): void {
  boss.on('error', (reported) => log.error({ err: errorOf(reported) }, 'the job queue had an error'))
}
