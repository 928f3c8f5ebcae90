// Finds the records that texts name: by a unique value, else by their name.
import { TYPE_CONTRACTS } from '../../contract/attribute-types.ts'
import { readName } from '../../contract/person-name.ts'
import { namingAttribute } from '../../contract/record-name.ts'
import { singleLine } from '../../contract/single-line.ts'
import type { Caller } from '../base/caller.ts'
import { type ModelAttribute, type ObjectModel, withModel } from '../model/attributes/models.ts'
import { uniqueAttributes } from '../model/attributes/unique-attributes.ts'
import { type Named, selectByName, selectByUnique } from '../records/read/lookup-store.ts'
import { checkData } from '../records/validation/values.ts'
import type { ImportContext } from './context.ts'

export interface NamedText {
  text: string
  /** Slug of the attribute whose value the text is; undefined if it is a name or any unique value. */
  by?: string | undefined
}

/** Attributes whose unique values may name records of the object, such as the domain of a company. */
const uniqueNames = (model: ObjectModel) =>
  uniqueAttributes(model).filter(({ type }) => TYPE_CONTRACTS[type].identifies !== undefined)

/** @param by slug of the only attribute whose values may name records, if one is chosen */
const uniquesNamed = (target: ObjectModel, by: string | undefined) =>
  by === undefined ? uniqueNames(target) : uniqueAttributes(target).filter(({ slug }) => slug === by)

/** The unique values that a text may be read as. */
export const uniquesOf = (target: ObjectModel, caller: Caller, { text, by }: NamedText) =>
  uniquesNamed(target, by).flatMap(({ slug, type, attr }) => {
    const checked = checkData('patch', { [slug]: text }, target.attributes, caller)
    return 'problems' in checked
      ? []
      : checked.uniques.map(({ value }) => ({ attr, value, text, slug, type }))
  })

/** Removes differences that people do not see: several spaces become one. */
export const lookupName = (text: string): string => singleLine(text).replaceAll(/\s+/g, ' ')

/** A person may be named "Last, First", as in values. */
const readingOf = ({ type }: ModelAttribute, text: string): string =>
  type === 'name' ? Object.values(readName(text)).join(' ') : lookupName(text)

/** @returns the records whose name is the text itself, or the text as `readingOf` reads it */
async function selectNamed(
  ctx: ImportContext,
  target: ObjectModel,
  attribute: ModelAttribute,
  texts: readonly string[],
): Promise<Named[]> {
  const readings = new Map(texts.map((text) => [text, readingOf(attribute, text)]))
  const all = [...new Set([...texts, ...readings.values()])]
  const named = Map.groupBy(await selectByName(ctx.db, target, { attribute, texts: all }), ({ text }) => text)
  return texts.flatMap((text) =>
    (named.get(text) ?? named.get(readings.get(text) ?? '') ?? []).map(({ id }) => ({ text, id })),
  )
}

/** Looks for a unique value first: it identifies one record, even if other records have it as their name. */
export function lookUp(
  ctx: ImportContext,
  caller: Caller,
  targetRef: string,
  { texts, by }: { texts: readonly string[]; by?: string | undefined },
): Promise<{ target: ObjectModel; named: Named[] }> {
  return withModel(ctx, caller.org, targetRef, async (target) => {
    const values = texts.flatMap((text) => uniquesOf(target, caller, { text, by }))
    const byUnique = values.length === 0 ? [] : await selectByUnique(ctx.db, caller.org, values)
    const known = new Set(byUnique.map(({ text }) => text))
    const rest = texts.filter((text) => !known.has(text))
    const attribute = namingAttribute([...target.attributes.values()])
    const isNamed = attribute && (by === undefined || attribute.slug === by)
    const byName = isNamed && rest.length > 0 ? await selectNamed(ctx, target, attribute, rest) : []
    return { target, named: [...byUnique, ...byName] }
  })
}
