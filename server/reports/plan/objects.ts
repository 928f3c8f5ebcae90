// The objects of a report: the source and the joined objects, as a tree of references.
import sql, { join, type Sql } from 'sql-template-tag'
import { JOIN_HOPS_MAX } from '../../../contract/report-states.ts'
import type { ReportDefinition, ReportJoin } from '../../../contract/reports.ts'
import { instead, sentName, unknownAttribute } from '../../base/suggestions.ts'
import { toldNames } from '../../base/told-names.ts'
import type { ModelAttribute, ObjectModel } from '../../model/attributes/models.ts'
import type { Planning } from './planning.ts'

export interface PlannedObject {
  alias: string
  model: ObjectModel
  /** Number of references between the source and this object. */
  hops: number
  /** The alias of its records in the statement. */
  row: Sql
  /** How it is joined; undefined for the source. */
  join: Join | undefined
}

interface Join {
  parent: PlannedObject
  isInner: boolean
  isBackward: boolean
  reference: ModelAttribute
}

// Aliases are numbered, so that no text of a request is used as an alias.
const ROWS = [sql`t0`, sql`t1`, sql`t2`, sql`t3`, sql`t4`, sql`t5`, sql`t6`]

const REFERENCE = /^([a-z][a-z0-9_]*)\.([a-z][a-z0-9_]*)$/

interface Found {
  parent: PlannedObject
  model: ObjectModel
  reference: ModelAttribute
  isBackward: boolean
}

interface JoinContext {
  path: string
  earlier: readonly PlannedObject[]
}

function referenceOf(planning: Planning, model: ObjectModel, slug: string, path: string) {
  const attribute = model.attributes.get(slug)
  if (!attribute)
    return planning.note(
      path,
      'unknown_attribute',
      unknownAttribute(
        model.slug,
        slug,
        toldNames(planning.surroundings.locale, 'attributes', model.attributes.keys()),
      ),
    )
  if (attribute.type === 'reference') return attribute
  return planning.note(
    path,
    'not_a_reference',
    `must be a reference to records: ${slug} is of type ${attribute.type}`,
  )
}

export const allowedObject = ({ config }: Pick<ModelAttribute, 'config'>): string =>
  config && 'allowed_object_id' in config ? config.allowed_object_id : ''

function forward(planning: Planning, parent: PlannedObject, { slug, path }: { slug: string; path: string }) {
  const reference = referenceOf(planning, parent.model, slug, `${path}.via`)
  const model = reference && planning.model(allowedObject(reference))
  return reference && model ? { parent, model, reference, isBackward: false } : undefined
}

/** The joined object: the given one, or the only possible one. */
function targetOf(
  planning: Planning,
  { to }: ReportJoin,
  reference: ModelAttribute,
  { path, earlier }: JoinContext,
) {
  const targets = earlier.filter(({ model }) => model.obj === reference.targetObj)
  if (to !== undefined) {
    const named = targets.find(({ alias }) => alias === to)
    return (
      named ??
      planning.note(
        `${path}.to`,
        'unknown_alias',
        `${reference.slug} refers to no object with the alias ${sentName(to)}: ${instead(
          to,
          targets.map(({ alias }) => alias),
        )}`,
      )
    )
  }
  if (targets.length === 1) return targets[0]
  const message =
    targets.length === 0
      ? `is missing, and ${reference.slug} refers to none of the earlier objects: join the object that it refers to first`
      : `is required, since ${reference.slug} may refer to several: use ${targets.map(({ alias }) => alias).join(' or ')}`
  return planning.note(`${path}.to`, 'ambiguous', message)
}

