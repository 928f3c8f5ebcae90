// Finds values that several records have, and that a new rule would not allow.
import { counted } from '../../contract/counted.ts'
import { type Caller, mayRead } from '../base/caller.ts'
import { type AppError, unavailable } from '../base/errors.ts'
import { TimeLimitError } from '../db/lease.ts'
import type { Db } from '../db/pool.ts'
import type { AttributeRow } from '../model/attributes/store.ts'
import { type SameValue, selectSameValues } from './key-store.ts'

export interface Rule {
  /** Whether values that differ only in case are equal. */
  ignoresCase: boolean
  /** Returns the error for the values. @param what such as "2 values of code" */
  refusal(what: string, details: object): AppError
}

/** Maximum time of the search before a change. The change finds equal values too, but cannot list them. */
const CHECK_MS = 20_000

interface Checked {
  obj: number
  attribute: AttributeRow
  rule: Rule
}

/** @returns undefined if the search takes longer */
async function sameValues(
  db: Db,
  org: number,
  { obj, attribute, rule: { ignoresCase } }: Checked,
): Promise<SameValue[] | undefined> {
  try {
    return await db.within(CHECK_MS, (one) => selectSameValues(one, { ...attribute, org, obj, ignoresCase }))
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error
    if (error.isStalled) throw unavailable()
    return undefined
  }
}

/**
 * @param isSure whether equal values certainly exist, even if the search takes too long
 * @throws 409 case_conflict, duplicate_values
 */
export async function requireDifferent(
  db: Db,
  caller: Caller,
  { isSure, ...checked }: Checked & { isSure: boolean },
): Promise<void> {
  const { attribute, rule } = checked
  const { slug } = attribute
  const found = await sameValues(db, caller.org, checked)
  const refusal = (what: string, details: object) => rule.refusal(what, { attributeSlug: slug, ...details })
  if (!found && isSure) throw refusal(`values of ${slug}`, {})
  const [first] = found ?? []
  if (!first) return
  const { total } = first
  const conflicts = found?.map(({ values, recordIds }) => ({ values, recordIds }))
  const isTold = mayRead(caller, 'records:read')
  const what = counted(total, `value of ${slug}`, `values of ${slug}`)
  throw refusal(what, { ...(isTold && { conflicts }), total })
}
