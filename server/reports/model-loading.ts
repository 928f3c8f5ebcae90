// Definition → plan, with the models that planning asks for.
import type { ReportDefinition } from '../../contract/reports.ts'
import { createModels, type ObjectModel } from '../attributes/models.ts'
import type { Caller } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { ifGone } from '../errors.ts'
import { type Planned, planReport } from './plan/plan.ts'
import { dayIn } from './plan/relative-dates.ts'
import { selectTimeZone } from './snapshot-store.ts'

/** Reads models as `db` sees them now, not from this process's cache. */
export async function loadPlan(
  db: Db,
  caller: Caller,
  { definition, now }: { definition: ReportDefinition; now: Date },
): Promise<Exclude<Planned, { needs: unknown }>> {
  const timeZone = await selectTimeZone(db, caller.org)
  const surroundings = { locale: caller, timeZone, today: dayIn(now, timeZone) }
  const known = new Map<string, ObjectModel | null>()
  const models = createModels()
  for (;;) {
    const planned = planReport(definition, known, surroundings)
    if (!('needs' in planned)) return planned
    for (const ref of planned.needs) known.set(ref, await models.get(db, caller.org, ref).catch(ifGone(null)))
  }
}
