// Derives the columns that triggers read from the definition of a workflow.
import type { WorkflowDefinition } from '../../contract/workflows.ts'
import type { Db } from '../db/pool.ts'
import { findObj, getOrganization, type TriggerColumns } from './store.ts'
import { firstNextAt } from './triggers/schedule.ts'

async function nextAt(db: Db, org: number, definition: WorkflowDefinition): Promise<string | null> {
  const { timeZone, now } = await getOrganization(db, org)
  return firstNextAt(definition, timeZone, new Date(now))?.toISOString() ?? null
}

/** The parts of a workflow that determine the times of its schedule. */
export const scheduleOf = ({
  definition: { trigger, triggerConfig = {} },
}: {
  definition: WorkflowDefinition
}) => ({
  trigger,
  cron: triggerConfig.cron,
  timezone: triggerConfig.timezone,
})

/** @param enabled a disabled workflow has no next time */
export async function triggerColumns(
  db: Db,
  org: number,
  { definition, enabled }: { definition: WorkflowDefinition; enabled: boolean },
): Promise<TriggerColumns> {
  const { trigger, triggerConfig: { objectId, watch } = {} } = definition
  return {
    trigger,
    obj: objectId === undefined ? null : await findObj(db, org, objectId),
    watch: trigger === 'record/updated' && watch && watch.length > 0 ? watch : null,
    nextAt: enabled && trigger === 'schedule' ? await nextAt(db, org, definition) : null,
  }
}
