// Rewrites records that contain options that were renamed, merged or cleared. Reads already return the new options, so
// the job can stop at any point, and can run on several nodes.
import { setTimeout as delay } from 'node:timers/promises'
import type { JsonValue } from '../base/json.ts'
import { hasOlderTransactions } from '../db/older-transactions.ts'
import type { Db } from '../db/pool.ts'
import { inTurns } from '../jobs/jobs.ts'
import { type ObjectModel, type OptionNames, withModel } from '../model/attributes/models.ts'
import { lockObjectRow, renewVersion } from '../model/objects/store.ts'
import type { RecordContext } from '../records/context.ts'
import { type RecordDraft, replaceUniques, updateRecords } from '../records/write/store.ts'
import {
  countChanged,
  endChange,
  lockChange,
  lockOptionHolders,
  type RunningChange,
  sealChange,
  sealedAt,
  selectRunning,
} from './option-store.ts'
import { renamedValues, successorOf } from './renamed-filters.ts'

type JobContext = Pick<RecordContext, 'db' | 'models' | 'log'>

const BATCH = 200
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** The value with the new options; null for no value. */
function renamed(value: JsonValue, names: OptionNames): JsonValue {
  if (!Array.isArray(value)) return successorOf(value, names) ?? null
  const values = renamedValues(value, names) as JsonValue[]
  return values.length > 0 ? values : null
}

function draftOf(
  { slug, attr, isUnique, change: { names } }: RunningChange,
  { id, value }: { id: string; value: JsonValue },
): RecordDraft {
  const next = renamed(value, names)
  const values = isUnique ? [next].flat().filter((one) => typeof one === 'string') : []
  return {
    id,
    slugs: [slug],
    data: JSON.stringify({ [slug]: next }),
    comparable: null,
    bareAmounts: undefined,
    uniques: values.map((one) => ({ attr, value: one })),
    links: [],
  }
}

/** @returns the last record of the batch; undefined if no records are left */
async function rewriteBatch(tx: Db, model: ObjectModel, running: RunningChange, after: string) {
  const { org, attr, slug, isUnique, change } = running
  if (!(await lockChange(tx, running))) return undefined
  const options = Object.keys(change.names)
  const holders = await lockOptionHolders(tx, model, { slug, options, after, limit: BATCH })
  if (holders.length === 0) return undefined
  const drafts = holders.map((holder) => draftOf(running, holder))
  if (isUnique) await replaceUniques(tx, org, drafts, [attr])
  const { userId, keyId, changeSet } = change
  const author = { org, userId, keyId, ...(changeSet && { changeSet }), isQuiet: true as const }
  const written = await updateRecords(tx, author, model, drafts)
  await countChanged(tx, running, written.length)
  return holders.at(-1)?.id
}

const finish = ({ db }: JobContext, running: RunningChange) =>
  db.transaction(async (tx) => {
    await lockObjectRow(tx, running.org, running.obj)
    if (!(await lockChange(tx, running))) return
    await endChange(tx, running)
    await renewVersion(tx, running.org, running.obj)
  })

/**
 * @returns whether the change is finished: false while transactions from before the change are open, or after `signal`
 * aborted
 */
async function rewrite(ctx: JobContext, running: RunningChange, signal: AbortSignal): Promise<boolean> {
  await sealChange(ctx.db, running)
  // Older transactions may still write old options.
  if (await hasOlderTransactions(ctx.db, sealedAt(running))) return false
  let after: string | undefined = BEFORE_ALL
  while (after !== undefined) {
    if (signal.aborted) return false
    const last: string = after
    after = await withModel(ctx, running.org, running.objectId, (model) =>
      ctx.db.transaction((tx) => rewriteBatch(tx, model, running, last)),
    )
  }
  await finish(ctx, running)
  return true
}

const PAUSE_MS = 20

/**
 * Rewrites for at most `budgetMs`; the job does the rest. Does nothing within a transaction: the change is not
 * committed yet.
 */
export async function rewriteWithin(ctx: JobContext, attr: number, budgetMs: number): Promise<void> {
  if (ctx.db.inTransaction) return
  const signal = AbortSignal.timeout(budgetMs)
  try {
    for (const running of await selectRunning(ctx.db, attr))
      while (!signal.aborted && !(await rewrite(ctx, running, signal))) await delay(PAUSE_MS)
  } catch (error) {
    ctx.log.warn({ err: error, attr }, 'a change of options will be written to records in the background')
  }
}

/** Continues with all changes. The next run continues with changes that are not finished. */
export async function rewriteOptions(ctx: RecordContext, signal: AbortSignal): Promise<void> {
  const failure = 'a change of options could not be written to records'
  await inTurns(await selectRunning(ctx.db), { log: ctx.log, signal, failure }, (running, slice) =>
    rewrite(ctx, running, slice),
  )
}
