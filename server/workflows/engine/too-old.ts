// Runs that are open for longer than any may be, and do not come to say so themselves.
import sql, { type Sql } from 'sql-template-tag'
import { RUN_DAYS_MAX } from '../../../contract/workflow-states.ts'
import type { Db } from '../../db/pool.ts'
import { endWaitingSteps, wakeNext } from './end-store.ts'
import { tellEnd } from './failed-run.ts'
import { endTooOld, selectTooOld } from './sweeper-store.ts'

const ERROR = `The run was open for more than ${RUN_DAYS_MAX} days, as long as a run may be.`
const BATCH = 100

/** One batch. @returns how many it ended */
export const failTooOld = (db: Db, now: Sql = sql`now()`): Promise<number> =>
  db.transaction(async (tx) => {
    const ended = await endTooOld(tx, await selectTooOld(tx, BATCH, now), { error: ERROR, now })
    for (const run of ended) {
      await tellEnd(tx, run, { failure: 'too_old', error: ERROR }, run)
      await endWaitingSteps(tx, { org: run.org, ids: [run.id] })
      await wakeNext(tx, run, now)
    }
    return ended.length
  })
