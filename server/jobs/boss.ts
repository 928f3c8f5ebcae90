// Runs pg-boss on the connections of the service.
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Pool } from '../db/pool.ts'

export const SCHEMA = 'pgboss'

/** The pool with the interface that pg-boss requires. */
export const onPool = (pool: Pool) => ({
  async executeSql(text: string, values: unknown[] = []) {
    const client = await pool.connect()
    let isBroken = false
    try {
      return await client.query(text, values)
    } catch (error) {
      // pg-boss sends a whole transaction as one text. If it fails, the transaction stays open and aborted. The
      // connection is kept: if a newer version refuses all statements, opening new connections would take all the time.
      await client.query('rollback').catch(() => {
        isBroken = true
      })
      throw error
    } finally {
      client.release(isBroken)
    }
  },
})

/** The suffix that pg-boss adds to a message; it differs for each worker. */
const OF_WORKER = / \(Queue: [^)]*, Worker: [^)]*\)$/

/**
 * Converts a reported error to an Error. Workers report copies that are not Errors, in which the log does not recognize
 * an unavailable database. Other parts of pg-boss report the errors themselves.
 */
const errorOf = (reported: Error): Error =>
  reported instanceof Error
    ? reported
    : Object.assign(new Error(), reported as Error, {
        message: (reported as Error).message.replace(OF_WORKER, ''),
      })

/** Logs the errors of pg-boss. During an outage of the database, every worker of every queue reports it. */
export function logErrors(boss: PgBoss, log: Logger): void {
  boss.on('error', (reported) => log.error({ err: errorOf(reported) }, 'the job queue had an error'))
}
