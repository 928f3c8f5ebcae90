// Puts new runs into their lanes, as their workflows want it where a lane is taken.
import type { Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { cancelRuns } from './cancel.ts'
import type { LaneOfRun } from './lanes.ts'
import { insertRuns, type LaneRef, lockWorkflows, type NewRun, selectOpenRuns } from './new-runs-store.ts'

/** A run before its lane was looked at. */
export interface RunDraft extends Omit<NewRun, 'lane' | 'laneLimit'> {
  place: LaneOfRun
}

const keyOf = ({ org, workflow, lane }: LaneRef) => `${org} ${workflow} ${lane ?? ''}`
const laneRefOf = ({ org, workflow, place: { lane } }: RunDraft): LaneRef => ({ org, workflow, lane })

const isContested = ({ status, place }: RunDraft) => status === 'queued' && place.onConflict !== 'queue'

const SKIPPED = 'skipped: another run of this workflow was under way'
const REPLACED = 'cancelled: a later run took its place'

const over = (draft: RunDraft, error: string): RunDraft => ({ ...draft, status: 'cancelled', error })

/** What is open in a lane: rows of earlier transactions, and drafts before this one. */
interface Lane {
  rows: { org: number; id: string }[]
  drafts: number[]
}

interface Verdict {
  drafts: RunDraft[]
  toCancel: { org: number; id: string }[]
}

/** One draft after the other, as if each had come alone. */
function judge(drafts: readonly RunDraft[], open: ReadonlyMap<string, Lane>): Verdict {
  const verdict: Verdict = { drafts: [...drafts], toCancel: [] }
  for (const [place, draft] of drafts.entries()) {
    const lane = open.get(keyOf(laneRefOf(draft)))
    if (!lane || !isContested(draft)) continue
    const isTaken = lane.rows.length + lane.drafts.length >= draft.place.limit
    if (isTaken && draft.place.onConflict === 'skip') {
      verdict.drafts[place] = over(draft, SKIPPED)
      continue
    }
    if (isTaken) {
      verdict.toCancel.push(...lane.rows.splice(0))
      for (const earlier of lane.drafts.splice(0))
        verdict.drafts[earlier] = over(draftAt(verdict, earlier), REPLACED)
    }
    lane.drafts.push(place)
  }
  return verdict
}

function draftAt({ drafts }: Verdict, place: number): RunDraft {
  const draft = drafts[place]
  if (!draft) throw new RangeError('there is no such draft')
  return draft
}

async function lookAtLanes(tx: Db, contested: readonly RunDraft[]): Promise<Map<string, Lane>> {
  const open = new Map<string, Lane>()
  const lanes = new Map(contested.map((draft) => [keyOf(laneRefOf(draft)), laneRefOf(draft)]))
  for (const key of lanes.keys()) open.set(key, { rows: [], drafts: [] })
  await lockWorkflows(tx, [...lanes.values()])
  for (const run of await selectOpenRuns(tx, [...lanes.values()])) open.get(keyOf(run))?.rows.push(run)
  return open
}

async function settle(tx: Db, drafts: readonly RunDraft[], now: Sql): Promise<readonly RunDraft[]> {
  const contested = drafts.filter(isContested)
  if (contested.length === 0) return drafts
  const verdict = judge(drafts, await lookAtLanes(tx, contested))
  for (const [org, runs] of Map.groupBy(verdict.toCancel, (run) => run.org))
    await cancelRuns(
      tx,
      org,
      runs.map(({ id }) => id),
      { why: REPLACED, now },
    )
  return verdict.drafts
}

const rowOf = ({ place, ...run }: RunDraft): NewRun => ({ ...run, lane: place.lane, laneLimit: place.limit })

/** Inserts them, in the order given. @returns how they begin: some may be over already */
export async function placeRuns(tx: Db, drafts: readonly RunDraft[], now: Sql): Promise<NewRun[]> {
  const rows = (await settle(tx, drafts, now)).map(rowOf)
  if (rows.length > 0) await insertRuns(tx, rows, now)
  return rows
}
