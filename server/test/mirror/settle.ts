// Executes the background work of changes immediately.
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import { rewriteOptions } from '../../attribute-changes/option-job.ts'
import { purgeDeletedAttributes } from '../../model/attributes/jobs.ts'
import { writeShownChanges } from '../../model/attributes/shown-job.ts'
import { purgeDeletedObjects } from '../../model/objects/jobs.ts'
import { restoreAllValues } from '../../records/trash/attribute-values.ts'
import { restoreAllRecords } from '../../records/trash/object-records.ts'
import type { TestService } from '../build-app.ts'
import type { Org } from '../factories.ts'

const JOBS = [
  ...[purgeDeletedObjects, purgeDeletedAttributes, writeShownChanges],
  ...[rewriteOptions, restoreAllRecords, restoreAllValues],
]

/** The amount of open work, without values of inactive attributes: they return when the attribute is active again. */
const countLeft = ({ ctx: { db } }: TestService, { org }: Org) =>
  db.value<number>(sql`
    select (select count(*) from objects where org = ${org} and deleted_at is not null)
      + (select count(*) from attributes where org = ${org}
          and (deleted_at is not null or shown_change is not null or option_change is not null))
      + (select count(*) from event_pending where org = ${org})
      + (select count(*) from trash_objects where org = ${org} and is_restored)
      + (select count(*) from trash_attributes t join attributes a on a.org = t.org and a.attr = t.attr and a.is_active
          where t.org = ${org} and t.is_restored)`)

/** Runs the jobs that the worker runs within a minute. */
export async function work(service: TestService): Promise<void> {
  await service.runWorkflows()
  for (const job of JOBS) await job(service.ctx, new AbortController().signal)
  await service.runWorkflows()
  await service.notifyMembers()
  await service.deliver()
}

/** Repeats the work until nothing is left, because a job may depend on another. */
export async function settle(service: TestService, org: Org): Promise<void> {
  await expect
    .poll(
      async () => {
        await work(service)
        return countLeft(service, org)
      },
      { interval: 20 },
    )
    .toBe(0)
}

/** The number of stored events. The feed delays events as long as an earlier transaction is open. */
export const countEvents = ({ ctx: { db } }: TestService, { org }: Org) =>
  db.value<number>(
    sql`select count(*) as events from events where org = ${org} and type not like 'comment.%'`,
  )
