// The unique value that a path names: `email` and `ada@example.com` of /objects/people/records/by/email/ada@example.com.
import type { Problem } from '../../../contract/errors.ts'
import type { Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import { insteadTold } from '../../base/suggestions.ts'
import { toldNames } from '../../base/told-names.ts'
import type { ModelAttribute, ObjectModel } from '../../model/attributes/models.ts'
import { uniqueAttributes } from '../../model/attributes/unique-attributes.ts'
import { checkData } from '../validation/values.ts'
import type { withLookups } from '../write/sent-values.ts'
import type { UniqueValue } from '../write/store.ts'

export interface PathValue {
  slug: string
  value: string
}

export type SentLocale = Awaited<ReturnType<typeof withLookups>>

/** @throws 404 not_found, which lists the unique attributes */
export function pathAttribute(model: ObjectModel, caller: Caller, slug: string): ModelAttribute {
  const known = uniqueAttributes(model)
  const attribute = known.find((one) => one.slug === slug)
  if (attribute) return attribute
  const told = toldNames(
    caller,
    'attributes',
    known.map((one) => one.slug),
  )
  throw notFound('unique attribute', insteadTold(slug, told, 'check its slug'))
}

const EMPTY: Problem = { path: 'value', code: 'empty_text', message: 'must not be empty text' }

/** @returns the value in the form in which unique values are compared, or the problems of an invalid value */
export function pathMatch(
  model: ObjectModel,
  locale: SentLocale,
  { slug, value }: PathValue,
): UniqueValue | Problem[] {
  const { attr } = pathAttribute(model, locale, slug)
  const checked = checkData('patch', { [slug]: value }, model.attributes, locale)
  if ('problems' in checked) return checked.problems.map((problem) => ({ ...problem, path: 'value' }))
  const [unique] = checked.uniques
  return unique ? { attr, value: unique.value } : [EMPTY]
}

export const noneWith = () => notFound('record', 'check the value in the path, no record has it')