function backward(
  planning: Planning,
  input: ReportJoin,
  slug: string,
  context: JoinContext,
): Found | undefined {
  const { path } = context
  const { objectId } = input
  if (objectId === undefined)
    return planning.note(
      `${path}.objectId`,
      'required',
      'is required: send the id or slug of the object whose records refer to the earlier one',
    )
  const model = planning.model(objectId)
  if (model === null)
    return planning.note(
      `${path}.objectId`,
      'unknown_object',
      `must be the id or slug of an object, not ${sentName(objectId)}`,
    )
  const reference = model && referenceOf(planning, model, slug, `${path}.via`)
  const parent = reference && targetOf(planning, input, reference, context)
  return parent && model && reference ? { parent, model, reference, isBackward: true } : undefined
}

function find(planning: Planning, input: ReportJoin, context: JoinContext): Found | undefined {
  const { path, earlier } = context
  const [, from, slug = ''] = REFERENCE.exec(input.via) ?? []
  if (from === undefined)
    return planning.note(
      `${path}.via`,
      'invalid_reference',
      'must be written as alias.attribute, such as deals.company',
    )
  if (from === input.alias) return backward(planning, input, slug, context)
  const parent = earlier.find(({ alias }) => alias === from)
  if (!parent)
    return planning.note(
      `${path}.via`,
      'unknown_alias',
      `no object before this join has the alias ${sentName(from)}: ${instead(
        from,
        earlier.map(({ alias }) => alias),
      )}`,
    )
  if (input.objectId !== undefined || input.to !== undefined)
    return planning.note(
      path,
      'unknown_field',
      'must not have objectId or to: these are for joins whose via begins with their own alias',
    )
  return forward(planning, parent, { slug, path })
}

function joined(planning: Planning, input: ReportJoin, context: JoinContext): PlannedObject | undefined {
  const { path, earlier } = context
  if (earlier.some(({ alias }) => alias === input.alias))
    return planning.note(
      `${path}.alias`,
      'duplicate',
      `must differ from the other aliases: ${input.alias} is already in use`,
    )
  const found = find(planning, input, context)
  const row = ROWS[earlier.length]
  if (!found || !row) return undefined
  const { parent, model, reference, isBackward } = found
  const hops = parent.hops + 1
  if (hops > JOIN_HOPS_MAX)
    return planning.note(
      `${path}.via`,
      'too_far',
      `must be at most ${JOIN_HOPS_MAX} references from the source: leave this join out`,
    )
  const how = { parent, isInner: input.type === 'inner', isBackward, reference }
  return { alias: input.alias, model, hops, row, join: how }
}

/** Returns the source first. Leaves out invalid joins, and adds a problem for each. */
export function planObjects(
  planning: Planning,
  { source, joins = [] }: Pick<ReportDefinition, 'source' | 'joins'>,
): PlannedObject[] {
  const model = planning.model(source.objectId)
  if (model === null)
    planning.note(
      'source.objectId',
      'unknown_object',
      `must be the id or slug of an object, not ${sentName(source.objectId)}`,
    )
  const [row] = ROWS
  if (!model || !row) return []
  const objects: PlannedObject[] = [{ alias: source.alias, model, hops: 0, row, join: undefined }]
  for (const [index, input] of joins.entries()) {
    const found = joined(planning, input, { path: `joins[${index}]`, earlier: objects })
    if (found) objects.push(found)
  }
  return objects
}

/** `one` and the objects of which each record of `one` is joined to at most one record. */
export function singleFrom(
  objects: readonly PlannedObject[],
  one: PlannedObject,
): ReadonlySet<PlannedObject> {
  const reached = new Set([one])
  // The tree is small; each round follows one more reference.
  for (let size = 0; size !== reached.size; ) {
    size = reached.size
    for (const child of objects) {
      if (!child.join) continue
      const { parent, isBackward, reference } = child.join
      const down = reached.has(parent) && !reached.has(child)
      const up = reached.has(child) && !reached.has(parent)
      if (!down && !up) continue
      if (!reference.isList && isBackward !== down) reached.add(down ? child : parent)
    }
  }
  return reached
}

/** Whether a record of `one` can be in several rows, because a join from it leads to many records. */
export const isMultiplied = (objects: readonly PlannedObject[], one: PlannedObject): boolean =>
  singleFrom(objects, one).size < objects.length

