// A worker that dies at one of its transactions: before it is committed, after, or not at all.
//
// Started ahead of its time; what it is to do comes in a message: {death, at, offsetSeconds}.
import { once } from 'node:events'
import sql from 'sql-template-tag'
import { readConfig } from '../../config/config.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { openContext } from '../../entry/open-context.ts'
import { createLog } from '../../operations/log.ts'
import { createWorkflowEngine } from './engine.ts'

export interface Task {
  death: 'before' | 'after' | 'never'
  /** Which of its transactions, from 1. */
  at: number
  /** How far its clock, and that of its leases, is ahead. */
  offsetSeconds: number
}

const die = async (): Promise<never> => {
  process.kill(process.pid, 'SIGKILL')
  return new Promise<never>(() => undefined)
}

/** One of these for each process: it counts the transactions of all its databases. */
function mortality({ death, at }: Task): (db: Db) => Db {
  let begun = 0
  return (db) => ({
    ...db,
    async transaction(work) {
      const isLast = ++begun === at
      const result = await db.transaction(async (tx) => {
        const done = await work(tx)
        return isLast && death === 'before' ? die() : done
      })
      return isLast && death === 'after' ? die() : result
    },
  })
}

async function work(task: Task): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config)
  const opened = await openContext(config, { mode: 'attach', log, onNotice: () => undefined })
  const { ctx, enginePool: queue } = opened
  const now = () => sql`(now() + make_interval(secs => ${task.offsetSeconds}))`
  const mortal = mortality(task)
  const shares: Context['shares'] = { ...ctx.shares, of: (...share) => mortal(ctx.shares.of(...share)) }
  await createWorkflowEngine({ ...ctx, db: mortal(ctx.db), shares }, { now, queue }).drain()
  await opened.close()
}

const [task] = (await once(process, 'message')) as [Task]
await work(task)
process.disconnect()
