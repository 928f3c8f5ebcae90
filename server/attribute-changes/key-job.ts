// Changes whether values are unique, and whether the case of unique values counts. Records get keys by the new rule in
// addition to the keys by the old rule, and every write makes both. When all records have the new keys, the rule
// changes in one step, and the old keys are removed. The job can stop at any point, and can run on several nodes.
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { parseJson } from '../base/json.ts'
import { hasOlderTransactions } from '../db/older-transactions.ts'
import type { Db } from '../db/pool.ts'
import { inTurns } from '../jobs/jobs.ts'
import { lockObjectRow, renewVersion } from '../model/objects/store.ts'
import type { RecordContext } from '../records/context.ts'
import { otherKeysOfStored } from '../records/values/unique-keys.ts'
import { claimValues } from '../records/write/claims.ts'
import { type HeldValue, heldKey, holdersOf, uniqueKey } from '../records/write/store.ts'
import { keysOfStored } from '../records/write/stored-keys.ts'
import {
  clearKeys,
  endCaseFill,
  endKeyChange,
  endUniqueFill,
  type Holder,
  type KeyChange,
  lockKeyChange,
  lockKeyHolders,
  moveKeyChange,
  type SealedChange,
  sealKeyChange,
  selectKeyChanges,
} from './key-store.ts'

type KeyContext = Pick<RecordContext, 'db' | 'log'>

const BATCH = 1000

/** The result of a batch. `over`: another worker has finished the phase, or another change has replaced it. */
type Batch = 'more' | 'all' | 'conflict' | 'over'

/**
 * @returns whether each record has its keys: false if another record has one of them, undefined if that record has just
 * released it
 */
async function claimAll(tx: Db, org: number, values: readonly HeldValue[]): Promise<boolean | undefined> {
  const won = new Set((await claimValues(tx, org, values)).map(heldKey))
  const lost = values.filter((value) => !won.has(heldKey(value)))
  const holders = await holdersOf(tx, org, lost)
  const others = lost.map((value) => ({ id: value.id, holder: holders.get(uniqueKey(value)) }))
  if (others.some(({ holder }) => holder === undefined)) return undefined
  return others.every(({ id, holder }) => id === holder)
}

/** Parses JSON so that numbers keep their digits. */
const read = (json: string | null): unknown => (json === null ? null : parseJson(json))

const keysFor = (change: KeyChange, { value, comparable }: Holder): string[] =>
  change.isOfUniqueness
    ? keysOfStored(change, read(value), read(comparable))
    : otherKeysOfStored(change, read(value))

async function fillBatch(tx: Db, running: SealedChange): Promise<Batch> {
  const after = await lockKeyChange(tx, running)
  if (after === undefined) return 'over'
  const { org, attr, isSensitive, isOfUniqueness } = running
  const holders = await lockKeyHolders(tx, running, { after, limit: BATCH })
  const last = holders.at(-1)
  if (!last) return 'all'
  const values = holders.flatMap((holder) =>
    keysFor(running, holder).map((value) => ({ attr, id: holder.id, value })),
  )
  const areClaimed = await claimAll(tx, org, values)
  if (areClaimed === undefined) return 'more'
  // Values that differ without case also differ with case, so a record without such a key had no key before either.
  if (!areClaimed && (isOfUniqueness || !isSensitive)) return 'conflict'
  await moveKeyChange(tx, running, last.id)
  return 'more'
}

async function clearBatch(tx: Db, running: SealedChange): Promise<Batch> {
  if ((await lockKeyChange(tx, running)) === undefined) return 'over'
  if ((await clearKeys(tx, running, BATCH)) > 0) return 'more'
  await endKeyChange(tx, running)
  return 'all'
}

const finishFill = ({ db }: KeyContext, running: SealedChange, isChanged: boolean) =>
  db.transaction(async (tx) => {
    const { org, obj } = running
    await lockObjectRow(tx, org, obj)
    if ((await lockKeyChange(tx, running)) === undefined) return
    await (running.isOfUniqueness ? endUniqueFill : endCaseFill)(tx, running, isChanged)
    await renewVersion(tx, org, obj)
  })

/** @returns whether the phase is over: false while transactions from before it are open, or after `signal` aborted */
async function runPhase(ctx: KeyContext, running: KeyChange, signal: AbortSignal): Promise<boolean> {
  const sealedAt = await sealKeyChange(ctx.db, running)
  if (sealedAt === undefined) return true
  // Older transactions may still write values without the new keys, or with keys that are being removed.
  if (await hasOlderTransactions(ctx.db, sql`${sealedAt}::timestamptz`)) return false
  const sealed = { ...running, sealedAt }
  const isFill = running.phase === 'fill'
  while (!signal.aborted) {
    const batch = await ctx.db.transaction((tx) => (isFill ? fillBatch : clearBatch)(tx, sealed))
    if (batch === 'more') continue
    if (isFill && batch !== 'over') await finishFill(ctx, sealed, batch === 'all')
    return true
  }
  return false
}

const PAUSE_MS = 20

/** Maximum time that a request compares values; the job does the rest. */
export const FILL_BUDGET_MS = 10_000

/** Compares the values of an attribute for at most `budgetMs`; the job does the rest. */
export async function fillWithin(ctx: KeyContext, attr: number, budgetMs: number): Promise<void> {
  const signal = AbortSignal.timeout(budgetMs)
  for (;;) {
    const [running] = await selectKeyChanges(ctx.db, attr)
    if (running?.phase !== 'fill') break
    if (signal.aborted) return
    if (!(await runPhase(ctx, running, signal))) await delay(PAUSE_MS)
  }
  // The response does not wait for the removal of old keys.
  for (const running of await selectKeyChanges(ctx.db, attr)) await runPhase(ctx, running, signal)
}

/** Continues with all changes. The next run continues with changes that are not finished. */
export async function changeUniqueKeys(ctx: KeyContext, signal: AbortSignal): Promise<void> {
  const failure = 'a change of the rules about unique values could not be finished'
  await inTurns(await selectKeyChanges(ctx.db), { log: ctx.log, signal, failure }, (running, slice) =>
    runPhase(ctx, running, slice),
  )
}
