// Fields of an export: attributes, parts of their values, and attributes of the records that a reference leads to.
import { invalid } from '../../base/errors.ts'
import { sentName, unknownAttribute } from '../../base/suggestions.ts'
import { type Asking, toldNames } from '../../base/told-names.ts'
import type { ModelAttribute, ModelContext, ObjectModel } from '../../model/attributes/models.ts'
import { type FieldPath, fieldAt, isPathFault, type PathFault, REFERENCES_MAX } from '../filters/paths.ts'
import { loadPaths, pathObject, type Referenced } from '../filters/referenced.ts'

export interface ExportField {
  /** The slug of an attribute, or a path: `address.city`, `company.domain`, `company.address.city`. */
  path: string
  /** The reference that the path follows. */
  via: ModelAttribute | undefined
  /** An attribute of the object, or of the referenced object. */
  attribute: ModelAttribute
  part: string | undefined
}

interface Known {
  model: ObjectModel
  referenced: Referenced
  /** Whose rights decide whether an error names attributes. Without a caller it names none. */
  asking?: Asking
}

export const isPath = (field: string): boolean => field.includes('.')

export const firstSlug = (path: string): string => path.split('.', 1)[0] ?? ''

/** Loads the objects of two references, so that a path that follows both is refused with the reason. */
const loadTargets = (ctx: ModelContext, model: ObjectModel, paths: readonly string[]): Promise<Referenced> =>
  loadPaths(
    ctx,
    model,
    paths.map((path) => path.split('.').slice(0, REFERENCES_MAX + 1)),
  )

const tooDeep = (path: string): PathFault => ({
  code: 'too_deep',
  message: `must follow at most one reference, such as "company.domain", not ${sentName(path)}`,
})

function unknownIn({ model, referenced, asking }: Known, object: string, slug: string): string {
  const models = [model, ...referenced.values()]
  const known = models.find((one) => one.slug === object)?.attributes.keys() ?? []
  return unknownAttribute(object, slug, toldNames(asking, 'attributes', known))
}

/** Finds the attribute again, because a path to the amount of a currency has no part. */
function foundField(known: Known, path: string, { via }: FieldPath<ModelAttribute>): ExportField | PathFault {
  const [reference, ...others] = via
  if (others.length > 0) return tooDeep(path)
  const { model, referenced } = known
  const owner = (reference ? referenced.get(reference.targetObj ?? Number.NaN) : model) ?? model
  const [slug = '', part] = path.split('.').slice(via.length)
  const attribute = owner.attributes.get(slug)
  // Filters name the id and the times of records too, which are columns of every export.
  if (!attribute) return { code: 'unknown_attribute', message: unknownIn(known, owner.slug, slug) }
  return { path, via: reference, attribute, part }
}

function fieldOf(known: Known, path: string): ExportField | PathFault {
  const unknown = ({ slug: object }: { slug: string }, slug: string) => unknownIn(known, object, slug)
  const found = fieldAt(pathObject(known.model, known.referenced), path, unknown)
  return isPathFault(found) ? found : foundField(known, path, found)
}

/** @param paths as they were sent in `fields` @throws 400 validation_error */
export async function readFields(
  ctx: ModelContext,
  asking: Asking,
  model: ObjectModel,
  paths: readonly string[],
): Promise<ExportField[]> {
  const known = { model, asking, referenced: await loadTargets(ctx, model, paths) }
  return [...new Set(paths)].map((path) => {
    const field = fieldOf(known, path)
    if (!isPathFault(field)) return field
    const { code, message } = field
    throw invalid('validation_error', [{ path: `fields[${paths.indexOf(path)}]`, code, message }])
  })
}

/** The fields whose attributes still exist. */
export async function currentFields(
  ctx: ModelContext,
  model: ObjectModel,
  paths: readonly string[],
): Promise<ExportField[]> {
  const known = { model, referenced: await loadTargets(ctx, model, paths) }
  return paths
    .map((path) => fieldOf(known, path))
    .filter((field): field is ExportField => !isPathFault(field))
}

/** The model whose visible data has only the attributes that the paths begin with. */
export function withOnlyFields(model: ObjectModel, paths: readonly string[]): ObjectModel {
  const kept = new Set(paths.map(firstSlug))
  const others = [...model.attributes.keys()].filter((slug) => !kept.has(slug))
  return { ...model, hiddenSlugs: [...model.hiddenSlugs, ...others] }
}
