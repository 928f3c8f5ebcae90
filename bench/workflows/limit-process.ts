// The limit: the statements of the steps and of their runs, each step in a separate transaction, without an engine that
// decides what to do.

import sql from 'sql-template-tag'
import type { Caller } from '../../server/base/caller.ts'
import { readConfig } from '../../server/config/config.ts'
import type { Context } from '../../server/context.ts'
import type { Db } from '../../server/db/pool.ts'
import { openContext } from '../../server/entry/open-context.ts'
import { recordEvent } from '../../server/events/outbox.ts'
import { createLog } from '../../server/operations/log.ts'
import { createRecord } from '../../server/records/write/service.ts'
import { wakeNext } from '../../server/workflows/engine/end-store.ts'
import { saveEnd, saveRunProgress } from '../../server/workflows/engine/save-store.ts'
import { answerMessages } from '../harness/partner.ts'
import { recordOf } from './fixture.ts'

export interface Limit {
  dataDir: string
  caller: Caller
  workflow: string
  /** Runs that no other worker has leased. */
  runs: string[]
  steps: number
  /** Concurrent transactions. */
  concurrency: number
}

const historyOf = (place: number, output: string) => {
  const now = new Date().toISOString()
  return {
    ...{ place, path: `steps[${place}]`, key: `s${place}`, type: 'create_record', status: 'completed' },
    ...{ attempts: 1, startedAt: now, endedAt: now, resumeAt: null, error: null },
    input: JSON.stringify({ object: 'companies', data: recordOf('A company of the limit') }),
    output,
  }
}

const END = {
  workflowId: '',
  workflowName: 'limit',
  runId: '',
  status: 'completed',
  triggerEvent: 'api',
  error: null,
}

async function end(tx: Db, { caller, workflow }: Limit, id: string, write: Parameters<typeof saveEnd>[2]) {
  const held = { org: caller.org, id, fence: 1, executed: write.executed - 1, tries: 0 }
  const times = await saveEnd(tx, held, write)
  if (!times) throw new Error('The run of the limit is not as it should be')
  await recordEvent(tx, caller, { type: 'workflow.completed', subject: id, data: { ...END, ...times } })
  await wakeNext(tx, { org: caller.org, workflow, concurrencyKey: null }, sql`now()`)
}

async function take(ctx: Context, limit: Limit, { id, place }: { id: string; place: number }): Promise<void> {
  const { caller, steps } = limit
  const position = JSON.stringify([{ index: place + 1 }])
  await ctx.db.transaction(async (tx) => {
    const made = await createRecord({ ...ctx, db: tx }, caller, 'companies', {
      data: recordOf('A company of the limit'),
    })
    const output = JSON.stringify({
      id: made.record.id,
      objectId: made.model.id,
      data: JSON.parse(made.record.data),
    })
    const history = [historyOf(place, output)]
    const executed = place + 1
    const held = { org: caller.org, id, fence: 1, executed: place, tries: 0 }
    if (executed === steps) {
      const ended = {
        values: [],
        history,
        status: 'completed',
        position,
        executed,
        failure: null,
        error: null,
      } as const
      return end(tx, limit, id, { ...ended, now: sql`now()` })
    }
    const values = [{ key: `steps.s${place}`, value: output }]
    const going = {
      values,
      history,
      status: 'running',
      position,
      executed,
      tries: 0,
      wakeAt: null,
      dueAt: null,
    } as const
    if (!(await saveRunProgress(tx, held, going)))
      throw new Error('The run of the limit is not as it should be')
  })
}

const begin = (ctx: Context, { caller }: Limit, id: string) =>
  ctx.db.run(sql`
    update workflow_runs set status = 'running', fence = 1, started_at = now() where org = ${caller.org} and id = ${id}`)

async function execute(ctx: Context, limit: Limit): Promise<object> {
  const left = [...limit.runs]
  const work = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      await begin(ctx, limit, id)
      for (let place = 0; place < limit.steps; place++) await take(ctx, limit, { id, place })
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: limit.concurrency }, work))
  return { elapsedMs: performance.now() - startedAt }
}

let opened: Awaited<ReturnType<typeof openContext>> | undefined
answerMessages(async (limit: Limit) => {
  const config = readConfig({ DATA_DIR: limit.dataDir, LOG_LEVEL: 'error' })
  opened ??= await openContext(config, { mode: 'attach', log: createLog(config), onNotice: () => undefined })
  return execute(opened.ctx, limit)
})
