// What a search looks at in the records of one object: the attribute that names them, and what identifies them.
import sql, { join, type Sql } from 'sql-template-tag'
import { namingAttribute } from '../../contract/record-name.ts'
import type { ModelAttribute, ObjectModel } from '../attributes/models.ts'
import { compileFilter, conditionsOf, type RecordFilter } from '../records/filters.ts'
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

export interface Terms {
  /** The attribute that names the records, if it has one. */
  naming: ModelAttribute | undefined
  /** One filter for each attribute that is looked at, the naming one's first: values have the text, or begin with it. */
  parts: readonly RecordFilter[]
  beginnings: readonly RecordFilter[]
  /** Whether a record is found. */
  matches: Sql
  /** 0: its name begins with the text. 1: another of its values does. 2: none does. */
  rank: Sql
  /** The slug it was found by. */
  slug: Sql
}

function filterOf(
  attribute: ModelAttribute,
  operator: 'contains' | 'startsWith',
  text: string,
  locale: Locale,
): RecordFilter {
  const compiled = compileFilter({ attribute, operator, value: text }, locale)
  if ('problem' in compiled) throw new Error(`A search makes no filter: ${compiled.problem.message}`)
  return compiled
}

const anyOf = (filters: readonly RecordFilter[]) => sql`(${join(conditionsOf(filters), ' or ')})`

/** Conditions on `records r`; undefined when the object has nothing to look at. */
export function termsOf(model: ObjectModel, text: string, locale: Locale): Terms | undefined {
  const attributes = searchedAttributes(model, text)
  if (attributes.length === 0) return undefined
  const parts = attributes.map((one) => filterOf(one, 'contains', text, locale))
  const beginnings = attributes.map((one) => filterOf(one, 'startsWith', text, locale))
  const cases = parts.map(
    ({ condition }, place) => sql`when ${condition} then ${attributes[place]?.slug ?? ''}::text`,
  )
  const naming = namingAttribute([...model.attributes.values()])
  const [first] = beginnings
  const nameBegins = naming && first ? first.condition : sql`false`
  return {
    naming,
    parts,
    beginnings,
    matches: anyOf(parts),
    rank: sql`(case when ${nameBegins} then 0 when ${anyOf(beginnings)} then 1 else 2 end)`,
    slug: sql`(case ${join(cases, ' ')} end)`,
  }
}
