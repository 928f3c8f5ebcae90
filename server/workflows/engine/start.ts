// Starts runs manually and through the API.
import sql, { type Sql } from 'sql-template-tag'
import type { RunStatus } from '../../../contract/workflow-states.ts'
import { notFound } from '../../base/errors.ts'
import { newIdAt } from '../../base/id.ts'
import { parseJson } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import type { ModelContext } from '../../model/attributes/models.ts'
import { concurrencyOf } from './concurrency.ts'
import { createRuns } from './create-runs.ts'
import { loadDefinitions } from './definitions.ts'
import { nameOfRecord, titleOf } from './titles.ts'

export interface RunRequest {
  workflow: string
  triggerEvent: 'manual' | 'api'
  /** The record of the run. `data`: JSON text, so that numbers keep their digits. */
  record?: { id: string; objectId: string; data: string } | undefined
  /** Checked, with defaults filled in. */
  parameters: Readonly<Record<string, unknown>>
  /** The user who starts the run. */
  startedBy: string | null
}

export interface StartedRun {
  runId: string
  workflowName: string
  /** cancelled: the workflow skips runs while another is open. */
  status: Extract<RunStatus, 'queued' | 'failed' | 'cancelled'>
}

interface Current {
  name: string
  version: number
  now: string
}

const getCurrent = async (db: Db, org: number, workflow: string): Promise<Current> => {
  const row = await db.maybeOne<Current>(
    sql`select name, version, clock_timestamp() as now from workflows where org = ${org} and id = ${workflow}`,
  )
  if (!row) throw notFound('workflow')
  return row
}

/** The value of {{trigger}} as JSON text. */
function inputOf({ triggerEvent, record, parameters }: RunRequest): string {
  const given = JSON.stringify(parameters)
  const about = record
    ? `"recordId":"${record.id}","objectId":"${record.objectId}","data":${record.data}`
    : `"data":${given}`
  return `{"event":"${triggerEvent}",${about},"parameters":${given}}`
}

async function aboutOf(
  { db, models }: ModelContext,
  org: number,
  record: RunRequest['record'],
): Promise<string | undefined> {
  if (!record) return undefined
  const model = await models.get(db, org, record.objectId)
  return nameOfRecord(model, { id: record.id, data: parseJson(record.data) as Record<string, unknown> })
}

/**
 * Queues a run, also of a disabled workflow. Runs in the caller's transaction (`ctx.db`); after the commit the caller
 * should call `ctx.wake.work()`, as the API does after every write.
 * @throws 404 not_found
 */
export async function startRun(
  ctx: ModelContext,
  org: number,
  request: RunRequest,
  now: Sql = sql`now()`,
): Promise<StartedRun> {
  const { workflow, triggerEvent, record, startedBy } = request
  const current = await getCurrent(ctx.db, org, workflow)
  const key = { org, workflow, version: current.version }
  const definition = (await loadDefinitions(ctx.db, [key]))(key)
  if (!definition) throw notFound('version of this workflow')
  const subject = record?.id ?? null
  // The database's time, because runs with a concurrency key execute in the order of their ids.
  const id = newIdAt(new Date(current.now))
  const draft = {
    ...{ ...key, id, triggerEvent, subject, startedBy, status: 'queued' as const },
    title: titleOf(current.name, await aboutOf(ctx, org, record)),
    concurrency: concurrencyOf(definition, subject),
    input: inputOf(request),
    ...{ causeEvent: null, causeRun: null, depth: 0, chain: [], failure: null, error: null },
  }
  const [placed] = await createRuns(ctx.db, [draft], now)
  return { runId: id, workflowName: current.name, status: placed?.status ?? 'queued' }
}
