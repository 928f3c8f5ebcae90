// The objects of a report with their names: the source and the joined objects.

import type { Attribute } from '../../../../contract/attributes.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { JOIN_HOPS_MAX } from '../../../../contract/report-states.ts'
import type { ReportDefinition, ReportJoin } from '../../../../contract/reports.ts'
import { targetOf } from '../../../shared/values/attribute-config.ts'
import { isBackward, viaOf } from '../words/joins.ts'

/** Every object of the organization, with its attributes. */
export type Models = readonly ObjectWithAttributes[]

export interface ReportObject {
  alias: string
  /** `Company`, or `Contact` after the name of the reference. */
  name: string
  /** undefined: the object was deleted, or its join is invalid. */
  model: ObjectWithAttributes | undefined
  /** Number of references between the source and this object. */
  hops: number
  /** Index of the join; undefined for the source. */
  join: number | undefined
  parent: string | undefined
}

/** @param ref id or slug */
export const modelOf = (models: Models, ref: string | undefined): ObjectWithAttributes | undefined =>
  models.find(({ id, slug }) => id === ref || slug === ref)

export const referenceOf = (model: ObjectWithAttributes | undefined, slug: string): Attribute | undefined =>
  model?.attributes.find((one) => one.slug === slug && one.type === 'reference')

type Found = Pick<ReportObject, 'model' | 'parent'> & { called: string }

function follow(models: Models, before: readonly ReportObject[], join: ReportJoin): Found | undefined {
  const { alias, slug } = viaOf(join)
  if (!isBackward(join)) {
    const from = before.find((one) => one.alias === alias)
    const reference = referenceOf(from?.model, slug)
    if (!from || !reference) return undefined
    return { model: modelOf(models, targetOf(reference)), parent: alias, called: reference.name }
  }
  const model = modelOf(models, join.objectId)
  const reference = referenceOf(model, slug)
  if (!model || !reference) return undefined
  const targets = before.filter((one) => one.model?.id === targetOf(reference))
  const parent = join.to === undefined ? targets[0] : targets.find((one) => one.alias === join.to)
  return parent && { model, parent: parent.alias, called: model.singularName }
}

/** Adds a number to a name that is already used. */
function named(name: string, before: readonly ReportObject[]): string {
  const taken = before.map((one) => one.name)
  if (!taken.includes(name)) return name
  for (let count = 2; ; count++) if (!taken.includes(`${name} ${count}`)) return `${name} ${count}`
}

/** The source first, then joined objects in order. A missing object has no model. */
export function reportObjects(
  models: Models,
  { source, joins = [] }: Pick<ReportDefinition, 'source' | 'joins'>,
): ReportObject[] {
  const model = modelOf(models, source.objectId)
  const name = model?.singularName ?? source.objectId
  const objects: ReportObject[] = [
    { alias: source.alias, name, model, hops: 0, join: undefined, parent: undefined },
  ]
  for (const [index, join] of joins.entries()) {
    const found = follow(models, objects, join)
    const parent = objects.find(({ alias }) => alias === found?.parent)
    objects.push({
      alias: join.alias,
      name: named(found?.called ?? join.alias, objects),
      model: found?.model,
      hops: parent ? parent.hops + 1 : JOIN_HOPS_MAX,
      join: index,
      parent: found?.parent,
    })
  }
  return objects
}
