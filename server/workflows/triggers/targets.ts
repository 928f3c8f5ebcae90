// Reads the records behind references in trigger filters, with their values when the event is processed.
import sql from 'sql-template-tag'
import { isUuid } from '../../../contract/common.ts'
import { parseJson } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import type { ModelAttribute, ModelContext, ObjectModel } from '../../model/attributes/models.ts'
import type { MatchedRecord, MatchedTargets } from '../../records/filters/matches.ts'
import { unparsedLeaves } from '../../records/filters/parse.ts'
import { fieldAt, isPathFault } from '../../records/filters/paths.ts'
import { loadReferenced, pathObject, type Referenced } from '../../records/filters/referenced.ts'
import { updatedMicros } from '../../records/rows/sorting.ts'
import { visibleBy } from '../../records/rows/stored-record.ts'

type Data = MatchedRecord['data']

interface TargetRow {
  id: string
  obj: number
  micros: number
  createdBy: string | null
  /** JSON text. */
  data: string
}

interface Wanted {
  obj: number
  id: string
}

/** Reads only attributes of the filters, because values may be long. */
const selectTargets = (
  tx: Db,
  org: number,
  { wanted, slugs }: { wanted: readonly Wanted[]; slugs: readonly string[] },
) =>
  tx.many<TargetRow>(sql`
    select r.id, r.obj, ${updatedMicros} as micros, r.created_by as "createdBy",
      (select coalesce(jsonb_object_agg(v.key, v.value), '{}')
       from jsonb_each(${visibleBy({ hidden: sql`o.hidden_slugs`, renaming: sql`o.renaming` }, sql`r.data`)}) as v
       where v.key = any(${slugs}::text[]))::text as data
    from (select distinct q.obj, q.id
          from unnest(${wanted.map(({ obj }) => obj)}::int[], ${wanted.map(({ id }) => id)}::uuid[]) as q (obj, id)) as q
    join objects o on o.org = ${org} and o.obj = q.obj and o.deleted_at is null
    join records r on r.org = ${org} and r.obj = q.obj and r.id = q.id`)

interface Path {
  path: string
  via: readonly ModelAttribute[]
}

function pathsOf(model: ObjectModel, referenced: Referenced, filter: unknown): Path[] {
  const object = pathObject(model, referenced)
  return [...unparsedLeaves(filter)].flatMap(({ attributeSlug: path }) => {
    const found = fieldAt(object, path, () => '')
    return isPathFault(found) || found.via.length === 0 ? [] : [{ path: String(path), via: found.via }]
  })
}

/** Ignores values that are not ids: the attribute may have had another type before. */
const idsIn = (data: Data, slug: string): string[] => [data[slug]].flat().filter(isUuid)

const recordOf = ({ id, micros, createdBy, data }: TargetRow): MatchedRecord => ({
  data: parseJson(data) as Data,
  record: { id, updatedMs: Math.floor(micros / 1000), createdBy },
})

/** A partly followed path: the current records, and how often it leads to each. */
interface Walk extends Path {
  from: readonly { data: Data; times: number }[]
}

/** The referenced ids, and how often each is referenced; undefined: more than `max` in total. */
function idsOf({ from }: Walk, { slug }: ModelAttribute, max: number): Map<string, number> | undefined {
  const ids = new Map<string, number>()
  let count = 0
  for (const { data, times } of from)
    for (const id of idsIn(data, slug)) {
      count += times
      if (count > max) return undefined
      ids.set(id, (ids.get(id) ?? 0) + times)
    }
  return ids
}

interface Targets extends MatchedTargets {
  /** Paths that lead to more than `max` records. */
  tooMany: ReadonlySet<string>
}

interface Asked {
  filter: unknown
  /** Data of all records whose events the filter is evaluated for. */
  data: readonly Data[]
  /** The maximum number of records at each reference of a path. A record that is reached twice counts twice. */
  max?: number
}

/** @returns undefined if the filter follows no reference */
export async function loadTargets(
  ctx: ModelContext,
  model: ObjectModel,
  { filter, data, max = Number.POSITIVE_INFINITY }: Asked,
): Promise<Targets | undefined> {
  const referenced = await loadReferenced(ctx, model, filter)
  const paths = pathsOf(model, referenced, filter)
  if (paths.length === 0) return undefined
  const slugs = paths.flatMap(({ path }) => path.split('.'))
  const records = new Map<string, MatchedRecord>()
  const tooMany = new Set<string>()
  let walks: Walk[] = paths.map((one) => ({ ...one, from: data.map((data) => ({ data, times: 1 })) }))
  for (let depth = 0; walks.length > 0; depth++) {
    const wanted = new Map<string, Wanted>()
    const reached = walks.flatMap((walk) => {
      const reference = walk.via[depth]
      if (!reference || reference.targetObj === null) return []
      const obj = reference.targetObj
      const ids = idsOf(walk, reference, max)
      if (!ids) {
        tooMany.add(walk.path)
        return []
      }
      for (const id of ids.keys()) wanted.set(`${obj} ${id}`, { obj, id })
      return { ...walk, ids }
    })
    if (wanted.size === 0) break
    for (const row of await selectTargets(ctx.db, model.org, { wanted: [...wanted.values()], slugs }))
      records.set(row.id, recordOf(row))
    walks = reached.map(({ ids, ...walk }) => ({
      ...walk,
      from: [...ids].flatMap(([id, times]) => {
        const record = records.get(id)
        return record ? { data: record.data, times } : []
      }),
    }))
  }
  const attributes = new Map([...referenced].map(([obj, { attributes: known }]) => [obj, known]))
  return { attributes, records, tooMany }
}
