// Whether the case of unique values counts: config.caseSensitive of attributes. Where it no longer does, records whose
// values differ only in case refuse the change.
import { CASED } from '../../contract/cased-types.ts'
import { counted } from '../../contract/counted.ts'
import { type Caller, mayRead } from '../base/caller.ts'
import { AppError, invalidField, unavailable } from '../base/errors.ts'
import { TimeLimitError } from '../db/lease.ts'
import type { Db } from '../db/pool.ts'
import { requireMatch } from '../http/etag.ts'
import {
  type AttributeRef,
  type AttributeRow,
  attributeEtag,
  getAttribute,
} from '../model/attributes/store.ts'
import { getObject, lockObject, renewVersion } from '../model/objects/store.ts'
import type { RecordContext } from '../records/context.ts'
import { isCaseSensitive } from '../records/values/unique-keys.ts'
import { fillWithin } from './case-job.ts'
import { type SameWithoutCase, selectSameWithoutCase, startCaseChange } from './case-store.ts'

/** A change asked for, with the If-Match header if it came. */
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

/** How long a request looks for values in different cases before a change, which finds them too, but cannot list them. */
const CHECK_MS = 20_000

/** @returns undefined when it takes longer */
async function sameWithoutCase(
  db: Db,
  { org, obj, attribute }: { org: number; obj: number; attribute: AttributeRow },
): Promise<SameWithoutCase[] | undefined> {
  try {
    return await db.within(CHECK_MS, (one) => selectSameWithoutCase(one, { ...attribute, org, obj }))
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error
    if (error.isStalled) throw unavailable()
    return undefined
  }
}

const conflictOf = (what: string, details: object) =>
  new AppError(
    'case_conflict',
    `Records have ${what} in different cases: change the values, or merge the records, then try again`,
    { ...details },
  )

/**
 * @param isSure whether there are such values, also where it takes too long to find them
 * @throws 409 case_conflict
 */
async function requireDifferent(
  db: Db,
  caller: Caller,
  { obj, attribute, isSure }: { obj: number; attribute: AttributeRow; isSure: boolean },
): Promise<void> {
  const { slug } = attribute
  const found = await sameWithoutCase(db, { org: caller.org, obj, attribute })
  if (!found && isSure) throw conflictOf(`values of ${slug}`, { attributeSlug: slug })
  const [first] = found ?? []
  if (!first) return
  const { total } = first
  const conflicts = found?.map(({ values, recordIds }) => ({ values, recordIds }))
  const isTold = mayRead(caller, 'records:read')
  const what = counted(total, `value of ${slug}`, `values of ${slug}`)
  throw conflictOf(what, { attributeSlug: slug, ...(isTold && { conflicts }), total })
}

/** @returns whether the attribute has another rule, or is about to get it */
async function start(
  tx: Db,
  org: number,
  { ref, ifMatch, isSensitive }: { ref: AttributeRef; ifMatch: string | undefined; isSensitive: boolean },
): Promise<boolean> {
  const { obj } = await lockObject(tx, org, ref.objectId)
  const attribute = await getAttribute(tx, org, ref)
  const { attr } = attribute
  requireMatch(ifMatch, attributeEtag(attribute))
  const isAsAsked = isCaseSensitive(attribute) === isSensitive
  if (attribute.isCaseChanging && isAsAsked)
    throw new AppError(
      'wrong_state',
      'The opposite change of this attribute is not finished: try again when it is',
    )
  if (isAsAsked) return false
  if (attribute.isCaseChanging) return true
  await startCaseChange(tx, org, { attr, isSensitive })
  await renewVersion(tx, org, obj)
  return true
}

/** How long a request compares values; what remains is left to the background. */
const FILL_BUDGET_MS = 10_000

/**
 * In transactions of its own.
 * @returns whether the attribute has another rule now
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
    isSensitive ? undefined : requireDifferent(db, caller, { obj, attribute, isSure })
  const isChange = isCaseSensitive(attribute) !== isSensitive
  if (isChange && !attribute.isCaseChanging) await check(false)
  const { slug, attr } = attribute
  const notFinished = `The values of ${slug} are still being compared: send the same change again shortly`
  // Before the transaction it was changed; someone has changed it again.
  if (db.inTransaction && isChange) throw unavailable(notFinished)
  if (!(await db.transaction((tx) => start(tx, org, { ref, ifMatch, isSensitive })))) return false
  await fillWithin(ctx, attr, FILL_BUDGET_MS)
  const now = await getAttribute(db, org, ref)
  if (isCaseSensitive(now) === isSensitive) return true
  if (!now.isCaseChanging) await check(true)
  throw unavailable(notFinished)
}
