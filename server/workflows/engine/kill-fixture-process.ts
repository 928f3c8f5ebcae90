// A worker that dies at its first transaction of a step: before it is committed, after, or not at all.
//
// Started ahead of its time; what it is to do comes in a message: {death, offsetSeconds}.
import { once } from 'node:events'
import sql from 'sql-template-tag'
import { readConfig } from '../../config.ts'
import type { Db } from '../../db/pool.ts'
import { createLog, openContext } from '../../open-context.ts'
import { createWorkflowEngine } from './engine.ts'

export interface Task {
  death: 'before' | 'after' | 'never'
  /** How far its clock, and that of its leases, is ahead. */
  offsetSeconds: number
}

const die = async (): Promise<never> => {
  process.kill(process.pid, 'SIGKILL')
  return new Promise<never>(() => undefined)
}

const mortal = (db: Db, { death }: Task): Db => ({
  ...db,
  async transaction(work) {
    const result = await db.transaction(async (tx) => {
      const done = await work(tx)
      return death === 'before' ? die() : done
    })
    return death === 'after' ? die() : result
  },
})

async function work(task: Task): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config)
  const opened = await openContext(config, { mode: 'attach', log, onNotice: () => undefined })
  const { ctx, enginePool: queue } = opened
  const now = () => sql`(now() + make_interval(secs => ${task.offsetSeconds}))`
  await createWorkflowEngine({ ...ctx, db: mortal(ctx.db, task) }, { now, queue }).drain()
  await opened.close()
}

const [task] = (await once(process, 'message')) as [Task]
await work(task)
process.disconnect()
