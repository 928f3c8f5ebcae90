// The next times at which a schedule would start its workflow.
import type { SchedulePreview } from '../../contract/workflow-dashboard.ts'
import { invalid } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import { getOrganization } from './store.ts'
import { nextTimes } from './triggers/schedule.ts'

const TIMES = 5

const EVERY_MINUTE = '* * * * *'

function refusal(timezone: string, now: Date) {
  const isZone = nextTimes(EVERY_MINUTE, timezone, now, 1) !== undefined
  return invalid('invalid_parameter', [
    isZone
      ? {
          path: 'cron',
          code: 'invalid_cron',
          message: 'must be five fields: minute, hour, day, month and weekday, such as 0 9 * * 1',
        }
      : { path: 'timezone', code: 'unknown_time_zone', message: 'must be a time zone such as Europe/Berlin' },
  ])
}

/** @throws 400 invalid_parameter naming cron or timezone */
export async function previewSchedule(
  db: Db,
  org: number,
  { cron, timezone }: { cron: string; timezone?: string },
): Promise<SchedulePreview> {
  const { timeZone, now } = await getOrganization(db, org)
  const zone = timezone ?? timeZone
  const from = new Date(now)
  const times = nextTimes(cron, zone, from, TIMES)
  if (!times) throw refusal(zone, from)
  return { times: times.map((time) => time.toISOString()), timezone: zone }
}
