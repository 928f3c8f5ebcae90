// Cells of reference columns that name a record, in place of its id.
import { TYPE_CONTRACTS } from '../../contract/attribute-types.ts'
import { isUuid } from '../../contract/common.ts'
import type { Problem } from '../../contract/errors.ts'
import { readName } from '../../contract/person-name.ts'
import { namingAttribute } from '../../contract/record-name.ts'
import { trimmed } from '../../contract/single-line.ts'
import { type ModelAttribute, type ObjectModel, withModel } from '../attributes/models.ts'
import type { Caller, Context } from '../context.ts'
import { isStorable } from '../http/storable.ts'
import type { Column } from '../records/import/columns.ts'
import { type Named, selectByName, selectByUnique } from '../records/lookup-store.ts'
import { checkData } from '../records/values.ts'

type Data = Record<string, unknown>

/** The record each text names, or why there is none, by text. */
type Found = Map<string, string | Problem>

const refusal = ({ slug }: ModelAttribute, message: string): Problem => ({
  path: `data.${slug}`,
  code: 'invalid_reference',
  message,
})

const SHOWN_CHARACTERS = 100
const shown = (text: string) => text.slice(0, SHOWN_CHARACTERS).toWellFormed()

const textsIn = (value: unknown): string[] =>
  [value].flat().filter((one): one is string => typeof one === 'string' && !isUuid(trimmed(one)))

/** Attributes by whose unique values records of the object may be named, such as the domain of a company. */
const uniqueNames = ({ attributes }: ObjectModel) =>
  [...attributes.values()].filter(
    ({ type, isUnique, isList }) => isUnique && !isList && TYPE_CONTRACTS[type].identifies !== undefined,
  )

/** The unique values that a text would be. */
function uniquesOf(target: ObjectModel, caller: Caller, text: string) {
  return uniqueNames(target).flatMap(({ slug, attr }) => {
    const checked = checkData('patch', { [slug]: text }, target.attributes, caller)
    return 'problems' in checked ? [] : checked.uniques.map(({ value }) => ({ attr, value, text }))
  })
}

/** A person may be named "Last, First", as in values. @returns the records of each text, as it is or as it is read */
async function selectNamed(
  ctx: Context,
  target: ObjectModel,
  attribute: ModelAttribute,
  texts: readonly string[],
): Promise<Named[]> {
  if (attribute.type !== 'name') return selectByName(ctx.db, target, { attribute, texts })
  const readings = new Map(texts.map((text) => [text, Object.values(readName(text)).join(' ')]))
  const all = [...new Set([...texts, ...readings.values()])]
  const named = Map.groupBy(await selectByName(ctx.db, target, { attribute, texts: all }), ({ text }) => text)
  return texts.flatMap((text) =>
    (named.get(text) ?? named.get(readings.get(text) ?? '') ?? []).map(({ id }) => ({ text, id })),
  )
}

/** By a unique value first: it names one record for certain, also where others have it as their name. */
function lookUp(
  ctx: Context,
  caller: Caller,
  targetRef: string,
  texts: readonly string[],
): Promise<{ target: ObjectModel; named: Named[] }> {
  return withModel(ctx, caller.org, targetRef, async (target) => {
    const values = texts.flatMap((text) => uniquesOf(target, caller, text))
    const byUnique = values.length === 0 ? [] : await selectByUnique(ctx.db, caller.org, values)
    const known = new Set(byUnique.map(({ text }) => text))
    const rest = texts.filter((text) => !known.has(text))
    const attribute = namingAttribute([...target.attributes.values()])
    const byName = attribute && rest.length > 0 ? await selectNamed(ctx, target, attribute, rest) : []
    return { target, named: [...byUnique, ...byName] }
  })
}

async function findTargets(
  ctx: Context,
  caller: Caller,
  attribute: ModelAttribute,
  texts: readonly string[],
): Promise<Found> {
  const { config } = attribute
  const good = texts.filter(isStorable)
  if (!config || !('allowed_object_id' in config) || good.length === 0) return new Map()
  const { target, named } = await lookUp(ctx, caller, config.allowed_object_id, good)
  const ids = Map.groupBy(named, ({ text }) => text)
  return new Map(
    good.map((text): [string, string | Problem] => {
      const found = new Set(ids.get(text)?.map(({ id }) => id))
      const [id] = found
      if (id === undefined)
        return [
          text,
          refusal(
            attribute,
            `no record of ${target.slug} is named "${shown(text)}": create it first, or correct the name`,
          ),
        ]
      if (found.size === 1) return [text, id]
      return [
        text,
        refusal(
          attribute,
          `several records of ${target.slug} match "${shown(text)}": use an id or a unique value`,
        ),
      ]
    }),
  )
}

function replaced(value: unknown, found: Found): unknown {
  if (Array.isArray(value)) return value.map((element) => replaced(element, found))
  return typeof value === 'string' ? (found.get(value) ?? value) : value
}

const problemsIn = (value: unknown, found: Found): Problem[] =>
  textsIn(value).flatMap((text) => {
    const one = found.get(text)
    return typeof one === 'object' ? [one] : []
  })

/** A row whose names are ids; those that name no record are left out of its data, and are its problems. */
export type Resolved<Row> = Row & { problems: Problem[] }

function resolvedRow<Row extends { data: Data }>(
  row: Resolved<Row>,
  slug: string,
  found: Found,
): Resolved<Row> {
  const { [slug]: value, ...others } = row.data
  if (value === undefined) return row
  const problems = problemsIn(value, found)
  if (problems.length > 0) return { ...row, data: others, problems: [...row.problems, ...problems] }
  return { ...row, data: { ...row.data, [slug]: replaced(value, found) } }
}

/** Replaces names by ids. */
export async function resolveReferences<Row extends { data: Data }>(
  ctx: Context,
  caller: Caller,
  { columns }: { columns: readonly Pick<Column, 'attribute'>[] },
  rows: readonly Row[],
): Promise<Resolved<Row>[]> {
  let resolved: Resolved<Row>[] = rows.map((row) => ({ ...row, problems: [] }))
  for (const { attribute } of columns.filter((column) => column.attribute.type === 'reference')) {
    const { slug } = attribute
    const texts = new Set(rows.flatMap(({ data }) => textsIn(data[slug])))
    if (texts.size === 0) continue
    const found = await findTargets(ctx, caller, attribute, [...texts])
    resolved = resolved.map((row) => resolvedRow(row, slug, found))
  }
  return resolved
}

/** As the bulk write takes them. */
export const problemsByPlace = (
  rows: readonly Pick<Resolved<object>, 'problems'>[],
): Map<number, readonly Problem[]> =>
  new Map(rows.flatMap(({ problems }, place) => (problems.length > 0 ? [[place, problems] as const] : [])))
