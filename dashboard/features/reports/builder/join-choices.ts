// The joins that can be added, with names: along a reference of an object, or backward along a reference to it.
import { JOIN_HOPS_MAX } from '../../../../contract/report-states.ts'
import type { ReportJoin } from '../../../../contract/reports.ts'
import { targetOf } from '../../../shared/values/attribute-config.ts'
import { inSentence } from '../../../shared/values/in-sentence.ts'
import { isBackward, viaOf } from '../words/joins.ts'
import { freeAlias } from './names.ts'
import { type Models, modelOf, type ReportObject, referenceOf } from './report-objects.ts'

export interface JoinChoice {
  /** `Company of deal`, `Deals that refer to company` */
  name: string
  join: ReportJoin
  /** Alias of the object that the join starts from. */
  from: string
  /** Id or slug of the joined object. */
  object: string
}

/** @param through name of the reference, if the object has several to the same target */
function backwardName(plural: string, target: ReportObject, through: string | undefined): string {
  const name = `${plural} that refer to ${inSentence(target.name)}`
  return through === undefined ? name : `${name} as ${inSentence(through)}`
}

function forwardChoices(models: Models, from: ReportObject, aliases: readonly string[]): JoinChoice[] {
  const references = from.model?.attributes.filter(({ type }) => type === 'reference') ?? []
  return references.flatMap((reference) => {
    if (!modelOf(models, targetOf(reference))) return []
    const join = { alias: freeAlias(reference.slug, aliases), via: `${from.alias}.${reference.slug}` }
    const name = `${reference.name} of ${inSentence(from.name)}`
    return [{ name, join, from: from.alias, object: targetOf(reference) ?? '' }]
  })
}

function backwardChoices(models: Models, target: ReportObject, objects: readonly ReportObject[]) {
  const aliases = objects.map(({ alias }) => alias)
  return models.flatMap((model) => {
    const references = model.attributes.filter((one) => targetOf(one) === target.model?.id)
    return references.map((reference): JoinChoice => {
      const alias = freeAlias(model.singularName, aliases)
      const isOneOfMany = objects.filter((one) => one.model?.id === target.model?.id).length > 1
      return {
        name: backwardName(model.pluralName, target, references.length > 1 ? reference.name : undefined),
        from: target.alias,
        object: model.slug,
        join: {
          alias,
          objectId: model.slug,
          via: `${alias}.${reference.slug}`,
          ...(isOneOfMany && { to: target.alias }),
        },
      }
    })
  })
}

/** A key of the meaning of a join, independent of its alias. */
function sense(join: ReportJoin, models: Models, parent: string | undefined): string {
  const { slug } = viaOf(join)
  const object = isBackward(join) ? modelOf(models, join.objectId)?.id : ''
  return `${parent} ${object} ${slug}`
}

/** All possible joins that the draft does not have yet. */
export function joinChoices(
  models: Models,
  objects: readonly ReportObject[],
  joins: readonly ReportJoin[],
): JoinChoice[] {
  const taken = new Set(joins.map((join, index) => sense(join, models, objects[index + 1]?.parent)))
  const aliases = objects.map(({ alias }) => alias)
  return objects
    .filter(({ model, hops }) => model && hops < JOIN_HOPS_MAX)
    .flatMap((object) =>
      [...forwardChoices(models, object, aliases), ...backwardChoices(models, object, objects)].filter(
        ({ join }) => !taken.has(sense(join, models, object.alias)),
      ),
    )
}

/** The name of an existing join. */
export function joinName(models: Models, objects: readonly ReportObject[], join: ReportJoin): string {
  const own = objects.find(({ alias, join: place }) => alias === join.alias && place !== undefined)
  const parent = objects.find(({ alias }) => alias === own?.parent)
  if (!own || !parent) return `${join.alias}: no longer available`
  const { slug } = viaOf(join)
  if (!isBackward(join)) return `${own.name} of ${inSentence(parent.name)}`
  const model = modelOf(models, join.objectId)
  const ways = model?.attributes.filter((one) => targetOf(one) === parent.model?.id).length ?? 0
  const through = ways > 1 ? referenceOf(model, slug)?.name : undefined
  return backwardName(model?.pluralName ?? own.name, parent, through)
}
