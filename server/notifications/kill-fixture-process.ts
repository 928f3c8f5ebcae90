// A consumer of notifications that dies at one of its transactions: before it is committed, or after. What it is to do
// comes in a message.
import { once } from 'node:events'
import { readConfig } from '../config/config.ts'
import type { Db } from '../db/pool.ts'
import { openContext } from '../entry/open-context.ts'
import { createLog } from '../operations/log.ts'
import { createNotificationConsumer } from './consumer.ts'

export interface Task {
  death: 'before' | 'after' | 'never'
  /** Which of its transactions, from 1. */
  at: number
}

const die = async (): Promise<never> => {
  process.kill(process.pid, 'SIGKILL')
  return new Promise<never>(() => undefined)
}

function mortal(db: Db, { death, at }: Task): Db {
  let begun = 0
  return {
    ...db,
    async transaction(work) {
      const isLast = ++begun === at
      const result = await db.transaction(async (tx) => {
        const done = await work(tx)
        return isLast && death === 'before' ? die() : done
      })
      return isLast && death === 'after' ? die() : result
    },
  }
}

const [task] = (await once(process, 'message')) as [Task]
const config = readConfig(process.env)
const log = createLog(config)
const opened = await openContext(config, { mode: 'attach', log, onNotice: () => undefined })
await createNotificationConsumer(opened.ctx, mortal(opened.enginePool, task)).drain()
await opened.close()
process.disconnect()
