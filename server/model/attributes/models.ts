// The model of an object: its row and attributes, cached per process.
//
// A cached model is never trusted: every statement compiled from it also compares `version` with the object's row in
// its own snapshot, and finds nothing if the version has changed. The caller then loads the model again. So a change of
// an object or attribute takes effect on every node immediately, without a prior read and without messages between
// nodes.
import sql from 'sql-template-tag'
import type { AttributeType } from '../../../contract/attribute-types.ts'
import type { AttributeConfig } from '../../../contract/attributes.ts'
import { isUuid } from '../../../contract/common.ts'
import { AppError, unavailable } from '../../base/errors.ts'
import type { JsonValue } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import {
  hasUniqueKeys,
  isBecomingUnique,
  isCaseChanging,
  readDefaultValue,
} from '../objects/attribute-columns.ts'
import { naming } from '../objects/naming.ts'
import { noObject } from '../objects/no-object.ts'
import { type ObjectIndex, type ObjectIndexRow, objectIndex } from './object-index.ts'

export interface ModelAttribute {
  attr: number
  id: string
  name: string
  slug: string
  type: AttributeType
  isRequired: boolean
  /** Written values claim keys, so that no other record can have them. */
  isUnique: boolean
  isList: boolean
  /** Whether its value is the name of a record. */
  isNaming: boolean
  config: AttributeConfig
  /** The canonical value; null for no default. */
  defaultValue?: JsonValue
  /** Internal number of the object that a reference points to. */
  targetObj: number | null
  /** Records are getting keys by the other rule about the case of unique values (attribute-changes/key-job.ts). */
  isCaseChanging?: boolean
  /** Not all records have keys yet, so no record is found by its value. */
  isBecomingUnique?: boolean
  /** Changed options that records may still contain, each with the option that replaces it in reads. */
  renaming?: OptionNames | undefined
}

/** Former options, each with the option that replaces it; null removes the value. */
export type OptionNames = Readonly<Record<string, string | null>>

export interface ObjectModel {
  org: number
  obj: number
  id: string
  slug: string
  type: 'standard' | 'custom'
  isActive: boolean
  version: number
  /** Slugs whose values are still in records but are hidden. */
  hiddenSlugs: string[]
  /** Options that are being replaced in records, by slug. */
  renaming: Readonly<Record<string, OptionNames>> | null
  /** Active attributes by slug, in displayOrder. */
  attributes: ReadonlyMap<string, ModelAttribute>
  /** Index rows and counters; undefined while the object is small. */
  index: ObjectIndex | undefined
}

export interface Models {
  /** `ref` is the object's id or slug. @throws 404 not_found */
  get(db: Db, org: number, ref: string): Promise<ObjectModel>
  forget(model: ObjectModel): void
}

/** The context that loads models of objects. */
export interface ModelContext {
  db: Db
  models: Models
}

/** Thrown if a statement finds that its model is outdated: withModel then loads the model again. */
export class StaleModel extends Error {
  override readonly name = 'StaleModel'
}

const CACHED_MODELS_MAX = 20_000
const SLUG = /^[a-z][a-z0-9_]{0,62}$/

type AttributeItem = Omit<ModelAttribute, 'defaultValue'> & { defaultValue: string | null }

type Row = Omit<ObjectModel, 'attributes' | 'index'> & { attributes: AttributeItem[]; index: ObjectIndexRow }

const indexColumn = sql`
  json_build_object('state', o.index_state, 'attributes', coalesce((
    select json_agg(json_build_object(
      'attr', a.attr, 'slug', a.slug, 'type', a.type, 'isList', a.is_list,
      'state', a.index_state, 'search', a.search_state, 'counting', a.counting, 'isCounted', a.is_counted, 'keepsMissing', a.keeps_missing,
      'isRenaming', o.renaming ? a.slug)
      order by a.attr)
    from attributes a
    where o.index_state <> 'none' and a.org = o.org and a.obj = o.obj and a.deleted_at is null), '[]')) as index`

const attributeOf = (item: AttributeItem, renaming: ObjectModel['renaming']): ModelAttribute => {
  const names = renaming?.[item.slug]
  const attribute = { ...item, defaultValue: readDefaultValue(item.defaultValue) }
  return names ? { ...attribute, renaming: names } : attribute
}

