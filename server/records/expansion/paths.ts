// `expand` and `fields` of a read → the references to follow, and the model whose visible data has those fields.
import { EXPAND_MAX } from '../../../contract/limits.ts'
import { invalid } from '../../base/errors.ts'
import { sentName, unknownAttribute } from '../../base/suggestions.ts'
import { type Asking, toldNames } from '../../base/told-names.ts'
import type { ModelAttribute, ModelContext, ObjectModel } from '../../model/attributes/models.ts'

/** A reference to follow, and the references to follow from its records. */
export interface Expansion {
  attribute: ModelAttribute
  next: readonly Expansion[]
  /** Slugs of the attributes to show of its records; undefined: all. */
  fields: readonly string[] | undefined
}

/** Names as a query string has them, with commas, or as a list in a body. */
export type Names = string | readonly string[] | undefined

export interface Shown {
  expand?: Names
  fields?: Names
}

const DEPTH_MAX = 2

const namesOf = (names: Names = []): string[] => [
  ...new Set(typeof names === 'string' ? names.split(',').map((name) => name.trim()) : names),
]

const refusal = (path: 'expand' | 'fields', code: string, message: string) =>
  invalid('invalid_parameter', [{ path, code, message }])

const isFollowed = ({ type }: ModelAttribute): boolean => type === 'reference' || type === 'member'

function attributeOf(model: ObjectModel, asking: Asking, slug: string, path: 'expand' | 'fields') {
  const attribute = model.attributes.get(slug)
  if (attribute) return attribute
  const known = [...model.attributes.values()].filter((one) => path === 'fields' || isFollowed(one))
  const told = toldNames(
    asking,
    'attributes',
    known.map((one) => one.slug),
  )
  throw refusal(path, 'unknown_attribute', unknownAttribute(model.slug, slug, told))
}

function followedAttribute(model: ObjectModel, asking: Asking, slug: string): ModelAttribute {
  const attribute = attributeOf(model, asking, slug, 'expand')
  if (isFollowed(attribute)) return attribute
  throw refusal(
    'expand',
    'invalid_expand',
    `must name attributes of type reference or member: ${sentName(slug)} of ${model.slug} is of type ${attribute.type}`,
  )
}

/** The remaining segments of each path, by its first segment. */
function bySlug(paths: readonly string[][]): Map<string, string[][]> {
  const rests = new Map<string, string[][]>()
  for (const [slug = '', ...rest] of paths) {
    const known = rests.get(slug) ?? []
    rests.set(slug, rest.length > 0 ? [...known, rest] : known)
  }
  return rests
}

interface Following {
  model: ObjectModel
  asking: Asking
  /** The references to follow. */
  paths: readonly string[][]
  /** Attributes to show of the records that they lead to. */
  fields: readonly string[][]
}

/** Refuses an attribute of records that are not expanded. */
function refuseOther({ model, fields }: Following, followed: ReadonlyMap<string, unknown>): void {
  const other = fields.find(([slug = '']) => !followed.has(slug))
  if (!other) return
  throw refusal(
    'fields',
    'unknown_attribute',
    `must name attributes of ${model.slug}, or of records that expand names: ${sentName(other.join('.'))} is neither`,
  )
}

/** The attributes to show of the records of a reference. */
function shownFields(
  { model, asking, fields }: Pick<Following, 'model' | 'asking' | 'fields'>,
  next: readonly Expansion[],
): string[] | undefined {
  if (fields.length === 0) return undefined
  const own = fields.filter((path) => path.length === 1).flat()
  const named = own.map((slug) => attributeOf(model, asking, slug, 'fields').slug)
  return [...named, ...next.map(({ attribute }) => attribute.slug)]
}

