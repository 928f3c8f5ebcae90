// Reads a reference by value: the unique attribute that it names, and the value in the form that is compared.

import { instead, listed } from '../../base/suggestions.ts'
import type { Asking } from '../../base/told-names.ts'
import { mayBeTold } from '../../base/told-names.ts'
import type { ModelAttribute } from '../../model/attributes/models.ts'
import { identifies } from '../../model/attributes/unique-attributes.ts'
import { checkData } from '../validation/values.ts'
import type { Locale, Refusal, ValueAttribute } from '../values/attribute.ts'

type Referred = ValueAttribute & Partial<Pick<ModelAttribute, 'isBecomingUnique'>>

const FORM = 'must be the id of a record, or one unique attribute of it with the value'

function notNamed(unique: readonly Referred[], asking: Asking, value: Record<string, unknown>): Refusal {
  const slugs = unique.map(({ slug }) => slug)
  const [slug, another] = Object.keys(value)
  const message = mayBeTold(asking, 'attributes')
    ? `${FORM}: ${another === undefined ? instead(slug, slugs) : `use ${listed(slugs)}`}`
    : FORM
  return { code: 'not_unique', message }
}

/** @param attributes of the object that is referred to */
export function readReference<Attribute extends Referred>(
  attributes: Iterable<Attribute>,
  locale: Asking & Locale,
  sent: Record<string, unknown>,
): { attribute: Attribute; unique: string; code?: never } | Refusal {
  const known = [...attributes].filter(identifies)
  const [slug = '', another] = Object.keys(sent)
  const attribute = known.find((one) => one.slug === slug)
  if (!attribute || another !== undefined) return notNamed(known, locale, sent)
  const checked = checkData('create', sent, new Map([[slug, { ...attribute, isRequired: true }]]), locale)
  if ('problems' in checked) {
    const [problem] = checked.problems
    const { path = '', code, message = '' } = problem ?? {}
    return { code: code as Refusal['code'], message, part: path.replace(/^data\./, '') }
  }
  const [unique] = checked.uniques
  if (!unique) return { code: 'empty_text', message: 'must not be empty text: send a value', part: slug }
  return { attribute, unique: unique.value }
}
