// What the aliases and fields of a definition are called: by the names of objects and attributes, also of those that
// are deleted.
import type { Attribute } from '../../../../contract/attributes.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import type { ReportDefinition, ReportJoin } from '../../../../contract/reports.ts'
import { type LogicTree, leavesOf } from '../../../shared/filters/logic-tree.ts'
import { targetOf } from '../../../shared/values/attribute-config.ts'
import { inSentence, slugWords } from '../../workflows/node-names.ts'

/** By id and by slug; an object that is not in it is deleted. */
export type ReportModel = ReadonlyMap<string, ObjectWithAttributes>

export interface Place {
  object: ObjectWithAttributes | undefined
  singular: string
  plural: string
  /** Before the name of an attribute; '' of the source. */
  owner: string
}

type Places = ReadonlyMap<string, Place>

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

const deletedName = (slug: string) => `${slugWords(slug)} (deleted)`

function namesOf(ref: string | undefined, model: ReportModel): Omit<Place, 'owner'> {
  const object = ref === undefined ? undefined : model.get(ref)
  if (object)
    return { object, singular: inSentence(object.singularName), plural: inSentence(object.pluralName) }
  const isNamed = ref !== undefined && !UUID.test(ref)
  return {
    object: undefined,
    singular: isNamed ? deletedName(ref) : 'record of a deleted object',
    plural: isNamed ? deletedName(ref) : 'records of a deleted object',
  }
}

/** `deal.company` → `['deal', 'company']` */
export function partsOf(field: string): [alias: string, slug: string, part: string | undefined] {
  const [alias = '', slug = '', part] = field.split('.')
  return [alias, slug, part]
}

const attributeOf = (place: Place | undefined, slug: string): Attribute | undefined =>
  place?.object?.attributes.find((one) => one.slug === slug)

/** Whether the reference is an attribute of the joined object itself. */
export const isBackward = ({ alias, via }: ReportJoin): boolean => partsOf(via)[0] === alias

/** The reference a join follows, by its name. */
export function referenceWords(join: ReportJoin, places: Places): string {
  const [alias, slug] = partsOf(join.via)
  const attribute = attributeOf(places.get(alias), slug)
  return attribute ? inSentence(attribute.name) : deletedName(slug)
}

/** Where a backward join comes from: what it names, or the only object before it that its reference leads to. */
export function joinedTo(definition: ReportDefinition, join: ReportJoin, places: Places): Place | undefined {
  if (join.to !== undefined) return places.get(join.to)
  const reference = attributeOf(places.get(join.alias), partsOf(join.via)[1])
  const target = reference && targetOf(reference)
  if (target === undefined) return places.get(definition.source.alias)
  const before = [...places]
    .filter(([alias]) => alias !== join.alias && !alias.includes('.'))
    .map(([, place]) => place)
  return before.find(({ object }) => object?.id === target) ?? places.get(definition.source.alias)
}

function placeOf(join: ReportJoin, places: Places, model: ReportModel): Place {
  if (isBackward(join)) {
    const names = namesOf(join.objectId, model)
    return { ...names, owner: names.singular }
  }
  const [alias, slug] = partsOf(join.via)
  const reference = attributeOf(places.get(alias), slug)
  if (!reference) return { ...namesOf(undefined, model), singular: slugWords(slug), owner: slugWords(slug) }
  return { ...namesOf(targetOf(reference), model), owner: inSentence(reference.name) }
}

/** Two joins of the same name are told apart by what the definition calls them. */
function withoutTwins(places: Map<string, Place>): Places {
  const owners = [...places.values()].map(({ owner }) => owner)
  const isTwin = ({ owner }: Place) => owners.filter((one) => one === owner).length > 1
  return new Map(
    [...places].map(([alias, place]) => [
      alias,
      isTwin(place) ? { ...place, owner: slugWords(alias) } : place,
    ]),
  )
}

/** The references that filters follow without a join, each after those that lead to it, by `deal.company`. */
function* followed(
  { filters }: ReportDefinition,
  places: Places,
): Generator<{ key: string; reference: Attribute; owner: string }> {
  for (const leaf of leavesOf(filters as LogicTree<{ field?: unknown }> | undefined)) {
    const [alias = '', ...path] = String(leaf.field).split('.')
    let key = alias
    for (const slug of path.slice(0, -1)) {
      const from = places.get(key)
      const reference = attributeOf(from, slug)
      if (reference?.type !== 'reference') break
      key = `${key}.${slug}`
      yield { key, reference, owner: `${from?.owner ? `${from.owner}’s ` : ''}${inSentence(reference.name)}` }
    }
  }
}

/** By alias, and by the path of a filter along references. */
export function placesOf(definition: ReportDefinition, model: ReportModel): Places {
  const { source, joins = [] } = definition
  const places = new Map<string, Place>([[source.alias, { ...namesOf(source.objectId, model), owner: '' }]])
  for (const join of joins) places.set(join.alias, placeOf(join, places, model))
  const found = new Map(withoutTwins(places))
  for (const { key, reference, owner } of followed(definition, found))
    found.set(key, { ...namesOf(targetOf(reference), model), owner })
  return found
}

/** Objects that are named, and those that references lead to as far as `model` knows them: ids and slugs. */
export function objectsOf(definition: ReportDefinition, model: ReportModel): string[] {
  const { source, joins = [] } = definition
  const places = placesOf(definition, model)
  const led = joins.flatMap((join) => {
    if (isBackward(join)) return join.objectId ?? []
    const [alias, slug] = partsOf(join.via)
    const reference = attributeOf(places.get(alias), slug)
    return (reference && targetOf(reference)) ?? []
  })
  const along = [...followed(definition, places)].flatMap(({ reference }) => targetOf(reference) ?? [])
  return [...new Set([source.objectId, ...led, ...along])]
}

const RECORD_WORDS: Readonly<Record<string, string>> = {
  created_at: 'creation date',
  updated_at: 'last change',
  created_by: 'creator',
}

const RECORD_TYPES: Readonly<Record<string, Attribute['type']>> = {
  created_at: 'date',
  updated_at: 'date',
  created_by: 'member',
}

/** `postalCode` → `postal code` */
const partWords = (part: string) => part.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)

export interface FieldWords {
  /** `close date`, `company’s industry`, `city of the company’s address` */
  words: string
  attribute: Attribute | undefined
  /** As filters know it; of a record's own fields as RECORD_TYPES has it. */
  type: Attribute['type']
  place: Place | undefined
}

/** A part of a value, or the value itself. */
export function fieldWords(field: string, places: Places): FieldWords {
  const names = field.split('.')
  const ends = names.slice(0, -1).map((_, index) => names.slice(0, index + 1).join('.'))
  const alias = ends.findLast((one) => places.has(one)) ?? names[0] ?? ''
  const [slug = '', part] = field.slice(alias.length + 1).split('.')
  const place = places.get(alias)
  const attribute = attributeOf(place, slug)
  const own = attribute ? inSentence(attribute.name) : (RECORD_WORDS[slug] ?? deletedName(slug))
  const isRecord = slug === 'id' && !attribute
  const owned = place?.owner ? `${place.owner}’s ${own}` : own
  const name = isRecord ? place?.owner || (place?.singular ?? slugWords(alias)) : owned
  const words = part === undefined ? name : `${partWords(part)} of ${name}`
  const type = attribute?.type ?? RECORD_TYPES[slug] ?? 'text'
  return { words, attribute, type: part === undefined ? type : 'text', place }
}
