// Plans a definition, and loads the models that the planner needs.
import type { ReportDefinition } from '../../contract/reports.ts'
import type { Caller } from '../base/caller.ts'
import { ifNotFound } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import { createModels, type ObjectModel } from '../model/attributes/models.ts'
import { selectFilterMembers } from '../records/filters/named-members.ts'
import { type Planned, planReport } from './plan/plan.ts'
import { dayIn } from './plan/relative-dates.ts'
import { selectTimeZone } from './snapshot-store.ts'

/** Reads the current models from `db`, not from the cache of this process. */
export async function loadPlan(
  db: Db,
  caller: Caller,
  { definition, now }: { definition: ReportDefinition; now: Date },
): Promise<Exclude<Planned, { needs: unknown }>> {
  const timeZone = await selectTimeZone(db, caller.org)
  // `me` is not available: all members see the results of a run, and `me` would be the member who ran it.
  const { country, currency, scopes } = caller
  const members = await selectFilterMembers(db, caller.org, definition)
  const locale = { country, currency, members, scopes }
  const surroundings = { locale, timeZone, today: dayIn(now, timeZone) }
  const known = new Map<string, ObjectModel | null>()
  const models = createModels()
  for (;;) {
    const planned = planReport(definition, known, surroundings)
    if (!('needs' in planned)) return planned
    for (const ref of planned.needs)
      known.set(ref, await models.get(db, caller.org, ref).catch(ifNotFound(null)))
  }
}
