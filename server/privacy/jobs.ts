// Works on an erasure. Each transaction removes a batch, counts it and saves where to continue. Removed data is not
// found again, so a kill at any time only makes the erasure take longer.
import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../context.ts'
import type { ErasureBatch, ErasureWork } from './erase/step.ts'
import { ERASURE_STEPS } from './erase/steps.ts'
import type { Markers } from './markers.ts'
import { ownMarkers } from './own-markers.ts'
import { WORK_ON_ERASURE } from './service.ts'
import {
  countErasureTry,
  type Erasure,
  endErasure,
  failErasure,
  findErasure,
  type RequestRef,
  saveErasureProgress,
  saveMarkers,
} from './store.ts'
import { selectMerged } from './subjects.ts'
import { selectTexts } from './values.ts'

const sealedFor = ({ org, id }: RequestRef) => `privacy_request:${org}:${id}`

/** The reader of searches. A filter's `me` matches no user here. */
const readerOf = ({ author }: Erasure) => ({ ...author, userId: author.userId ?? '' })

type Found = Omit<Markers, 'ids'>

const WORDS = 400

/** Runs once, before anything is removed: stores the values to search for. */
async function prepare(ctx: Context, erasure: Erasure): Promise<void> {
  const { org, obj, recordIds } = erasure
  const merged = await Promise.all(recordIds.map((id) => selectMerged(ctx.db, { org, obj }, id)))
  const ids = [...new Set(merged.flat())]
  const { candidates, words } = await selectTexts(ctx.db, { org, obj }, ids)
  const values = await ownMarkers({ ctx, caller: readerOf(erasure), ids }, candidates)
  const found: Found = { values, words: words.slice(0, WORDS) }
  const sealed = ctx.secrets.seal(JSON.stringify(found), sealedFor(erasure))
  await ctx.db.transaction(async (tx) => {
    const locked = await findErasure(tx, erasure, { lock: true })
    if (!locked || locked.markers) return
    await saveMarkers(tx, erasure, sealed)
    await saveErasureProgress(tx, erasure, {
      ...locked,
      counts: {},
      subjects: ids,
      files: [],
      waitsFor: null,
    })
  })
}

function markersOf({ secrets }: Context, erasure: Erasure): Markers {
  const { markers, subjects } = erasure
  const none: Found = { values: [], words: [] }
  const found = markers ? (JSON.parse(secrets.open(markers, sealedFor(erasure))) as Found) : none
  return { ids: subjects, ...found }
}

/** @returns the result of the batch; undefined if another worker was faster, or the erasure has ended */
async function workOnBatch(work: ErasureWork): Promise<ErasureBatch | undefined> {
  const { ctx, erasure } = work
  const step = ERASURE_STEPS[erasure.step]
  if (!step) {
    await endErasure(ctx.db, erasure)
    return undefined
  }
  const found = await step.before?.(work)
  return ctx.db.transaction(async (tx) => {
    const locked = await findErasure(tx, erasure, { lock: true })
    if (locked?.step !== erasure.step || locked.place !== erasure.place) return locked && { isDone: false }
    const batch = await step.batch({ ...work, tx }, found)
    const { isDone, place = null, counts = {}, subjects = [], files = [], waitsFor = null } = batch
    const next = isDone ? { step: erasure.step + 1, place: null } : { step: erasure.step, place }
    await saveErasureProgress(tx, erasure, { ...next, counts, subjects, files, waitsFor })
    return batch
  })
}

const PAUSE_MS = 500
/** An erasure that waits for an import is queued again, behind erasures of others. */
const PATIENCE_MS = 10_000

async function goOn(ctx: Context, ref: RequestRef, signal: AbortSignal): Promise<void> {
  let waitedMs = 0
  for (;;) {
    signal.throwIfAborted()
    const erasure = await findErasure(ctx.db, ref, { lock: false })
    if (!erasure) return
    if (!erasure.markers) {
      await prepare(ctx, erasure)
      continue
    }
    const batch = await workOnBatch({ ctx, erasure, markers: markersOf(ctx, erasure) })
    if (!batch?.waitsFor) continue
    if (waitedMs >= PATIENCE_MS)
      return ctx.db.transaction((tx) => ctx.queue.enqueue(tx, WORK_ON_ERASURE, ref))
    await delay(PAUSE_MS, undefined, { signal })
    waitedMs += PAUSE_MS
  }
}

/** About an hour, in which a bucket or a database of mail may become reachable again. */
const TRIES_MAX = 60

const PROBLEM =
  'It stopped several times with an unexpected error, which is in the log of the service. Ask for the erasure of the record again: it goes on where it stopped.'

/**
 * A job. It may be repeated, and run by several workers concurrently.
 * @throws if `signal` aborts, or if the job must be repeated
 */
export async function workOnErasure(ctx: Context, ref: RequestRef, signal: AbortSignal): Promise<void> {
  try {
    await goOn(ctx, ref, signal)
  } catch (err) {
    if (signal.aborted || (await countErasureTry(ctx.db, ref)) < TRIES_MAX) throw err
    ctx.log.error({ err, requestId: ref.id }, 'an erasure failed')
    await failErasure(ctx.db, ref, PROBLEM)
  }
}
