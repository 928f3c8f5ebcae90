// Changes the options of a select attribute. One transaction changes all definitions that contain options, and the way
// that records are read. option-job.ts then rewrites the records.
import { isDeepStrictEqual } from 'node:util'
import type { OptionsPatch, OptionUses } from '../../contract/attribute-options.ts'
import type { SelectConfig } from '../../contract/attributes.ts'
import { counted } from '../../contract/counted.ts'
import { colorOf } from '../../contract/option-colors.ts'
import type { Caller } from '../base/caller.ts'
import { AppError, invalidField } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import { requireStorable } from '../http/storable.ts'
import { type ModelContext, withModel } from '../model/attributes/models.ts'
import { requireNoChange } from '../model/attributes/service.ts'
import {
  type AttributeRef,
  type AttributeRow,
  attributeEtag,
  getAttribute,
} from '../model/attributes/store.ts'
import { lockObject, type ObjectRow, renewVersion } from '../model/objects/store.ts'
import type { RecordContext } from '../records/context.ts'
import { defaultAfter } from './default-value.ts'
import { renameInDefinitions } from './definition-store.ts'
import { rewriteWithin } from './option-job.ts'
import { type OptionPlan, planOptions } from './option-plan.ts'
import {
  countHolders,
  countOptionUses,
  countValues,
  findChange,
  insertChange,
  updateConfig,
} from './option-store.ts'

/** @throws 400 validation_error */
function configOf({ slug, type, config }: AttributeRow): SelectConfig {
  if (config && 'options' in config) return config
  throw invalidField(
    'options',
    'not_allowed',
    `must be left out: ${slug} is of type ${type}, and only select has options`,
  )
}

/** Maximum time that a request rewrites records; the job does the rest. */
const REWRITE_BUDGET_MS = 1500

/** @throws 400 validation_error, 404 not_found */
export async function listOptions(
  ctx: ModelContext,
  { org }: Pick<Caller, 'org'>,
  ref: AttributeRef,
): Promise<OptionUses> {
  const attribute = await getAttribute(ctx.db, org, ref)
  const { attr, slug, isList } = attribute
  const config = configOf(attribute)
  const counts = await withModel(ctx, org, ref.objectId, (model) => countValues(ctx.db, model, slug, isList))
  const options = config.options.map((value) => ({
    value,
    color: colorOf(config, value),
    records: counts.get(value) ?? 0,
  }))
  return { options, change: (await findChange(ctx.db, org, attr)) ?? null }
}

interface Target {
  object: ObjectRow
  attribute: AttributeRow
}

/** @throws 409 option_in_use */
async function requireUnused(
  tx: Db,
  org: number,
  { object: { obj }, attribute: { slug } }: Target,
  removed: string[],
) {
  if (removed.length === 0) return
  const uses = await countOptionUses(tx, { org, obj, slug }, removed)
  const [first] = uses
  if (!first) return
  const more =
    uses.length > 1
      ? `, and ${counted(uses.length - 1, 'more of these options is', 'more of these options are')} in use`
      : ''
  const message = `${counted(first.records, 'record has', 'records have')} "${first.option}"${more}: name it in from of another option, or in clear`
  throw new AppError('option_in_use', message, { uses })
}

/** @throws 400 validation_error */
function requireFitting(
  { isRequired, isUnique, slug }: AttributeRow,
  { names }: OptionPlan,
  patch: OptionsPatch,
) {
  if (isRequired && Object.values(names).includes(null))
    throw invalidField(
      'clear',
      'required',
      `must be empty: ${slug} is required, so its records need another option`,
    )
  const merged = patch.options.findIndex(
    ({ value, from = [] }) =>
      new Set([...from, ...(from.length > 0 && !from.includes(value) ? [] : [value])]).size > 1,
  )
  if (isUnique && merged >= 0)
    throw invalidField(
      `options[${merged}].from`,
      'not_allowed',
      `must name one option, because values of ${slug} are unique`,
    )
}

async function change(
  tx: Db,
  caller: Caller,
  { object, attribute }: Target,
  patch: OptionsPatch,
): Promise<void> {
  const { org } = caller
  const { obj } = object
  const { attr, slug } = attribute
  const before = configOf(attribute)
  const plan = planOptions(before, patch)
  requireFitting(attribute, plan, patch)
  await requireUnused(tx, org, { object, attribute }, plan.removed)
  if (isDeepStrictEqual(before, plan.config)) return
  const old = Object.keys(plan.names)
  const defaultValue = defaultAfter(attribute.defaultValue, plan)
  await updateConfig(tx, org, { attr, config: plan.config, defaultValue })
  if (old.length > 0) {
    const total = await countHolders(tx, { org, obj, slug }, old)
    await insertChange(tx, caller, { obj, attr, slug, names: plan.names, total })
    const place = { org, obj, slug, names: plan.names }
    await renameInDefinitions(tx, caller, { ...place, objectId: object.id, objectSlug: object.slug })
  }
  await renewVersion(tx, org, obj)
}

/**
 * A small change is complete before the response. For a large change, the job rewrites the records.
 * @throws 400 validation_error, 404 not_found, 409 option_in_use, options_changing
 */
export async function changeOptions(
  ctx: RecordContext,
  caller: Caller,
  { patch, ...ref }: AttributeRef & { patch: OptionsPatch },
): Promise<{ attribute: AttributeRow; etag: string }> {
  requireStorable(patch)
  const { org } = caller
  const { attr } = await ctx.db.transaction(async (tx) => {
    const object = await lockObject(tx, org, ref.objectId)
    const attribute = await getAttribute(tx, org, ref)
    requireNoChange(attribute)
    await change(tx, caller, { object, attribute }, patch)
    return attribute
  })
  await rewriteWithin(ctx, attr, REWRITE_BUDGET_MS)
  const attribute = await getAttribute(ctx.db, org, ref)
  return { attribute, etag: attributeEtag(attribute) }
}