const IS_LIVE = sql`o.deleted_at is null`
const IS_DELETED = sql`o.deleted_at is not null`

async function selectModel(
  db: Db,
  org: number,
  ref: string,
  state = IS_LIVE,
): Promise<ObjectModel | undefined> {
  const row = await db.maybeOne<Row>(sql`
    select o.org, o.obj, o.id, o.slug, o.type, o.is_active as "isActive", o.version,
           o.hidden_slugs as "hiddenSlugs", o.renaming,
           coalesce((
             select json_agg(json_build_object(
               'attr', a.attr, 'id', a.id, 'name', a.name, 'slug', a.slug, 'type', a.type,
               'isRequired', a.is_required, 'isUnique', ${hasUniqueKeys}, 'isList', a.is_list,
               'isNaming', coalesce(a.attr = naming.attr, false), 'config', a.config, 'defaultValue', a.default_value::text, 'targetObj', a.target_obj,
               'isCaseChanging', ${isCaseChanging}, 'isBecomingUnique', ${isBecomingUnique}) order by a.display_order, a.attr)
             from attributes a
             where a.org = o.org and a.obj = o.obj and a.is_active and a.deleted_at is null), '[]') as attributes,
           ${indexColumn}
    from objects o left join lateral ${naming(sql`n.attr`)} as naming on true
    where o.org = ${org} and ${state}
      and ${isUuid(ref) ? sql`o.id = ${ref}` : sql`o.slug = ${ref}`}`)
  return (
    row && {
      ...row,
      attributes: new Map(row.attributes.map((one) => [one.slug, attributeOf(one, row.renaming)])),
      index: objectIndex(row.index),
    }
  )
}

/** The model of a deleted object, for the events of the removal of its records. */
export const findDeletedModel = (db: Db, org: number, id: string): Promise<ObjectModel | undefined> =>
  selectModel(db, org, id, IS_DELETED)

export function createModels(): Models {
  const cache = new Map<string, ObjectModel>()
  return {
    async get(db, org, ref) {
      if (!isUuid(ref) && !SLUG.test(ref)) throw noObject(ref)
      const key = `${org}/${ref.toLowerCase()}`
      const known = cache.get(key)
      if (known) return known
      const model = await selectModel(db, org, ref)
      if (!model) throw noObject(ref)
      if (cache.size >= CACHED_MODELS_MAX) cache.clear()
      cache.set(key, model)
      return model
    },
    forget({ org, id, slug }) {
      cache.delete(`${org}/${id}`)
      cache.delete(`${org}/${slug}`)
    },
  }
}

/** Whether the object has changed since the model was loaded. */
async function isStale(db: Db, { org, obj, version }: ObjectModel): Promise<boolean> {
  const current = await db.maybeOne(
    sql`select obj from objects where org = ${org} and obj = ${obj} and version = ${version}`,
  )
  return current === undefined
}

/** For work without a statement that checks the version. @throws StaleModel */
export async function requireCurrent(db: Db, model: ObjectModel): Promise<void> {
  if (await isStale(db, model)) throw new StaleModel()
}

/** An error that depends on the model counts only if the model is current. */
const isOutdated = async (db: Db, model: ObjectModel, error: unknown): Promise<boolean> =>
  error instanceof StaleModel || (error instanceof AppError && (await isStale(db, model)))

const MAX_LOADS = 10

/**
 * Runs `work` with the current model of an object, and runs it again if the model was outdated. An error must undo all
 * changes of `work`: by a transaction, or because `work` has changed nothing yet.
 */
export async function withModel<Result>(
  { db, models }: { db: Db; models: Models },
  org: number,
  ref: string,
  work: (model: ObjectModel) => Result | Promise<Result>,
): Promise<Result> {
  const changes = db.scope?.changes ?? 0
  for (let loads = 0; loads < MAX_LOADS; loads++) {
    const model = await models.get(db, org, ref)
    try {
      return await work(model)
    } catch (error) {
      if (!(await isOutdated(db, model, error))) throw error
      models.forget(model)
      db.scope?.forgetSince(changes)
    }
  }
  throw unavailable('The object is being changed by others: try again shortly')
}
