// Creates many generated records, to test how an installation behaves with much data.

import type { Caller } from '../base/caller.ts'
import { invalidField } from '../base/errors.ts'
import type { Context } from '../context.ts'
import { selectMembers } from '../identity/members/store.ts'
import { executeInOrder } from '../imports/in-order.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import { bulkWrite } from '../records/bulk/service.ts'
import { hasRecords, selectOldestIds } from '../records/export/store.ts'
import { type Blueprint, generatedData } from './generated-data.ts'

export interface SeedOptions {
  objectRef: string
  records: number
  /** The same seed makes the same records on the same day, in an object without records. */
  seed: number
  signal?: AbortSignal
  onProgress?: (done: number) => void
}

export interface SeedOutcome {
  created: number
  failed: number
  /** The error of the first record that failed. */
  firstError?: string
  /** Set if the run ended early. The created records are kept. */
  stopped?: unknown
}

const BATCH = 1000
const IN_FLIGHT = 2
const TARGETS_MAX = 5000

/** Members, and records to which references of this object may refer: the oldest few thousand of each. */
async function findTargets(
  ctx: Context,
  { org, orgId }: Caller,
  model: ObjectModel,
): Promise<Blueprint['targets']> {
  const targets = new Map<string, string[]>()
  const members = (await selectMembers(ctx.db, orgId)).map(({ user }) => user.id)
  for (const { slug, type, config, isRequired } of model.attributes.values()) {
    if (type === 'member') targets.set(slug, members)
    if (!config || !('allowed_object_id' in config)) continue
    const target = await ctx.models.get(ctx.db, org, config.allowed_object_id)
    const ids = await selectOldestIds(ctx.db, target, TARGETS_MAX)
    if (ids.length === 0 && isRequired)
      throw invalidField(
        slug,
        'required',
        `must have a record of ${target.slug} to refer to, and there is none: seed ${target.slug} first`,
      )
    targets.set(slug, ids)
  }
  return targets
}

async function blueprintOf(
  ctx: Context,
  caller: Caller,
  { objectRef, seed }: SeedOptions,
): Promise<Blueprint> {
  const model = await ctx.models.get(ctx.db, caller.org, objectRef)
  const isEmpty = !(await hasRecords(ctx.db, model))
  return {
    objectSlug: model.slug,
    attributes: [...model.attributes.values()],
    seed,
    token: isEmpty ? '' : `${ctx.clock.now().getTime().toString(36)}`,
    targets: await findTargets(ctx, caller, model),
    currency: caller.currency,
    today: ctx.clock.now(),
  }
}

function* batchesOf({ records, signal }: SeedOptions): Generator<number[]> {
  for (let first = 1; first <= records && !signal?.aborted; first += BATCH)
    yield Array.from({ length: Math.min(BATCH, records - first + 1) }, (_, index) => first + index)
}

/**
 * Creates generated records in batches. Each batch is written completely or not at all.
 * @throws 400 validation_error, 404 not_found, 409 object_inactive, before anything is written
 */
export async function seedRecords(ctx: Context, caller: Caller, options: SeedOptions): Promise<SeedOutcome> {
  const blueprint = await blueprintOf(ctx, caller, options)
  const outcome: SeedOutcome = { created: 0, failed: 0 }
  const write = (ordinals: number[]) => {
    const records = ordinals.map((ordinal) => ({ data: generatedData(blueprint, ordinal) }))
    return bulkWrite(ctx, caller, options.objectRef, { mode: 'create', records })
  }
  await executeInOrder(batchesOf(options), write, {
    inFlight: IN_FLIGHT,
    onDone: (_, { created, failed }) => {
      outcome.created += created
      outcome.failed += failed.length
      if (failed[0]) outcome.firstError ??= failed[0].error
      options.onProgress?.(outcome.created + outcome.failed)
    },
    onFailed: (_, reason) => {
      outcome.stopped ??= reason
    },
  })
  if (options.signal?.aborted) outcome.stopped ??= options.signal.reason
  return outcome
}
