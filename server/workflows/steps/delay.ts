import type { StepCheck } from '../check/record-checks.ts'
import { isLiteral } from '../check/template-check.ts'
import type { AdvancingRun, CurrentStep } from '../interpreter/advancing-run.ts'
import { delayUntil } from '../interpreter/delay.ts'
import { isTimeZone, readDate } from '../interpreter/zones.ts'
import type { ControlStep } from './step.ts'

function delayForm({ seconds, until, timeOfDay }: StepCheck['config']): string | undefined {
  if (seconds !== undefined && (until !== undefined || timeOfDay !== undefined))
    return 'must be either a duration, or a date or time of day: remove one of them'
  return seconds === undefined && (until === undefined || until === '') && timeOfDay === undefined
    ? 'must be a duration, a date or a time of day: choose one'
    : undefined
}

function check({ config, path, report }: StepCheck): void {
  const form = delayForm(config)
  if (form) report.add(path, 'invalid_delay', form)
  const { until, timezone } = config
  if (isLiteral(until) && until !== '' && !readDate(until))
    report.add(
      `${path}.until`,
      'invalid_date',
      'must be a date, such as 2026-11-20, a timestamp, such as 2026-11-20T10:00:00Z, or a template',
    )
  if (isLiteral(timezone) && timezone !== '' && !isTimeZone(timezone))
    report.add(`${path}.timezone`, 'invalid_time_zone', 'must be a time zone, such as Europe/Berlin')
}

/** @returns the end of the delay, or the problem of its config */
function delayOf(
  { now, facts, wakeAt }: AdvancingRun,
  { input }: CurrentStep,
): { until: Date } | { problem: string } {
  if (wakeAt !== null) return { until: new Date(wakeAt) }
  return delayUntil(input, { now, startedAt: facts.run.startedAt, timeZone: facts.organization.timeZone })
}

const execute: ControlStep['execute'] = (run, current) => {
  const found = delayOf(run, current)
  if ('problem' in found) return run.fail(current, found.problem)
  const { until } = found
  const resumeAt = until.toISOString()
  if (until <= run.now) return run.complete(current, { output: { until: resumeAt } })
  if (run.wakeAt === null) run.note(current, { status: 'waiting', resumeAt })
  run.wakeAt = resumeAt
  return { kind: 'wait', until, reason: 'delay' }
}

export const delay: ControlStep = {
  kind: 'control',
  check,
  execute,
  example: { until: '2026-11-20', timeOfDay: '09:00', timezone: 'Europe/Berlin' },
}
