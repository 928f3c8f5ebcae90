// What a search looks at in the records of one object: the attribute that names them, and what identifies them.
import sql, { join, type Sql } from 'sql-template-tag'
import { namingAttribute } from '../../contract/record-name.ts'
import type { ModelAttribute, ObjectModel } from '../attributes/models.ts'
import { compileFilter } from '../records/filters.ts'
import type { Locale } from '../records/values.ts'

const isIdentifying = ({ type, isUnique }: ModelAttribute) =>
  type === 'email' || (type === 'text' && isUnique)

const PHONE = /^[\d\s()+./-]+$/
/** Fewer digits are in every other number. */
const PHONE_DIGITS_MIN = 3

const isPhone = (text: string) => PHONE.test(text) && text.replaceAll(/\D/g, '').length >= PHONE_DIGITS_MIN

/** Attributes that are looked at, the naming one first. */
export function searchedAttributes(model: ObjectModel, text: string): ModelAttribute[] {
  const all = [...model.attributes.values()]
  const naming = namingAttribute(all)
  const phones = isPhone(text) ? all.filter(({ type }) => type === 'phone_number') : []
  const others = [...all.filter(isIdentifying), ...phones].filter((attribute) => attribute !== naming)
  return naming ? [naming, ...others] : others
}

interface Terms {
  /** Whether a record is found. */
  matches: Sql
  /** Whether one of its values begins with the text. */
  isPrefix: Sql
  /** The slug it was found by. */
  slug: Sql
}

function conditionOf(
  attribute: ModelAttribute,
  operator: 'contains' | 'startsWith',
  text: string,
  locale: Locale,
) {
  const compiled = compileFilter({ attribute, operator, value: text }, locale)
  if ('problem' in compiled) throw new Error(`A search makes no filter: ${compiled.problem.message}`)
  return compiled.condition
}

/** Conditions on `records r`; undefined when the object has nothing to look at. */
export function termsOf(model: ObjectModel, text: string, locale: Locale): Terms | undefined {
  const attributes = searchedAttributes(model, text)
  if (attributes.length === 0) return undefined
  const contains = attributes.map((one) => ({ one, condition: conditionOf(one, 'contains', text, locale) }))
  const starts = attributes.map((one) => conditionOf(one, 'startsWith', text, locale))
  const cases = contains.map(({ one, condition }) => sql`when ${condition} then ${one.slug}::text`)
  return {
    matches: sql`(${join(
      contains.map(({ condition }) => condition),
      ' or ',
    )})`,
    isPrefix: sql`(${join(starts, ' or ')})`,
    slug: sql`(case ${join(cases, ' ')} end)`,
  }
}
