// The search for duplicates. It reads all records in the order of their ids, some thousand per statement, with a pause
// as long as each statement, and compares them in memory. After a stop or a kill, another worker starts the search
// again.
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { DUPLICATE_GROUPS_MAX, DUPLICATES_PER_GROUP_MAX } from '../../../contract/duplicates.ts'
import { AppError } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { type ObjectModel, requireCurrent, withModel } from '../../model/attributes/models.ts'
import type { RecordContext } from '../../records/context.ts'
import { comparedColumns, type DuplicateCandidate } from '../candidates.ts'
import { comparedByAll } from '../compared.ts'
import type { Rule } from '../rules.ts'
import { activeRules } from '../service.ts'
import {
  completeSearch,
  type FoundGroup,
  noteSeen,
  replaceGroups,
  type SearchRef,
  selectDismissed,
} from '../store.ts'
import { createFinder, type Finder } from './finder.ts'
import { createTurns } from './turns.ts'
import { pairsIn, verifyGroups } from './verified.ts'

const BATCH = 2000
const VERIFIED_PER_BATCH = 100
const NOTE_EVERY_MS = 1000
const PAUSE_MS_MAX = 500
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

interface Work {
  db: Db
  search: SearchRef
  model: ObjectModel
  /** The rules that can find duplicates. */
  rules: readonly Rule[]
  signal: AbortSignal
}

/** The search was cancelled, or another worker has completed it. */
class Ended extends Error {}

const readBatch = ({ db, model: { org, obj }, rules }: Work, after: string): Promise<DuplicateCandidate[]> =>
  db.many<DuplicateCandidate>(sql`
    select r.id, ${comparedColumns(rules)} from records r
    where r.org = ${org} and r.obj = ${obj} and r.id > ${after}::uuid order by r.id limit ${BATCH}`)

/** Pauses as long as the previous work took, up to PAUSE_MS_MAX, to leave other work half of the time. */
const pauseAfter = (began: number) => delay(Math.min(performance.now() - began, PAUSE_MS_MAX))

/** @throws Ended, or when `signal` aborts */
async function readAll(work: Work, finder: Finder): Promise<number> {
  const turns = createTurns(work.signal)
  let [after, seen, noted] = [BEFORE_ALL as string | undefined, 0, performance.now()]
  while (after !== undefined) {
    work.signal.throwIfAborted()
    const began = performance.now()
    const batch = await readBatch(work, after)
    for (const one of batch) {
      await turns.pass()
      finder.add(one.id, comparedByAll(work.rules, one))
    }
    seen += batch.length
    after = batch.length < BATCH ? undefined : batch.at(-1)?.id
    if (performance.now() - noted < NOTE_EVERY_MS && after !== undefined) {
      await pauseAfter(began)
      continue
    }
    if (!(await noteSeen(work.db, work.search, seen))) throw new Ended()
    noted = performance.now()
  }
  return seen
}

async function findGroups(work: Work, finder: Finder): Promise<FoundGroup[]> {
  const { db, rules, signal } = work
  const limits = { groups: DUPLICATE_GROUPS_MAX, perGroup: DUPLICATES_PER_GROUP_MAX }
  const found = await finder.groups(limits, signal)
  const dismissed = pairsIn(await selectDismissed(db, work.model))
  const groups: FoundGroup[] = []
  for (let at = 0; at < found.length; at += VERIFIED_PER_BATCH) {
    signal.throwIfAborted()
    const began = performance.now()
    groups.push(...(await verifyGroups(db, work, found.slice(at, at + VERIFIED_PER_BATCH), dismissed)))
    if (rules.length > 0) await pauseAfter(began)
  }
  return groups
}

async function runSearch(work: Work): Promise<void> {
  const { db, model, search, rules } = work
  const finder = createFinder(rules)
  const seen = rules.length === 0 ? 0 : await readAll(work, finder)
  const groups = await findGroups(work, finder)
  await db.transaction(async (tx) => {
    await requireCurrent(tx, model)
    if (await completeSearch(tx, search, seen)) await replaceGroups(tx, model, groups)
  })
}

/** A rule about a unique value can find no duplicates, unless it compares the value differently. */
const canRepeat = ({ kind, attribute: { isUnique } }: Rule) =>
  !isUnique || kind === 'same_domain' || kind === 'similar_name'

/** A job, which may run again and concurrently. @throws when `signal` aborts */
export async function searchForDuplicates(
  ctx: RecordContext,
  search: SearchRef,
  signal: AbortSignal,
): Promise<void> {
  const { db } = ctx
  try {
    await withModel(ctx, search.org, search.objectId, async (model) => {
      if (!(await noteSeen(db, search, 0))) return
      const rules = (await activeRules(db, model)).filter(canRepeat)
      await runSearch({ db, search, model, rules, signal })
    })
  } catch (error) {
    const isDeleted = error instanceof AppError && error.code === 'not_found'
    if (!(error instanceof Ended) && !isDeleted) throw error
  }
}
