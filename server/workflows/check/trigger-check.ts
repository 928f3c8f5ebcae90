// Checks the trigger of a workflow, and the parameters of a manual start.
import { isRecordTrigger } from '../../../contract/workflow-states.ts'
import type { WorkflowDefinition, WorkflowParameter } from '../../../contract/workflows.ts'
import { isRawNumber } from '../../base/json.ts'
import { unknownAttribute } from '../../base/suggestions.ts'
import { dayOf } from '../../records/values/day.ts'
import { isTimeZone } from '../interpreter/zones.ts'
import { nextTimes } from '../triggers/schedule.ts'
import { checkFilter } from './filter-check.ts'
import { findAttribute, type Known, type KnownObject, toldSlugs } from './known.ts'
import { checkObject } from './record-checks.ts'
import type { CheckReport } from './report.ts'

const PATH = 'triggerConfig'

function checkSchedule(
  { cron, timezone }: NonNullable<WorkflowDefinition['triggerConfig']>,
  report: CheckReport,
) {
  const isKnownZone = timezone === undefined || isTimeZone(timezone)
  if (!isKnownZone)
    report.add(`${PATH}.timezone`, 'invalid_time_zone', 'must be a time zone, such as Europe/Berlin')
  if (!cron) return report.add(`${PATH}.cron`, 'required', 'is required: when to run, such as 0 9 * * 1')
  const times = nextTimes(cron, (isKnownZone && timezone) || 'UTC', new Date(), 1)
  if (!times)
    report.add(
      `${PATH}.cron`,
      'invalid_cron',
      'must be five parts: minute, hour, day of the month, month and day of the week, such as 0 9 * * 1',
    )
  else if (times.length === 0) report.add(`${PATH}.cron`, 'invalid_cron', 'must match a time in the future')
}

function checkWatch(
  definition: WorkflowDefinition,
  object: KnownObject | undefined,
  { known, report }: { known: Known; report: CheckReport },
): void {
  const { watch } = definition.triggerConfig ?? {}
  if (!object || definition.trigger !== 'record/updated') return
  for (const [index, slug] of (watch ?? []).entries())
    if (!findAttribute(object, slug))
      report.add(
        `${PATH}.watch[${index}]`,
        'unknown_attribute',
        unknownAttribute(object.slug, slug, toldSlugs(object, known)),
      )
}

function checkTriggerFilter(
  { trigger, triggerConfig }: WorkflowDefinition,
  object: KnownObject | undefined,
  { known, report }: { known: Known; report: CheckReport },
): void {
  const filter = triggerConfig?.filter
  if (filter === undefined) return
  const path = `${PATH}.filter`
  if (isRecordTrigger(trigger)) checkFilter(filter, path, { object, known, report, hasTemplates: false })
  else if (trigger.startsWith('activity/'))
    report.add(path, 'not_allowed', 'must be left out: only triggers on records have a filter')
}

const FITS: Readonly<Record<WorkflowParameter['type'], (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' || isRawNumber(value),
  checkbox: (value) => typeof value === 'boolean',
  date: (value) => typeof value === 'string' && dayOf(value) === value,
  list: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  json: () => true,
}

function checkParameters({ parameters = [] }: WorkflowDefinition, report: CheckReport): void {
  const names = new Set<string>()
  for (const [index, { name, type, default: value }] of parameters.entries()) {
    const path = `parameters[${index}]`
    if (names.has(name))
      report.add(
        `${path}.name`,
        'duplicate',
        'must not be the name of another parameter: choose another name',
      )
    names.add(name)
    if (value !== undefined && value !== null && !FITS[type](value))
      report.add(`${path}.default`, 'invalid_type', `must be a value of type ${type}`)
  }
}

export function checkTrigger(definition: WorkflowDefinition, known: Known, report: CheckReport): void {
  const { trigger, triggerConfig = {} } = definition
  const { objectId } = triggerConfig
  const object = checkObject(objectId, `${PATH}.objectId`, { known, report })
  if (isRecordTrigger(trigger) && objectId === undefined)
    report.add(`${PATH}.objectId`, 'required', 'is required: choose the object whose records start it')
  if (trigger === 'schedule') checkSchedule(triggerConfig, report)
  checkWatch(definition, object, { known, report })
  checkTriggerFilter(definition, object, { known, report })
  checkParameters(definition, report)
}
