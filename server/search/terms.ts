// The attributes that a search reads in the records of one object: the naming attribute, and attributes that identify
// records.
import sql, { join, type Sql } from 'sql-template-tag'
import { identifies } from '../../contract/identifying.ts'
import { namingAttribute } from '../../contract/record-name.ts'
import type { ModelAttribute, ObjectModel } from '../model/attributes/models.ts'
import { compileTextSearch, isPhone } from '../records/filters/text-search.ts'
import { anyOf, compileFilter, type RecordFilter } from '../records/filters/to-sql.ts'
import type { Locale } from '../records/values/attribute.ts'

/** The searched attributes, the naming attribute first. */
function searchedAttributes(model: ObjectModel, text: string): ModelAttribute[] {
  const all = [...model.attributes.values()]
  const naming = namingAttribute(all)
  const phones = isPhone(text) ? all.filter(({ type }) => type === 'phone_number') : []
  const others = [...all.filter(identifies), ...phones].filter((attribute) => attribute !== naming)
  return naming ? [naming, ...others] : others
}

export interface Terms {
  naming: ModelAttribute | undefined
  /** The filter that hits must meet. */
  found: RecordFilter
  /** One filter for each word of the text; a hit must meet all. Empty if `found` does not search for words. */
  words: readonly RecordFilter[]
  /** One filter for each searched attribute, the naming attribute first: its value begins with the text. */
  beginnings: readonly RecordFilter[]
  /** 0: the name begins with the text. 1: another value begins with the text. 2: neither. */
  rank: Sql
  /** The slug of the matching attribute: the naming attribute if the name has all of the text. */
  slug: Sql
}

function beginning(attribute: ModelAttribute, text: string, locale: Locale): RecordFilter {
  const compiled = compileFilter({ attribute, operator: 'startsWith', value: text }, locale)
  if ('problem' in compiled) throw new Error(`A search makes no filter: ${compiled.problem.message}`)
  return compiled
}

/** Conditions on `records r`; undefined if the object has no attribute to search. */
export function termsOf(model: ObjectModel, text: string, locale: Locale): Terms | undefined {
  const attributes = searchedAttributes(model, text)
  const [main] = attributes
  if (!main) return undefined
  const search = compileTextSearch(attributes, text, locale)
  const beginnings = attributes.map((one) => beginning(one, text, locale))
  const naming = namingAttribute([...model.attributes.values()])
  const [first] = beginnings
  const others = attributes.filter((one) => one !== naming)
  const cases = [
    ...(naming ? [sql`when ${search.hasAll(naming)} then ${naming.slug}::text`] : []),
    ...others.map((one) => sql`when ${search.isIn(one)} then ${one.slug}::text`),
  ]
  return {
    naming,
    found: search.filter,
    words: search.words,
    beginnings,
    rank: sql`(case when ${naming && first ? first.condition : sql`false`} then 0 when ${anyOf(beginnings).condition} then 1 else 2 end)`,
    slug: sql`(case ${join(cases, ' ')} else ${main.slug}::text end)`,
  }
}
