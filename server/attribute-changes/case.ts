// Changes whether the case of unique values counts: config.caseSensitive of attributes. A change to ignoring case is
// refused if records have values that differ only in case.
import { CASED } from '../../contract/cased-types.ts'
import type { Caller } from '../base/caller.ts'
import { AppError, invalidField, unavailable } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import { requireMatch } from '../http/etag.ts'
import { requireNoChange } from '../model/attributes/service.ts'
import {
  type AttributeRef,
  type AttributeRow,
  attributeEtag,
  getAttribute,
} from '../model/attributes/store.ts'
import { getObject, lockObject, renewVersion } from '../model/objects/store.ts'
import type { RecordContext } from '../records/context.ts'
import { isCaseSensitive } from '../records/values/unique-keys.ts'
import { FILL_BUDGET_MS, fillWithin } from './key-job.ts'
import { startKeyChange } from './key-store.ts'
import { type Rule, requireDifferent } from './same-values.ts'

/** A requested change, with the If-Match header if it was sent. */
interface CaseChange extends AttributeRef {
  ifMatch: string | undefined
  config: { caseSensitive: boolean } | undefined
}

/** @throws 400 validation_error */
function requireCased({ slug, type, isUnique }: AttributeRow): void {
  if (isUnique && CASED.has(type)) return
  const message = `must be left out: ${slug} is ${isUnique ? `of type ${type}` : 'not unique'}, and case is a matter of unique attributes of type ${[...CASED].join(', ')}`
  throw invalidField('config', 'not_allowed', message)
}

const WITHOUT_CASE: Rule = {
  ignoresCase: true,
  refusal: (what, details) =>
    new AppError(
      'case_conflict',
      `Records have ${what} in different cases: change the values, or merge the records, then try again`,
      { ...details },
    ),
}

/** @returns whether the attribute has, or is getting, another rule */
async function start(
  tx: Db,
  org: number,
  { ref, ifMatch, isSensitive }: { ref: AttributeRef; ifMatch: string | undefined; isSensitive: boolean },
): Promise<boolean> {
  const { obj } = await lockObject(tx, org, ref.objectId)
  const attribute = await getAttribute(tx, org, ref)
  const { attr } = attribute
  requireMatch(ifMatch, attributeEtag(attribute))
  // The attribute may no longer be unique.
  requireCased(attribute)
  if (attribute.isUniqueChanging) requireNoChange(attribute)
  const isAsAsked = isCaseSensitive(attribute) === isSensitive
  if (attribute.isCaseChanging && isAsAsked)
    throw new AppError(
      'wrong_state',
      'The opposite change of this attribute is not finished: try again when it is',
    )
  if (isAsAsked) return false
  if (attribute.isCaseChanging) return true
  await startKeyChange(tx, org, { attr, phase: 'fill', isOfUniqueness: false, isSensitive })
  await renewVersion(tx, org, obj)
  return true
}

/**
 * Opens its own transactions.
 * @returns whether the rule of the attribute has changed
 * @throws 400 validation_error, 404 not_found, 409 case_conflict, wrong_state, 412 precondition_failed, 503 unavailable
 */
export async function changeCase(
  ctx: RecordContext,
  caller: Caller,
  { config, ifMatch, ...ref }: CaseChange,
): Promise<boolean> {
  if (!config) return false
  const { db } = ctx
  const { org } = caller
  const { caseSensitive: isSensitive } = config
  const attribute = await getAttribute(db, org, ref)
  requireCased(attribute)
  requireMatch(ifMatch, attributeEtag(attribute))
  const { obj } = await getObject(db, org, ref.objectId)
  const check = async (isSure: boolean) =>
    isSensitive ? undefined : requireDifferent(db, caller, { obj, attribute, rule: WITHOUT_CASE, isSure })
  const isChange = isCaseSensitive(attribute) !== isSensitive
  if (isChange && !attribute.isCaseChanging) await check(false)
  const { slug, attr } = attribute
  const notFinished = `The values of ${slug} are still being compared: send the same change again shortly`
  // changeRulesFirst has made the change before this transaction, and another request has changed it again.
  if (db.inTransaction && isChange) throw unavailable(notFinished)
  if (!(await db.transaction((tx) => start(tx, org, { ref, ifMatch, isSensitive })))) return false
  await fillWithin(ctx, attr, FILL_BUDGET_MS)
  const now = await getAttribute(db, org, ref)
  if (isCaseSensitive(now) === isSensitive) return true
  if (!now.isCaseChanging) await check(true)
  throw unavailable(notFinished)
}
