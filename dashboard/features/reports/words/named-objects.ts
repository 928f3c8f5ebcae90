// Names for the aliases and fields of a definition, from the names of objects and attributes, including deleted ones.
import type { Attribute } from '../../../../contract/attributes.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import type { ReportDefinition, ReportJoin } from '../../../../contract/reports.ts'
import { type LogicTree, leavesOf } from '../../../shared/filters/logic-tree.ts'
import { targetOf } from '../../../shared/values/attribute-config.ts'
import { partWords } from '../../../shared/values/part-words.ts'
import { inSentence, slugWords } from '../../workflows/node-names.ts'
import { isBackward, viaOf } from './joins.ts'

/** Objects by id and by slug. A missing object is deleted. */
export type ReportModel = ReadonlyMap<string, ObjectWithAttributes>

export interface NamedObject {
  object: ObjectWithAttributes | undefined
  singular: string
  plural: string
  /** Owner before the name of an attribute; '' for the source. */
  owner: string
}

type NamedObjects = ReadonlyMap<string, NamedObject>

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

const deletedName = (slug: string) => `${slugWords(slug)} (deleted)`

function namesOf(ref: string | undefined, model: ReportModel): Omit<NamedObject, 'owner'> {
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

const attributeOf = (namedObject: NamedObject | undefined, slug: string): Attribute | undefined =>
  namedObject?.object?.attributes.find((one) => one.slug === slug)

/** The name of the reference that a join follows. */
export function referenceWords(join: ReportJoin, namedObjects: NamedObjects): string {
  const { alias, slug } = viaOf(join)
  const attribute = attributeOf(namedObjects.get(alias), slug)
  return attribute ? inSentence(attribute.name) : deletedName(slug)
}

/** The object to which a backward join is attached: the named one, or the first object that its reference points to. */
export function joinedTo(
  definition: ReportDefinition,
  join: ReportJoin,
  namedObjects: NamedObjects,
): NamedObject | undefined {
  if (join.to !== undefined) return namedObjects.get(join.to)
  const reference = attributeOf(namedObjects.get(join.alias), viaOf(join).slug)
  const target = reference && targetOf(reference)
  if (target === undefined) return namedObjects.get(definition.source.alias)
  const before = [...namedObjects]
    .filter(([alias]) => alias !== join.alias && !alias.includes('.'))
    .map(([, namedObject]) => namedObject)
  return before.find(({ object }) => object?.id === target) ?? namedObjects.get(definition.source.alias)
}

function namedObjectOf(join: ReportJoin, namedObjects: NamedObjects, model: ReportModel): NamedObject {
  if (isBackward(join)) {
    const names = namesOf(join.objectId, model)
    return { ...names, owner: names.singular }
  }
  const { alias, slug } = viaOf(join)
  const reference = attributeOf(namedObjects.get(alias), slug)
  if (!reference) return { ...namesOf(undefined, model), singular: slugWords(slug), owner: slugWords(slug) }
  return { ...namesOf(targetOf(reference), model), owner: inSentence(reference.name) }
}

/** If two joins have the same name, uses their aliases instead. */
function withoutTwins(namedObjects: Map<string, NamedObject>): NamedObjects {
  const owners = [...namedObjects.values()].map(({ owner }) => owner)
  const isTwin = ({ owner }: NamedObject) => owners.filter((one) => one === owner).length > 1
  return new Map(
    [...namedObjects].map(([alias, namedObject]) => [
      alias,
      isTwin(namedObject) ? { ...namedObject, owner: slugWords(alias) } : namedObject,
    ]),
  )
}

/** The references that filters follow without a join, with keys such as `deal.company`, from the source outward. */
function* followed(
  { filters }: ReportDefinition,
  namedObjects: NamedObjects,
): Generator<{ key: string; reference: Attribute; owner: string }> {
  for (const leaf of leavesOf(filters as LogicTree<{ field?: unknown }> | undefined)) {
    const [alias = '', ...path] = String(leaf.field).split('.')
    let key = alias
    for (const slug of path.slice(0, -1)) {
      const from = namedObjects.get(key)
      const reference = attributeOf(from, slug)
      if (reference?.type !== 'reference') break
      key = `${key}.${slug}`
      yield { key, reference, owner: `${from?.owner ? `${from.owner}’s ` : ''}${inSentence(reference.name)}` }
    }
  }
}

/** The named objects by alias, and by path for filters along references. */
export function namedObjectsOf(definition: ReportDefinition, model: ReportModel): NamedObjects {
  const { source, joins = [] } = definition
  const namedObjects = new Map<string, NamedObject>([
    [source.alias, { ...namesOf(source.objectId, model), owner: '' }],
  ])
  for (const join of joins) namedObjects.set(join.alias, namedObjectOf(join, namedObjects, model))
  const found = new Map(withoutTwins(namedObjects))
  for (const { key, reference, owner } of followed(definition, found))
    found.set(key, { ...namesOf(targetOf(reference), model), owner })
  return found
}

/** Ids and slugs of the objects that the definition names or reaches by references of objects in `model`. */
export function objectsOf(definition: ReportDefinition, model: ReportModel): string[] {
  const { source, joins = [] } = definition
  const namedObjects = namedObjectsOf(definition, model)
  const led = joins.flatMap((join) => {
    if (isBackward(join)) return join.objectId ?? []
    const { alias, slug } = viaOf(join)
    const reference = attributeOf(namedObjects.get(alias), slug)
    return (reference && targetOf(reference)) ?? []
  })
  const along = [...followed(definition, namedObjects)].flatMap(({ reference }) => targetOf(reference) ?? [])
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

export interface FieldWords {
  /** `close date`, `company’s industry`, `city of the company’s address` */
  words: string
  attribute: Attribute | undefined
  /** Type for filters; for standard fields of records from RECORD_TYPES. */
  type: Attribute['type']
  namedObject: NamedObject | undefined
}

/** A part of a value, or the value itself. */
export function fieldWords(field: string, namedObjects: NamedObjects): FieldWords {
  const names = field.split('.')
  const ends = names.slice(0, -1).map((_, index) => names.slice(0, index + 1).join('.'))
  const alias = ends.findLast((one) => namedObjects.has(one)) ?? names[0] ?? ''
  const [slug = '', part] = field.slice(alias.length + 1).split('.')
  const namedObject = namedObjects.get(alias)
  const attribute = attributeOf(namedObject, slug)
  const own = attribute ? inSentence(attribute.name) : (RECORD_WORDS[slug] ?? deletedName(slug))
  const isRecord = slug === 'id' && !attribute
  const owned = namedObject?.owner ? `${namedObject.owner}’s ${own}` : own
  const name = isRecord ? namedObject?.owner || (namedObject?.singular ?? slugWords(alias)) : owned
  const words = part === undefined ? name : `${partWords(part)} of ${name}`
  const type = attribute?.type ?? RECORD_TYPES[slug] ?? 'text'
  return { words, attribute, type: part === undefined ? type : 'text', namedObject }
}
