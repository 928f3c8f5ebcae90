// Converts checked data to rows for the store.

import type { Caller } from '../../base/caller.ts'
import { invalid } from '../../base/errors.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { RECORD_TYPES } from '../types/types.ts'
import { type CheckedData, checkData, type RefusedData } from '../validation/values.ts'
import type { RecordDraft } from './store.ts'

export type Checked = CheckedData | RefusedData

const attributeOf = (model: ObjectModel, slug: string) => {
  const attribute = model.attributes.get(slug)
  if (!attribute) throw new Error(`The checked data names ${slug}, which the model lacks`)
  return attribute
}

const nulls = (slugs: readonly string[]) => slugs.map((slug) => [slug, null] as const)

const isEmpty = (object: object): boolean => {
  for (const _key in object) return false
  return true
}

/** Normal forms of set values, with null for cleared values; null if there is no value to compare. */
function comparableOf(model: ObjectModel, { comparable, cleared }: CheckedData): string | null {
  const clearedSlugs = cleared.filter((slug) => RECORD_TYPES[attributeOf(model, slug).type].hasComparable)
  if (clearedSlugs.length > 0)
    return JSON.stringify({ ...comparable, ...Object.fromEntries(nulls(clearedSlugs)) })
  return isEmpty(comparable) ? null : JSON.stringify(comparable)
}

/** The unique values and references of checked data, in the form of the store. */
export const claimsOf = (
  model: ObjectModel,
  { uniques, otherUniques, references }: Pick<CheckedData, 'uniques' | 'otherUniques' | 'references'>,
): Pick<RecordDraft, 'uniques' | 'links'> => ({
  // Lookups use the first value of an attribute.
  uniques: [...uniques, ...otherUniques].map(({ slug, value }) => ({
    attr: attributeOf(model, slug).attr,
    value,
  })),
  links: references.map(({ slug, target }) => {
    const { attr, targetObj } = attributeOf(model, slug)
    return { attr, target, targetObj: targetObj ?? 0 }
  }),
})

export function draftOf(model: ObjectModel, id: string, checked: CheckedData): RecordDraft {
  const { set, text, cleared, bareAmounts } = checked
  return {
    id,
    slugs: cleared.length === 0 ? Object.keys(set) : [...Object.keys(set), ...cleared],
    data: cleared.length === 0 ? text : JSON.stringify({ ...set, ...Object.fromEntries(nulls(cleared)) }),
    comparable: comparableOf(model, checked),
    bareAmounts: isEmpty(bareAmounts) ? undefined : bareAmounts,
    ...claimsOf(model, checked),
  }
}

/** The draft of a create, in which cleared slugs are absent. @throws 400 validation_error */
export function newDraft(
  model: ObjectModel,
  caller: Caller,
  { id, data }: { id: string; data: unknown },
): RecordDraft {
  return newDraftOf(model, id, requireValid(checkData('create', data, model.attributes, caller)))
}

export const newDraftOf = (model: ObjectModel, id: string, checked: CheckedData): RecordDraft =>
  draftOf(model, id, checked.cleared.length === 0 ? checked : { ...checked, cleared: [] })

export function requireValid(checked: Checked): CheckedData {
  if ('problems' in checked) throw invalid('validation_error', checked.problems)
  return checked
}