export const elementsOf = (row: Sql, slug: string): Sql =>
  sql`jsonb_array_elements_text(case when jsonb_typeof(${row}.data->${slug}::text) = 'array' then ${row}.data->${slug}::text end)`

/** The values that are read from the records of an object before the join, with their names. */
export type Extracts = ReadonlyMap<PlannedObject, readonly Sql[]>

/** Backward references of lists are joined without an extract. */
export const isExtracted = ({ join: how }: PlannedObject): boolean =>
  !(how?.isBackward && how.reference.isList)

const keyName = (child: PlannedObject): Sql => sql`f${child.row}`

/** The single reference that joins `child`, read from the object that has it. */
function keysHeldBy(object: PlannedObject, objects: readonly PlannedObject[]): Sql[] {
  return objects.flatMap((child) => {
    if (!child.join || child.join.reference.isList) return []
    const holder = child.join.isBackward ? child : child.join.parent
    return holder === object ? [sql`${keyOf(child)} as ${keyName(child)}`] : []
  })
}

function keyOf({ row, join: how }: PlannedObject): Sql {
  if (!how) return sql`null`
  const { isBackward, parent, reference } = how
  return sql`(${isBackward ? row : parent.row}.data->>${reference.slug}::text)::uuid`
}

interface Tables {
  objects: readonly PlannedObject[]
  extracts: Extracts | undefined
}

function tableOf(object: PlannedObject, { objects, extracts }: Tables): Sql {
  const { row, model } = object
  if (!extracts || !isExtracted(object)) return sql`records ${row}`
  const columns = [sql`${row}.*`, ...keysHeldBy(object, objects), ...(extracts.get(object) ?? [])]
  return sql`(
    select ${join(columns)} from records ${row}
    where ${row}.org = ${model.org} and ${row}.obj = ${model.obj} offset 0) as ${row}`
}

function joinSql(object: PlannedObject, tables: Tables): Sql {
  const { row, model, join: how } = object
  if (!how) return tableOf(object, tables)
  const { parent, isInner, isBackward, reference } = how
  const { org, obj } = model
  const kind = isInner ? sql`join` : sql`left join`
  const { slug } = reference
  if (isBackward && reference.isList)
    return sql`${kind} (
      select r.id, r.data, r.comparable, r.updated_at, r.created_by, reference.id as target from records r
      cross join lateral ${elementsOf(sql`r`, slug)} as reference (id)
      where r.org = ${org} and r.obj = ${obj}) as ${row} on ${row}.target::uuid = ${parent.row}.id`
  const table = tableOf(object, tables)
  const isRead = tables.extracts && isExtracted(object)
  const own = isRead ? sql`true` : sql`${row}.org = ${org} and ${row}.obj = ${obj}`
  if (reference.isList)
    return sql`${kind} lateral ${elementsOf(parent.row, slug)} as e${row} (target) on true
      ${kind} ${table} on ${own} and ${row}.id = e${row}.target::uuid`
  const holder = isBackward ? object : parent
  const key = tables.extracts && isExtracted(holder) ? sql`${holder.row}.${keyName(object)}` : keyOf(object)
  if (isBackward) return sql`${kind} ${table} on ${own} and ${key} = ${parent.row}.id`
  return sql`${kind} ${table} on ${own} and ${row}.id = ${key}`
}

/**
 * `records t0 left join records t1 on …`
 * @param extracts read before the join. This is faster if all records are read, because it keeps hashes small; with
 * few records, an index finds the referenced ones
 */
export const fromObjects = (objects: readonly PlannedObject[], extracts?: Extracts): Sql =>
  join(
    objects.map((object) => joinSql(object, { objects, extracts })),
    '\n',
  )

/** Conditions on the rows of the source. */
export const ofSource = ([source]: readonly PlannedObject[]): Sql =>
  source
    ? sql`${source.row}.org = ${source.model.org} and ${source.row}.obj = ${source.model.obj}`
    : sql`false`
