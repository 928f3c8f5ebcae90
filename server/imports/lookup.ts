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
  /** The slug of the attribute that it is a value of; undefined: a name, or any unique value. */
  by?: string | undefined
}

/** Attributes by whose unique values records of the object may be named, such as the domain of a company. */
const uniqueNames = (model: ObjectModel) =>
  uniqueAttributes(model).filter(({ type }) => TYPE_CONTRACTS[type].identifies !== undefined)

/** @param by the only attribute by whose values texts name records, if one is chosen */
const uniquesNamed = (target: ObjectModel, by: string | undefined) =>
  by === undefined ? uniqueNames(target) : uniqueAttributes(target).filter(({ slug }) => slug === by)

/** The unique values that a text would be. */
export const uniquesOf = (target: ObjectModel, caller: Caller, { text, by }: NamedText) =>
  uniquesNamed(target, by).flatMap(({ slug, type, attr }) => {
    const checked = checkData('patch', { [slug]: text }, target.attributes, caller)
    return 'problems' in checked
      ? []
      : checked.uniques.map(({ value }) => ({ attr, value, text, slug, type }))
  })

/** Without differences that a person does not see: one space where there are several. */
export const lookupName = (text: string): string => singleLine(text).replaceAll(/\s+/g, ' ')

/** A person may be named "Last, First", as in values. */
const readingOf = ({ type }: ModelAttribute, text: string): string =>
  type === 'name' ? Object.values(readName(text)).join(' ') : lookupName(text)

/** @returns the records of each text, as it is or as it is read */
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

/** By a unique value first: it names one record for certain, also where others have it as their name. */
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