async function followOne(
  ctx: ModelContext,
  { model, asking, paths, fields }: Following,
  attribute: ModelAttribute,
): Promise<Expansion> {
  const { config, slug } = attribute
  if (paths.length === 0 && fields.length === 0) return { attribute, next: [], fields: undefined }
  const target = config && 'allowed_object_id' in config ? config.allowed_object_id : undefined
  if (!target)
    throw refusal(
      paths.length > 0 ? 'expand' : 'fields',
      'invalid_expand',
      paths.length > 0
        ? `must end at ${sentName(slug)}: members have no attributes to expand`
        : `must not name a part of ${sentName(slug)}: members have no attributes to choose`,
    )
  const of = { model: await ctx.models.get(ctx.db, model.org, target), asking }
  const next = await follow(ctx, { ...of, paths, fields: fields.filter((path) => path.length > 1) })
  return { attribute, next, fields: shownFields({ ...of, fields }, next) }
}

async function follow(ctx: ModelContext, following: Following): Promise<Expansion[]> {
  const { model, asking, paths, fields } = following
  const followed = bySlug(paths)
  refuseOther(following, followed)
  const expansions: Expansion[] = []
  for (const [slug, rests] of followed) {
    const attribute = followedAttribute(model, asking, slug)
    const inner = fields.filter(([first]) => first === slug).map(([, ...rest]) => rest)
    expansions.push(await followOne(ctx, { model, asking, paths: rests, fields: inner }, attribute))
  }
  return expansions
}

/** @throws 400 invalid_parameter */
function expansionsOf(
  ctx: ModelContext,
  model: ObjectModel,
  { asking, expand, fields }: { asking: Asking; expand: Names; fields: readonly string[][] },
): Promise<Expansion[]> {
  const paths = namesOf(expand).map((path) => path.split('.'))
  if (paths.length > EXPAND_MAX)
    throw refusal('expand', 'too_many', `must have at most ${EXPAND_MAX} paths, not ${paths.length}`)
  const long = paths.find((path) => path.length > DEPTH_MAX)
  if (long)
    throw refusal(
      'expand',
      'too_deep',
      `must have paths of at most ${DEPTH_MAX} attributes, such as "company.owner", not ${sentName(long.join('.'))}`,
    )
  return follow(ctx, { model, asking, paths, fields })
}

/** The model whose visible data has `fields` and the expanded attributes. @throws 400 invalid_parameter */
function withFields(
  model: ObjectModel,
  {
    asking,
    fields,
    expansions,
  }: { asking: Asking; fields: readonly string[] | undefined; expansions: readonly Expansion[] },
): ObjectModel {
  if (fields === undefined) return model
  const kept = new Set(expansions.map(({ attribute }) => attribute.slug))
  for (const slug of fields) kept.add(attributeOf(model, asking, slug, 'fields').slug)
  const others = [...model.attributes.keys()].filter((slug) => !kept.has(slug))
  return { ...model, hiddenSlugs: [...model.hiddenSlugs, ...others] }
}

/** How a read shows records: with fewer fields, and with expanded references. */
export interface ShownAs {
  model: ObjectModel
  expansions: readonly Expansion[]
  /** Whether all fields are shown. */
  isWhole: boolean
}

/** @throws 400 invalid_parameter */
export async function shownAs(
  ctx: ModelContext,
  asking: Asking,
  model: ObjectModel,
  { fields, expand }: Shown,
): Promise<ShownAs> {
  if (fields === undefined && expand === undefined) return { model, expansions: [], isWhole: true }
  const named = fields === undefined ? undefined : namesOf(fields)
  const paths = (named ?? []).filter((name) => name.includes('.')).map((name) => name.split('.'))
  const expansions = await expansionsOf(ctx, model, { asking, expand, fields: paths })
  const own = named?.filter((name) => !name.includes('.'))
  // Only attributes of expanded records: all attributes of the records themselves stay.
  const shown = withFields(model, { asking, fields: own?.length === 0 ? undefined : own, expansions })
  return { model: shown, expansions, isWhole: shown === model }
}
