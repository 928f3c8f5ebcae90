// Compares records by rules: extracts the values that a rule compares, and returns the rules by which two records
// match. Pure.
import { hostNameOf } from '../../contract/host-name.ts'
import { textNaming } from '../../contract/record-name.ts'
import { webAddressOf } from '../records/values/web-address.ts'
import { haveSameNumbers, plainName, SIMILAR_FROM, trigramSimilarity, trigramsOf } from './names.ts'
import type { Rule } from './rules.ts'

/** Values of a record by slug: data, and the E.164 form of phone numbers. */
export interface RecordValues {
  data: Readonly<Record<string, unknown>>
  comparable: Readonly<Record<string, unknown>> | null
}

/** The values of a record that one rule compares. */
export interface Compared {
  /** Two records with an equal key match. */
  keys: readonly string[]
  /** A plain name; undefined if the rule compares no names or the record has none. */
  name?: string
  /** Id of the company. */
  company?: string | undefined
}

const NOTHING: Compared = { keys: [] }

const textsOf = (value: unknown): string[] => [value].flat().filter((one) => typeof one === 'string')

const WWW = /^www\./

/** The host in "https://www.acme.com/about" and "ACME.com": "acme.com". */
function hostOf(text: string): string | undefined {
  const address = webAddressOf(text.trim())
  return address === undefined ? undefined : new URL(address).hostname.replace(WWW, '')
}

function comparedName({ attribute, company }: Rule, data: RecordValues['data']): Compared {
  const name = plainName(textNaming(data[attribute.slug]), { isCompany: attribute.type === 'text' })
  if (name === '') return NOTHING
  const reference = company && data[company.slug]
  return { keys: [], name, company: typeof reference === 'string' ? reference : undefined }
}

function comparedBy(rule: Rule, { data, comparable }: RecordValues): Compared {
  const { slug, type } = rule.attribute
  if (rule.kind === 'similar_name') return comparedName(rule, data)
  if (rule.kind === 'same_phone') return { keys: textsOf(comparable?.[slug]) }
  const texts = textsOf(data[slug])
  if (rule.kind === 'same_email') return { keys: texts.map((text) => text.toLowerCase()) }
  const readHost = type === 'domain' ? hostNameOf : hostOf
  return { keys: texts.flatMap((text) => readHost(text) ?? []) }
}

/** Cached trigrams of names, which are compared many times. */
const trigrams = new WeakMap<Compared, readonly number[]>()

function trigramsIn(compared: Compared): readonly number[] {
  const found = trigrams.get(compared) ?? trigramsOf(compared.name ?? '')
  trigrams.set(compared, found)
  return found
}

const areSimilar = (a: Compared, b: Compared): boolean =>
  a.name === b.name ||
  (trigramSimilarity(trigramsIn(a), trigramsIn(b)) >= SIMILAR_FROM &&
    haveSameNumbers(a.name ?? '', b.name ?? ''))

function namesMatch({ company: hasCompany }: Rule, a: Compared, b: Compared): boolean {
  if (a.name === undefined || b.name === undefined) return false
  if (!hasCompany || (a.company !== undefined && a.company === b.company)) return areSimilar(a, b)
  const isMissing = a.company === undefined || b.company === undefined
  return isMissing && a.name === b.name
}

const isMatch = (rule: Rule, a: Compared, b: Compared): boolean =>
  rule.kind === 'similar_name' ? namesMatch(rule, a, b) : a.keys.some((key) => b.keys.includes(key))

/** The compared values of a record for all rules, in the order of the rules. */
export const comparedByAll = (rules: readonly Rule[], values: RecordValues): Compared[] =>
  rules.map((rule) => comparedBy(rule, values))

/** Ids of the rules by which two records match. */
export const reasonsOf = (rules: readonly Rule[], a: readonly Compared[], b: readonly Compared[]): string[] =>
  rules.flatMap((rule, place) => {
    const [one, other] = [a[place], b[place]]
    return one && other && isMatch(rule, one, other) ? [rule.id] : []
  })
