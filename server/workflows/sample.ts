// A sample of {{trigger}} for the workflow builder: from the newest record or activity, or invented.
import { namingAttribute, recordName } from '../../contract/record-name.ts'
import type { SampleQuery, WorkflowSample } from '../../contract/workflow-dashboard.ts'
import { isEventTrigger, isRecordTrigger } from '../../contract/workflow-states.ts'
import { listActivities } from '../activities/listing.ts'
import type { Caller } from '../base/caller.ts'
import { parseJson } from '../base/json.ts'
import type { ModelAttribute } from '../model/attributes/models.ts'
import { searchRecords } from '../records/read/service.ts'
import type { ExampleUse } from '../records/types/record-type.ts'
import { RECORD_TYPES } from '../records/types/types.ts'
import type { WorkflowContext } from './context.ts'

const SAMPLE_ID = '0198c0de-0000-7000-8000-000000000001'

type Occasion = Pick<ExampleUse, 'currency' | 'today'>

function madeUp(attributes: Iterable<ModelAttribute>, occasion: Occasion): Record<string, unknown> {
  const entries = [...attributes].map((attribute) => {
    const value = RECORD_TYPES[attribute.type].example({ ...attribute, ...occasion })
    return [attribute.slug, attribute.isList && attribute.type !== 'list' ? [value] : value]
  })
  return Object.fromEntries(entries)
}

interface StoredRecord {
  id: string
  data: Record<string, unknown>
}

/** The record that changed last; undefined: there is no record. */
async function newestRecord(
  ctx: WorkflowContext,
  caller: Caller,
  objectId: string,
): Promise<StoredRecord | undefined> {
  const page = { limit: 1, count: false, sort: { field: 'updated_at', order: 'desc' as const } }
  const { records } = parseJson(await searchRecords(ctx, caller, objectId, page)) as {
    records: StoredRecord[]
  }
  return records[0]
}

/** The changes of a record whose values were all empty before. */
const changesOf = (data: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(data)
      .slice(0, 1)
      .map(([slug, to]) => [slug, { from: null, to }]),
  )

/** {{trigger}} for the current state of a record. */
export const recordInput = (
  trigger: string,
  objectId: string,
  { id, data }: StoredRecord,
): Record<string, unknown> => ({
  event: trigger,
  recordId: id,
  objectId,
  data,
  ...(trigger === 'record/updated' && { changes: changesOf(data) }),
  parameters: {},
})

/** @throws 404 not_found */
async function recordSample(
  ctx: WorkflowContext,
  caller: Caller,
  { trigger, objectId }: { trigger: string; objectId: string },
): Promise<WorkflowSample> {
  const newest = await newestRecord(ctx, caller, objectId)
  const model = await ctx.models.get(ctx.db, caller.org, objectId)
  const occasion = { currency: caller.currency, today: ctx.clock.now().toISOString().slice(0, 10) }
  const record = newest ?? { id: SAMPLE_ID, data: madeUp(model.attributes.values(), occasion) }
  const naming = namingAttribute([...model.attributes.values()])
  return {
    trigger: recordInput(trigger, model.id, record),
    isReal: newest !== undefined,
    title: newest ? recordName(naming, newest) : null,
  }
}

/** {{trigger}} for the current state of an activity. */
export const activityInput = (trigger: string, activity: { id: string }): Record<string, unknown> => ({
  event: trigger,
  activityId: activity.id,
  activity,
  data: activity,
  parameters: {},
})

async function activitySample(
  ctx: WorkflowContext,
  caller: Caller,
  { trigger, objectId }: { trigger: string; objectId: string | undefined },
): Promise<WorkflowSample> {
  const { activities } = await listActivities(ctx, caller, {
    limit: 1,
    count: false,
    ...(objectId !== undefined && { objectId }),
  })
  const [newest] = activities
  const now = ctx.clock.now().toISOString()
  const invented = {
    ...{ id: SAMPLE_ID, type: 'meeting', title: 'First meeting', summary: 'What they need, and by when.' },
    ...{
      activityDate: now,
      completedAt: null,
      assignee: null,
      linkedRecords: [],
      participants: [],
      createdBy: null,
    },
    ...{ createdAt: now, updatedAt: now, version: 1 },
  }
  return {
    trigger: activityInput(trigger, newest ?? invented),
    isReal: newest !== undefined,
    title: newest?.title ?? null,
  }
}

/** @throws 404 not_found */
export async function readSample(
  ctx: WorkflowContext,
  caller: Caller,
  { trigger, objectId }: SampleQuery,
): Promise<WorkflowSample> {
  if (isEventTrigger(trigger) && !isRecordTrigger(trigger))
    return activitySample(ctx, caller, { trigger, objectId })
  if (objectId !== undefined && trigger !== 'schedule')
    return recordSample(ctx, caller, { trigger, objectId })
  const scheduled = { scheduledFor: ctx.clock.now().toISOString(), missed: 0 }
  const input = { event: trigger, ...(trigger === 'schedule' ? scheduled : { data: {} }), parameters: {} }
  return { trigger: input, isReal: trigger !== 'schedule', title: null }
}
