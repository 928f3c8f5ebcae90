// Changes of a definition when the user chooses another trigger, object or setting.
import {
  EVENT_TRIGGERS,
  isEventTrigger,
  isRecordTrigger,
  type WorkflowTrigger,
} from '../../../../contract/workflow-states.ts'
import type { TriggerConfig, WorkflowDefinition } from '../../../../contract/workflows.ts'
import { BEGINNING, cronOf } from '../cron-presets.ts'

export interface Takes {
  object: 'required' | 'optional' | undefined
  watch: boolean
  filter: boolean
  schedule: boolean
  reentry: boolean
}

/** The settings that a trigger has. */
export const takes = (trigger: WorkflowTrigger): Takes => ({
  object: isRecordTrigger(trigger) ? 'required' : trigger === 'schedule' ? undefined : 'optional',
  watch: trigger === 'record/updated',
  filter: isRecordTrigger(trigger),
  schedule: trigger === 'schedule',
  reentry: isEventTrigger(trigger),
})

/** Triggers by subject, in the order of the list. */
export const TRIGGER_GROUPS: readonly { group: string; items: readonly WorkflowTrigger[] }[] = [
  { group: 'Records', items: EVENT_TRIGGERS.filter((trigger) => trigger.startsWith('record/')) },
  { group: 'Activities', items: EVENT_TRIGGERS.filter((trigger) => trigger.startsWith('activity/')) },
  { group: 'Other', items: ['schedule', 'manual'] },
]

function keptConfig(config: TriggerConfig, to: Takes): TriggerConfig {
  const { objectId, watch, filter, cron, timezone } = config
  return {
    ...(to.object && objectId !== undefined && { objectId }),
    ...(to.watch && watch && { watch }),
    ...(to.filter && filter && { filter }),
    ...(to.schedule && { cron: cron ?? cronOf(BEGINNING), ...(timezone !== undefined && { timezone }) }),
  }
}

/** Sets a part of the definition, and removes an empty one. */
export function withPart<Key extends keyof WorkflowDefinition>(
  definition: WorkflowDefinition,
  key: Key,
  part: WorkflowDefinition[Key] | undefined,
): WorkflowDefinition {
  const { [key]: _, ...others } = definition
  const isNothing =
    part === undefined || part === false || (typeof part === 'object' && Object.keys(part).length === 0)
  return (isNothing ? others : { ...definition, [key]: part }) as WorkflowDefinition
}

/** Changes the trigger, and keeps the settings that it has too. */
export function withTrigger(definition: WorkflowDefinition, trigger: WorkflowTrigger): WorkflowDefinition {
  const to = takes(trigger)
  const config = keptConfig(definition.triggerConfig ?? {}, to)
  const changed = withPart({ ...definition, trigger }, 'triggerConfig', config)
  return to.reentry ? changed : withPart(changed, 'allowReentry', undefined)
}

/** Changes the object, and removes settings that refer to attributes of the old one. */
export function withObject(definition: WorkflowDefinition, objectId: string | undefined): WorkflowDefinition {
  const { watch: _, filter: __, objectId: ___, ...others } = definition.triggerConfig ?? {}
  return withPart(definition, 'triggerConfig', {
    ...others,
    ...(objectId !== undefined && { objectId }),
  })
}

/** undefined removes the setting. */
export function withSetting<Key extends keyof TriggerConfig>(
  definition: WorkflowDefinition,
  key: Key,
  value: TriggerConfig[Key] | undefined,
): WorkflowDefinition {
  const { [key]: _, ...others } = definition.triggerConfig ?? {}
  return withPart(
    definition,
    'triggerConfig',
    (value === undefined ? others : { ...others, [key]: value }) as TriggerConfig,
  )
}
