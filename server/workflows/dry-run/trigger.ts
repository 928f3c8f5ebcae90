// What {{trigger}} is in a dry run.
import type { DryRun } from '../../../contract/workflow-dashboard.ts'
import type { WorkflowDefinition } from '../../../contract/workflows.ts'
import { bare, getActivity } from '../../activities/store.ts'
import type { Caller } from '../../caller.ts'
import { invalidField } from '../../errors.ts'
import { parseJson } from '../../json.ts'
import { getRecord } from '../../records/reading.ts'
import type { WorkflowContext } from '../context.ts'
import { parametersOf } from '../runs/parameters.ts'
import { activityInput, readSample, recordInput } from '../sample.ts'

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
  const { model, record } = await getRecord(ctx, caller, objectId, recordId)
  return recordInput(trigger, model.id, { id: record.id, data: parseJson(record.data) as Input })
}

async function subjectOf(
  ctx: WorkflowContext,
  caller: Caller,
  definition: WorkflowDefinition,
  { recordId, activityId, data }: Wanted,
): Promise<Input> {
  const { trigger, triggerConfig } = definition
  if (recordId !== undefined) return ofRecord(ctx, caller, definition, recordId)
  if (activityId !== undefined)
    return activityInput(trigger, bare(await getActivity(ctx.db, caller.org, activityId)))
  if (data !== undefined) return { event: trigger, data }
  const query = {
    trigger,
    ...(triggerConfig?.objectId !== undefined && { objectId: triggerConfig.objectId }),
  }
  return (await readSample(ctx, caller, query)).trigger as Input
}

/** Without data, as if all parameters had been left out that may be. */
function parametersFor({ parameters = [] }: WorkflowDefinition, data: DryRun['data']): Input {
  if (data !== undefined) return parametersOf(parameters, data)
  return Object.fromEntries(parameters.map(({ name, default: fallback }) => [name, fallback ?? null]))
}

/** @throws 400 validation_error, 404 not_found */
export async function triggerFor(
  ctx: WorkflowContext,
  caller: Caller,
  definition: WorkflowDefinition,
  wanted: Wanted,
): Promise<Input> {
  const parameters = parametersFor(definition, wanted.data)
  return { ...(await subjectOf(ctx, caller, definition, wanted)), parameters }
}
