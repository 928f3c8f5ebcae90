// Inserts new runs. If other runs with the same concurrency key are open, the setting of the workflow applies: queue,
// skip or restart.
import type { Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { cancelRuns } from './cancel.ts'
import type { RunConcurrency } from './concurrency.ts'
import { insertRuns, type KeyRef, lockWorkflows, type NewRun, selectOpenRuns } from './new-runs-store.ts'

/** A run before the check for other runs with its concurrency key. */
export interface RunDraft extends Omit<NewRun, 'concurrencyKey' | 'concurrencyLimit'> {
  concurrency: RunConcurrency
}

const keyOf = ({ org, workflow, concurrencyKey }: KeyRef) => `${org} ${workflow} ${concurrencyKey ?? ''}`
const refOf = ({ org, workflow, concurrency }: RunDraft): KeyRef => ({
  org,
  workflow,
  concurrencyKey: concurrency.key,
})

const isContested = ({ status, concurrency }: RunDraft) =>
  status === 'queued' && concurrency.onConflict !== 'queue'

const SKIPPED = 'skipped: another run of this workflow was in progress'
const REPLACED = 'cancelled: replaced by a later run'

const over = (draft: RunDraft, error: string): RunDraft => ({ ...draft, status: 'cancelled', error })

/** Open runs with one concurrency key: existing rows, and earlier drafts of this call. */
interface OpenRuns {
  rows: { org: number; id: string }[]
  drafts: number[]
}

interface Decision {
  drafts: RunDraft[]
  toCancel: { org: number; id: string }[]
}

/** Decides the drafts one after the other, as if each had been created separately. */
function decide(drafts: readonly RunDraft[], open: ReadonlyMap<string, OpenRuns>): Decision {
  const decision: Decision = { drafts: [...drafts], toCancel: [] }
  for (const [index, draft] of drafts.entries()) {
    const others = open.get(keyOf(refOf(draft)))
    if (!others || !isContested(draft)) continue
    const isTaken = others.rows.length + others.drafts.length >= draft.concurrency.limit
    if (isTaken && draft.concurrency.onConflict === 'skip') {
      decision.drafts[index] = over(draft, SKIPPED)
      continue
    }
    if (isTaken) {
      decision.toCancel.push(...others.rows.splice(0))
      for (const earlier of others.drafts.splice(0))
        decision.drafts[earlier] = over(draftAt(decision, earlier), REPLACED)
    }
    others.drafts.push(index)
  }
  return decision
}

function draftAt({ drafts }: Decision, index: number): RunDraft {
  const draft = drafts[index]
  if (!draft) throw new RangeError('there is no such draft')
  return draft
}

async function findOpenRuns(tx: Db, contested: readonly RunDraft[]): Promise<Map<string, OpenRuns>> {
  const open = new Map<string, OpenRuns>()
  const refs = new Map(contested.map(refOf).map((ref) => [keyOf(ref), ref]))
  for (const key of refs.keys()) open.set(key, { rows: [], drafts: [] })
  await lockWorkflows(tx, [...refs.values()])
  for (const run of await selectOpenRuns(tx, [...refs.values()])) open.get(keyOf(run))?.rows.push(run)
  return open
}

async function resolveConflicts(tx: Db, drafts: readonly RunDraft[], now: Sql): Promise<readonly RunDraft[]> {
  const contested = drafts.filter(isContested)
  if (contested.length === 0) return drafts
  const decision = decide(drafts, await findOpenRuns(tx, contested))
  for (const [org, runs] of Map.groupBy(decision.toCancel, (run) => run.org))
    await cancelRuns(
      tx,
      org,
      runs.map(({ id }) => id),
      { why: REPLACED, now },
    )
  return decision.drafts
}

const rowOf = ({ concurrency: { key, limit }, ...run }: RunDraft): NewRun => ({
  ...run,
  concurrencyKey: key,
  concurrencyLimit: limit,
})

/** Inserts the runs in the given order. @returns the inserted rows; some may already be cancelled */
export async function createRuns(tx: Db, drafts: readonly RunDraft[], now: Sql): Promise<NewRun[]> {
  const rows = (await resolveConflicts(tx, drafts, now)).map(rowOf)
  if (rows.length > 0) await insertRuns(tx, rows, now)
  return rows
}
