// Executes a dry run of a workflow: with real queries, in a transaction that is rolled back.
import type { DryRun, DryRunResult } from '../../../contract/workflow-dashboard.ts'
import { RUN_STEPS_MAX } from '../../../contract/workflow-states.ts'
import type { WorkflowDefinition } from '../../../contract/workflows.ts'
import { bare, getActivity } from '../../activities/store.ts'
import type { Caller } from '../../base/caller.ts'
import { invalidField } from '../../base/errors.ts'
import { newId } from '../../base/id.ts'
import { parseJson } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import { withinMs } from '../../db/time-limit.ts'
import { requireStorable } from '../../http/storable.ts'
import { getRecord } from '../../records/read/service.ts'
import { readDefinition } from '../checking.ts'
import type { WorkflowContext } from '../context.ts'
import { inField } from '../in-field.ts'
import type { RunFacts } from '../interpreter/state.ts'
import { parametersOf } from '../runs/parameters.ts'
import { activityInput, readSample, recordInput } from '../sample.ts'
import { getOrganization, getWorkflow } from '../store.ts'
import { DRY_RUN_MS, performDryRun } from './perform-dry-run.ts'

/** Thrown to roll back the transaction; contains the result. */
class Undone extends Error {
  readonly result: DryRunResult

  constructor(result: DryRunResult) {
    super('a dry run is undone')
    this.result = result
  }
}

/** The result when no sample was found in time. */
const TOO_SLOW: DryRunResult = {
  status: 'incomplete',
  error: 'The database took too long to find an example: choose a record.',
  trigger: {},
  steps: [],
}

const NEW = { name: 'New workflow' }

async function factsFor(
  db: Db,
  { org }: Caller,
  { workflowId, trigger }: { workflowId: string | undefined; trigger: Record<string, unknown> },
): Promise<RunFacts> {
  const { id, name, timeZone, now } = await getOrganization(db, org)
  const workflow =
    workflowId === undefined ? NEW : await inField('workflowId', () => getWorkflow(db, org, workflowId))
  return {
    run: { id: newId(), startedAt: now },
    workflow: { id: workflowId ?? newId(), name: workflow.name },
    organization: { id, name, timeZone },
    trigger,
    stepsMax: RUN_STEPS_MAX,
    // The limits of a dry run are checked between any two steps.
    stepsAtOnce: 1,
  }
}

type Input = Record<string, unknown>
type Wanted = Pick<DryRun, 'recordId' | 'activityId' | 'data'>

async function ofRecord(
  ctx: WorkflowContext,
  caller: Caller,
  { trigger, triggerConfig }: WorkflowDefinition,
  recordId: string,
): Promise<Input> {
  const objectId = triggerConfig?.objectId
  if (objectId === undefined)
    throw invalidField(
      'recordId',
      'not_about_records',
      'must be left out: this workflow does not work on records. Choose its object first',
    )
  const { model, record } = await getRecord(ctx, caller, objectId, { recordId })
  return recordInput(trigger, model.id, { id: record.id, data: parseJson(record.data) as Input })
}

async function subjectOf(
  ctx: WorkflowContext,
  caller: Caller,
  definition: WorkflowDefinition,
  { recordId, activityId, data }: Wanted,
): Promise<Input> {
  const { trigger, triggerConfig } = definition
  if (recordId !== undefined) return inField('recordId', () => ofRecord(ctx, caller, definition, recordId))
  if (activityId !== undefined) {
    const activity = await inField('activityId', () => getActivity(ctx.db, caller.org, activityId))
    return activityInput(trigger, bare(activity))
  }
  if (data !== undefined) return { event: trigger, data }
  const query = {
    trigger,
    ...(triggerConfig?.objectId !== undefined && { objectId: triggerConfig.objectId }),
  }
  const sample = await inField('definition.triggerConfig.objectId', () => readSample(ctx, caller, query))
  return sample.trigger as Input
}

/** Without data, every parameter has its default, or null. */
function parametersFor({ parameters = [] }: WorkflowDefinition, data: DryRun['data']): Input {
  if (data !== undefined) return parametersOf(parameters, data)
  return Object.fromEntries(parameters.map(({ name, default: fallback }) => [name, fallback ?? null]))
}

/** The value of {{trigger}} in a dry run. @throws 400 validation_error */
async function triggerFor(
  ctx: WorkflowContext,
  caller: Caller,
  definition: WorkflowDefinition,
  wanted: Wanted,
): Promise<Input> {
  const parameters = parametersFor(definition, wanted.data)
  return { ...(await subjectOf(ctx, caller, definition, wanted)), parameters }
}

async function play(
  ctx: WorkflowContext,
  caller: Caller,
  definition: WorkflowDefinition,
  { untilKey, workflowId, ...wanted }: DryRun,
): Promise<DryRunResult> {
  const trigger = await triggerFor(ctx, caller, definition, wanted)
  const facts = await factsFor(ctx.db, caller, { workflowId, trigger })
  const author = { ...caller, run: facts.run.id, workflow: facts.workflow.id }
  const dryRun = { ctx, caller: author, definition, facts, untilKey }
  return { trigger, ...(await performDryRun(dryRun, new Date(facts.run.startedAt))) }
}

/** @throws 400 validation_error */
export async function dryRun(ctx: WorkflowContext, caller: Caller, input: DryRun): Promise<DryRunResult> {
  const definition = readDefinition(input.definition)
  requireStorable({ data: input.data })
  try {
    return await ctx.db.transaction(async (tx) => {
      const result = await withinMs(tx, DRY_RUN_MS, (db) => play({ ...ctx, db }, caller, definition, input))
      throw new Undone(result ?? TOO_SLOW)
    })
  } catch (error) {
    if (error instanceof Undone) return error.result
    throw error
  }
}
