// Changes whether the values of an attribute are unique. The change is refused if records have equal values.
import { NEVER_UNIQUE } from '../../contract/attribute-types.ts'
import { hasDefault } from '../../contract/default-values.ts'
import type { Caller } from '../base/caller.ts'
import { AppError, invalidField, unavailable } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import { requireMatch } from '../http/etag.ts'
import { requireCustom, requireNoChange } from '../model/attributes/service.ts'
import {
  type AttributeRef,
  type AttributeRow,
  attributeEtag,
  getAttribute,
} from '../model/attributes/store.ts'
import { getObject, lockObject, renewVersion } from '../model/objects/store.ts'
import type { RecordContext } from '../records/context.ts'
import { FILL_BUDGET_MS, fillWithin } from './key-job.ts'
import { endUniqueness, startKeyChange } from './key-store.ts'
import { type Rule, requireDifferent } from './same-values.ts'

/** A requested change, with the If-Match header if it was sent. */
interface UniqueChange extends AttributeRef {
  ifMatch: string | undefined
  isUnique: boolean | undefined
}

const UNIQUE: Rule = {
  ignoresCase: false,
  refusal: (what, details) =>
    new AppError(
      'duplicate_values',
      `Records share ${what}: change the values, or merge the records, then try again`,
      { ...details },
    ),
}

/** @throws 400 validation_error, 403 standard_object */
function requireChangeable(attribute: AttributeRow, isUnique: boolean): void {
  requireCustom(attribute)
  const { type } = attribute
  if (isUnique && NEVER_UNIQUE.has(type))
    throw invalidField('isUnique', 'never_unique', `must be false: values of type ${type} cannot be unique`)
  if (isUnique && hasDefault(attribute))
    throw invalidField(
      'isUnique',
      'not_allowed',
      'must be false for an attribute with a default, which several records get: send {"defaultValue": null} first',
    )
}

/** Whether the attribute has the requested state, or is getting it. */
const isAsAsked = ({ isUnique, isBecomingUnique }: AttributeRow, asked: boolean): boolean =>
  asked ? isUnique || isBecomingUnique : !isUnique && !isBecomingUnique

/** @returns whether values are being compared, or keys are being removed */
async function start(
  tx: Db,
  org: number,
  { ref, ifMatch, isUnique }: { ref: AttributeRef; ifMatch: string | undefined; isUnique: boolean },
): Promise<boolean> {
  const { obj } = await lockObject(tx, org, ref.objectId)
  const attribute = await getAttribute(tx, org, ref)
  const { attr, isBecomingUnique } = attribute
  requireMatch(ifMatch, attributeEtag(attribute))
  if (isAsAsked(attribute, isUnique)) return isBecomingUnique
  requireChangeable(attribute, isUnique)
  if (!isBecomingUnique) requireNoChange(attribute)
  if (!isUnique) await endUniqueness(tx, org, attr)
  const phase = isUnique ? 'fill' : 'clear'
  await startKeyChange(tx, org, { attr, phase, isOfUniqueness: true, isSensitive: true })
  await renewVersion(tx, org, obj)
  return true
}

/**
 * Opens its own transactions.
 * @returns whether the attribute was changed
 * @throws 400 validation_error, 403 standard_object, 404 not_found, 409 duplicate_values, options_changing,
 * wrong_state, 412 precondition_failed, 503 unavailable
 */
export async function changeUnique(
  ctx: RecordContext,
  caller: Caller,
  { isUnique, ifMatch, ...ref }: UniqueChange,
): Promise<boolean> {
  if (isUnique === undefined) return false
  const { db } = ctx
  const { org } = caller
  const attribute = await getAttribute(db, org, ref)
  requireMatch(ifMatch, attributeEtag(attribute))
  if (attribute.isUnique === isUnique && isAsAsked(attribute, isUnique)) return false
  requireChangeable(attribute, isUnique)
  const { slug, attr } = attribute
  const notFinished = `The values of ${slug} are still being compared: send the same change again shortly`
  // changeRulesFirst has made the change before this transaction, and another request has changed it again.
  if (db.inTransaction) throw unavailable(notFinished)
  const { obj } = await getObject(db, org, ref.objectId)
  const check = (isSure: boolean) => requireDifferent(db, caller, { obj, attribute, rule: UNIQUE, isSure })
  if (isUnique && !attribute.isBecomingUnique) await check(false)
  if (!(await db.transaction((tx) => start(tx, org, { ref, ifMatch, isUnique })))) return false
  await fillWithin(ctx, attr, FILL_BUDGET_MS)
  const now = await getAttribute(db, org, ref)
  if (now.isUnique === isUnique) return true
  if (now.isBecomingUnique) throw unavailable(notFinished)
  await check(true)
  throw new AppError('wrong_state', 'Values or the attribute were changed meanwhile: send it again')
}
