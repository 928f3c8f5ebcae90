// The first page after sign-in.
import type { Home, RecentRecord } from '../../contract/home.ts'
import { selectOwnTasks, selectUpcoming } from '../activities/listing-store.ts'
import type { Caller } from '../base/caller.ts'
import { idTime } from '../base/id.ts'
import { recordTotals } from '../model/objects/overview.ts'
import type { RecordContext } from '../records/context.ts'
import { recordNames } from '../records/names/names.ts'
import { countActivitiesByDay, selectRecentChanges } from './store.ts'

type HomeContext = Pick<RecordContext, 'db' | 'models' | 'clock'>

const RECENT_MAX = 15
const TASKS_MAX = 10
const UPCOMING_MAX = 5

async function recentRecords(ctx: HomeContext, org: number, now: Date): Promise<RecentRecord[]> {
  const changes = await selectRecentChanges(ctx.db, org, { now, limit: RECENT_MAX })
  const names = await recordNames(ctx, org, changes)
  const nameById = new Map(names.map(({ recordId, name }) => [recordId, name]))
  return changes.flatMap(({ id, ...change }) => {
    const name = nameById.get(change.recordId)
    return name === undefined ? [] : [{ ...change, name, at: new Date(idTime(id)).toISOString() }]
  })
}

export async function readHome(ctx: HomeContext, caller: Pick<Caller, 'org' | 'userId'>): Promise<Home> {
  const { org } = caller
  const now = ctx.clock.now()
  const upcoming = await selectUpcoming(ctx.db, org, { from: now.toISOString(), limit: UPCOMING_MAX })
  return {
    ownTasks: await selectOwnTasks(ctx.db, caller, TASKS_MAX),
    recentRecords: await recentRecords(ctx, org, now),
    activitiesByDay: await countActivitiesByDay(ctx.db, org, now),
    upcoming,
    counts: await recordTotals(ctx, org),
  }
}
