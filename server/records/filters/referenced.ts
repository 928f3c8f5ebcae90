// Loads the models of the objects that paths of filters refer to.
import { isUuid } from '../../../contract/common.ts'
import { ifNotFound } from '../../base/errors.ts'
import {
  type ModelAttribute,
  type ModelContext,
  type ObjectModel,
  requireCurrent,
  withModel,
} from '../../model/attributes/models.ts'
import { unparsedLeaves } from './parse.ts'
import { type PathObject, REFERENCES_MAX } from './paths.ts'

/** Models by the internal numbers of their objects. */
export type Referenced = ReadonlyMap<number, ObjectModel>

export const NONE_REFERENCED: Referenced = new Map()

/** An object whose attributes paths name, with its referenced objects as far as they are loaded. */
export const pathObject = (model: ObjectModel, referenced: Referenced): PathObject<ModelAttribute> => ({
  slug: model.slug,
  attribute: (slug) => model.attributes.get(slug),
  target({ targetObj }) {
    const target = targetObj === null ? undefined : referenced.get(targetObj)
    return target && pathObject(target, referenced)
  },
})

/** Maximum number of paths that are loaded for one request. Requests with more paths are rejected later. */
export const PATHS_MAX = 100

function pathsIn(asked: unknown): string[][] {
  const paths = new Set<string>()
  for (const { attributeSlug: slug } of unparsedLeaves(asked)) {
    if (paths.size >= PATHS_MAX) break
    if (typeof slug === 'string' && slug.includes('.')) paths.add(slug)
  }
  return [...paths].map((path) => path.split('.').slice(0, REFERENCES_MAX + 1))
}

/** @param objectId or its slug @returns undefined where the object does not exist */
export const currentModel = (
  ctx: ModelContext,
  org: number,
  objectId: string,
): Promise<ObjectModel | undefined> =>
  withModel(ctx, org, objectId, async (model) => {
    await requireCurrent(ctx.db, model)
    return model
  }).catch(ifNotFound(undefined))

/** @param paths each with the slugs of references, and then another name */
export async function loadPaths(
  ctx: ModelContext,
  model: ObjectModel,
  paths: readonly (readonly string[])[],
): Promise<Referenced> {
  const found = new Map<number, ObjectModel>()
  for (const path of paths) {
    let at: ObjectModel | undefined = model
    for (const slug of path.slice(0, -1)) {
      const { targetObj: obj = null, config = null }: Partial<ModelAttribute> = at?.attributes.get(slug) ?? {}
      const id: unknown = config && 'allowed_object_id' in config ? config.allowed_object_id : undefined
      if (obj === null || typeof id !== 'string' || !isUuid(id)) break
      at = found.get(obj) ?? (await currentModel(ctx, model.org, id))
      if (at) found.set(obj, at)
    }
  }
  return found
}

/** @param asked filters as they were sent */
export const loadReferenced = (ctx: ModelContext, model: ObjectModel, asked: unknown): Promise<Referenced> =>
  loadPaths(ctx, model, pathsIn(asked))
