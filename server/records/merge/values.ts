// Decides the values of a winner: chosen values first, then its own, then the first value of a loser. Pure.
import { isDeepStrictEqual } from 'node:util'
import type { Problem } from '../../../contract/errors.ts'
import type { MergeBody } from '../../../contract/merge.ts'
import { invalid } from '../../base/errors.ts'
import type { ModelAttribute } from '../../model/attributes/models.ts'
import { comparedHost } from '../values/compared-host.ts'

/** Values of a record, by slug. */
export interface MergeSide {
  id: string
  data: Readonly<Record<string, unknown>>
}

type Choices = Pick<MergeBody, 'data' | 'sources' | 'united'>
type Attributes = ReadonlyMap<string, ModelAttribute>

function* problemsOf(
  attributes: Attributes,
  ids: ReadonlySet<string>,
  { data = {}, sources = {}, united = [] }: Choices,
): Generator<Problem> {
  for (const [slug, id] of Object.entries(sources)) {
    const path = `sources.${slug}`
    if (!attributes.has(slug))
      yield {
        path,
        code: 'unknown_attribute',
        message: 'is not an active attribute of the object: leave it out',
      }
    else if (!ids.has(id.toLowerCase()))
      yield { path, code: 'not_allowed', message: `must be the id of one of the merged records, not "${id}"` }
    else if (Object.hasOwn(data, slug))
      yield { path, code: 'given_twice', message: 'is also given in data: send one of the two' }
  }
  for (const [index, slug] of united.entries()) {
    const path = `united.${index}`
    if (attributes.get(slug)?.isList !== true)
      yield {
        path,
        code: 'not_allowed',
        message: `must be an attribute with multiple values, not "${slug}": leave it out`,
      }
    else if (Object.hasOwn(data, slug) || Object.hasOwn(sources, slug))
      yield { path, code: 'given_twice', message: 'is also given in data or sources: send one of them' }
  }
}

/** @throws 400 validation_error */
export function requireChoices(attributes: Attributes, ids: readonly string[], choices: Choices): void {
  const problems = [...problemsOf(attributes, new Set(ids), choices)]
  if (problems.length > 0) throw invalid('validation_error', problems)
}

/** The value without references to the merged records, because the winner would refer to itself. */
function valueIn({ data }: MergeSide, attribute: ModelAttribute, ids: ReadonlySet<string>): unknown {
  const value = Object.hasOwn(data, attribute.slug) ? data[attribute.slug] : undefined
  if (value === undefined || attribute.type !== 'reference') return value
  const targets = [value].flat().filter((target) => !ids.has(String(target)))
  return targets.length === 0 ? undefined : attribute.isList ? targets : targets[0]
}

const unite = (values: readonly unknown[]): unknown[] => [
  ...new Map(values.flat().map((value) => [JSON.stringify(value), value])).values(),
]

/**
 * Two old domains, stored before domains were compared as host names, may have one host: the winner takes over the
 * claim.
 */
function sharesHost({ type }: ModelAttribute, [own, ...others]: readonly unknown[]): boolean {
  const [host, ...taken] = type === 'domain' ? [own, ...others].map((one) => comparedHost(String(one))) : []
  return host !== undefined && taken.includes(host)
}

/** @param sides the winner first, then the losers in their order @returns a patch for the winner */
export function mergedValues(
  attributes: Attributes,
  sides: readonly [MergeSide, ...MergeSide[]],
  { data = {}, sources = {}, united = [] }: Choices,
): Record<string, unknown> {
  const ids = new Set(sides.map(({ id }) => id))
  const patch = new Map<string, unknown>()
  for (const [slug, attribute] of attributes) {
    const own = Object.hasOwn(sides[0].data, slug)
    const values = sides.map((side) => valueIn(side, attribute, ids))
    const source = sources[slug]?.toLowerCase()
    const first = values.find((value) => value !== undefined)
    if (source !== undefined) patch.set(slug, values[sides.findIndex(({ id }) => id === source)] ?? null)
    else if (first !== undefined && united.includes(slug))
      patch.set(slug, unite(values.filter((value) => value !== undefined)))
    else if (own && !isDeepStrictEqual(values[0], sides[0].data[slug])) patch.set(slug, first ?? null)
    else if (first !== undefined && (!own || sharesHost(attribute, values))) patch.set(slug, first)
  }
  return { ...Object.fromEntries(patch), ...data }
}
