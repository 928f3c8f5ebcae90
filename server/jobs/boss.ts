// pg-boss on our own connections.
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
