// Finds the queues with due jobs by one statement, and notifies their workers. Otherwise all workers of all queues
// would poll every second, which took a quarter of the processor time of an idle service.
import type { Logger } from 'pino'
import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import { startLoop } from './loop.ts'
import { spaced } from './notices.ts'
import type { Wake } from './wake.ts'

/** Interval of polls, because other processes add jobs, and jobs become due at their time. */
const LOOK_MS = 1000
/** One poll covers all commits of this time. */
const LOOKS_APART_MS = 100

const selectWaitingQueues = (db: Db) =>
  db.many<{ name: string }>(sql`
    select q.name from pgboss.queue q where exists (
      select from pgboss.job j
      where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= pgboss.job_now())`)

/** Turns notifications on for queues of earlier versions, which had none. */
export const notifyAllQueues = (db: Db) => db.run(sql`update pgboss.queue set notify = true where not notify`)

interface LookContext {
  wake: Pick<Wake, 'listen'>
  log: Logger
}

/** Replaces the listener of pg-boss for notifications, which would need a separate connection. */
export const listenForJobs =
  ({ wake, log }: LookContext, db: Db) =>
  async (_channel: string, onWaiting: (queue: string) => void): Promise<{ close(): Promise<void> }> => {
    const round = async () => {
      for (const { name } of await selectWaitingQueues(db)) onWaiting(name)
      return false
    }
    const onError = (err: unknown) => log.error({ err }, 'waiting jobs could not be looked for')
    const loop = startLoop({ round, pollMs: LOOK_MS, onError })
    const forget = wake.listen({ work: spaced(LOOKS_APART_MS, () => loop.wake()) })
    return {
      close() {
        forget()
        return loop.stop()
      },
    }
  }
