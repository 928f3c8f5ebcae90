// The body of a process that kills itself at a chosen transaction. The parent sends the task in a message.
import { once } from 'node:events'
import { readConfig } from '../config/config.ts'
import type { Db } from '../db/pool.ts'
import { openContext } from '../entry/open-context.ts'
import { createLog } from '../operations/log.ts'

export interface Death {
  /** Before or after the commit of the transaction, or not at all. */
  death: 'before' | 'after' | 'never'
  /** The number of the transaction, from 1. */
  at: number
}

const die = async (): Promise<never> => {
  process.kill(process.pid, 'SIGKILL')
  return new Promise<never>(() => undefined)
}

/** Call it once per process: it counts the transactions of all databases of the process. */
export function mortality({ death, at }: Death): (db: Db) => Db {
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

type Opened = Awaited<ReturnType<typeof openContext>>

/** Waits for the task, runs it with the context of the service, and ends. */
export async function liveFor<Task extends Death>(
  work: (task: Task, opened: Opened) => Promise<void>,
): Promise<void> {
  const [task] = (await once(process, 'message')) as [Task]
  const config = readConfig(process.env)
  const log = createLog(config)
  const opened = await openContext(config, { mode: 'attach', log, onNotice: () => undefined })
  await work(task, opened)
  await opened.close()
  process.disconnect()
}
