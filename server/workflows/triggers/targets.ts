// The records that filters of triggers follow references to, as they are when the event is looked at.
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

/** Only the attributes that filters name: values may be long. */
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

interface Paths {
  vias: readonly (readonly ModelAttribute[])[]
  slugs: readonly string[]
}

function pathsOf(model: ObjectModel, referenced: Referenced, filter: unknown): Paths {
  const object = pathObject(model, referenced)
  const paths = [...unparsedLeaves(filter)].flatMap(({ attributeSlug: path }) => {
    const found = fieldAt(object, path, () => '')
    return isPathFault(found) || found.via.length === 0 ? [] : [{ via: found.via, path: String(path) }]
  })
  return { vias: paths.map(({ via }) => via), slugs: paths.flatMap(({ path }) => path.split('.')) }
}

/** Values may be of a time when the attribute was of another type. */
const idsIn = (data: Data, slug: string): string[] => [data[slug]].flat().filter(isUuid)

const recordOf = ({ id, micros, createdBy, data }: TargetRow): MatchedRecord => ({
  data: parseJson(data) as Data,
  record: { id, updatedMs: Math.floor(micros / 1000), createdBy },
})

/** What the references of one path lead to from one level of records to the next. */
function* wantedBy(level: readonly { obj: number; data: Data }[], { vias }: Paths, depth: number) {
  for (const via of vias) {
    const from = depth === 0 ? undefined : via[depth - 1]?.targetObj
    const reference = via[depth]
    if (!reference || reference.targetObj === null) continue
    for (const { obj, data } of level)
      if (from === undefined || obj === from)
        for (const id of idsIn(data, reference.slug)) yield { obj: reference.targetObj, id }
  }
}

/** @param data of all records whose events the filter is asked about @returns undefined where it follows no reference */
export async function loadTargets(
  ctx: ModelContext,
  model: ObjectModel,
  { filter, data }: { filter: unknown; data: readonly Data[] },
): Promise<MatchedTargets | undefined> {
  const referenced = await loadReferenced(ctx, model, filter)
  const paths = pathsOf(model, referenced, filter)
  if (paths.vias.length === 0) return undefined
  const records = new Map<string, MatchedRecord>()
  let level = data.map((one) => ({ obj: model.obj, data: one }))
  for (let depth = 0; level.length > 0; depth++) {
    const wanted = [...wantedBy(level, paths, depth)]
    const rows =
      wanted.length === 0 ? [] : await selectTargets(ctx.db, model.org, { wanted, slugs: paths.slugs })
    level = rows.map((row) => {
      const record = recordOf(row)
      records.set(row.id, record)
      return { obj: row.obj, data: record.data }
    })
  }
  const attributes = new Map([...referenced].map(([obj, { attributes: known }]) => [obj, known]))
  return { attributes, records }
}
