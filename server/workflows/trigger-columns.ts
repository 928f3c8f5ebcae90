// What triggers look up of a workflow, read off its definition.
import type { WorkflowDefinition } from '../../contract/workflows.ts'
import type { Db } from '../db/pool.ts'
import { findObj, getOrganization, type TriggerColumns } from './store.ts'
import { firstNextAt } from './triggers/schedule.ts'

async function nextAt(db: Db, org: number, definition: WorkflowDefinition): Promise<string | null> {
  const { timeZone, now } = await getOrganization(db, org)
  return firstNextAt(definition, timeZone, new Date(now))?.toISOString() ?? null
}

/** What the times of a schedule follow from. */
export const scheduleOf = ({
  definition: { trigger, triggerConfig = {} },
}: {
  definition: WorkflowDefinition
}) => ({
  trigger,
  cron: triggerConfig.cron,
  timezone: triggerConfig.timezone,
})

/** @param enabled whether times of a schedule are waited for */
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
