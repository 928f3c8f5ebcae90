// Paths of filters along references: `deal.company.industry`, without a join. The values of a path are the values
// of all records that it leads to, as in filters of records.
import sql, { join, type Sql } from 'sql-template-tag'
import type { ModelAttribute, ObjectModel } from '../../model/attributes/models.ts'
import { fieldAt, isPathFault, type PathObject } from '../../records/filters/paths.ts'
import { allowedObject, elementsOf, type PlannedObject } from './objects.ts'
import type { Planning } from './planning.ts'

/** A reference, and the records that it leads to. */
interface Followed {
  from: PlannedObject
  reference: ModelAttribute
  to: PlannedObject
}

export type PlannedPath = readonly Followed[]

interface Asked {
  names: readonly string[]
  /** The path of the field in the definition, for problems. */
  path: string
  unknown(planning: Planning, model: ObjectModel, slug: string): string
}

// Aliases of records. No text of a request is used as an alias.
const ROWS = [sql`p1`, sql`p2`]

const pathObject = (planning: Planning, { slug, attributes }: ObjectModel): PathObject<ModelAttribute> => ({
  slug,
  attribute: (name) => attributes.get(name),
  target(reference) {
    const model = planning.model(allowedObject(reference))
    return model ? pathObject(planning, model) : undefined
  },
})

/** @param names after `object` @returns the object at the end of the references, and the remaining names */
export function planPath(planning: Planning, object: PlannedObject, { names, path, unknown }: Asked) {
  const found = fieldAt(pathObject(planning, object.model), names.join('.'), ({ slug }, name) => {
    const model = [...planning.known.values()].find((one) => one?.slug === slug) ?? object.model
    return unknown(planning, model, name)
  })
  if (isPathFault(found)) return planning.note(path, found.code, found.message)
  const along: Followed[] = []
  let end = object
  for (const [index, reference] of found.via.entries()) {
    const model = planning.model(allowedObject(reference))
    const row = ROWS[index]
    if (!model || !row) return undefined
    const to = { ...object, model, row }
    along.push({ from: end, reference, to })
    end = to
  }
  return { object: end, along, names: names.slice(along.length) }
}

/**
 * Whether one of the records that a path leads to meets a condition. PostgreSQL may turn it into a join, because
 * reports read all records. Filters of records prevent that, because they look up few records.
 */
export const existsAlong = (along: PlannedPath, condition: Sql): Sql =>
  along.reduceRight((met, { from, reference, to }) => {
    const { row, model } = to
    const own = sql`${row}.org = ${model.org} and ${row}.obj = ${model.obj}`
    const text = sql`${from.row}.data->>${reference.slug}::text`
    if (!reference.isList)
      return sql`exists (select from records ${row} where ${join([own, sql`${row}.id = (${text})::uuid`, met], ' and ')})`
    return sql`exists (
      select from ${elementsOf(from.row, reference.slug)} as e${row} (target)
      join records ${row} on ${own} and ${row}.id = e${row}.target::uuid where ${met})`
  }, condition)
