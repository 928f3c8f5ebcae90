// Erases values in copies of definitions that no user can edit: those of report runs, older versions of workflows, and
// views of objects in the trash. Values in definitions that users edit are listed as mentions instead.
import sql, { type Sql } from 'sql-template-tag'
import { parseJson } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import type { Markers } from '../markers.ts'
import { createJsonMatcher, createMatcher, hasMarker } from '../matching.ts'
import type { ErasureBatch, ErasureBatchWork, ErasureStep } from './step.ts'

const BATCH = 50
const ERASED = '(erased)'

type Erasing = (value: unknown) => unknown

const mapped = (value: unknown, change: Erasing): unknown => {
  if (Array.isArray(value)) return value.map(change)
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, change(one)]))
}

const emptied: Erasing = (value) => (typeof value === 'string' ? ERASED : mapped(value, emptied))

/** Replaces texts with a marker. A first and a last name can be a marker only together: then both are replaced. */
export function createEraser(markers: Markers): Erasing {
  const [matches, matchesJson] = [createMatcher(markers), createJsonMatcher(markers)]
  const erase: Erasing = (value) => {
    if (typeof value === 'string') return matches(value) ? ERASED : value
    const left = mapped(value, erase)
    return matchesJson(JSON.stringify(left)) ? emptied(left) : left
  }
  return erase
}

interface Row {
  /** The place of the row: a later row has a higher key. */
  key: string
  definition: string
}

interface Copies {
  name: string
  /** Rows with key and definition, which are locked, in the order of their keys, after a key. */
  rows: (org: number, after: string | null, contains: (json: Sql) => Sql) => Sql
  save: (tx: Db, org: number, row: Row) => Promise<unknown>
}

/** Ids are no markers here: the id of an erased record is also in the log of erasures. */
const stepFor = ({ name, rows, save }: Copies): ErasureStep => ({
  name,
  batch: async ({ tx, erasure: { org, place }, markers }: ErasureBatchWork): Promise<ErasureBatch> => {
    const values = { ...markers, ids: [] }
    const contains = (json: Sql) => hasMarker(values, { json: [json] })
    const found = await tx.many<Row>(sql`${rows(org, place, contains)} limit ${BATCH}`)
    const erase = createEraser(values)
    for (const { key, definition } of found)
      await save(tx, org, { key, definition: JSON.stringify(erase(parseJson(definition))) })
    const last = found.at(-1)?.key
    return last === undefined ? { isDone: true } : { isDone: false, place: last }
  },
})

const FIRST = '00000000-0000-0000-0000-000000000000'

export const reportDefinitions = stepFor({
  name: 'report-definitions',
  rows: (org, after, contains) => sql`
    select r.id as key, r.definition::text as definition from report_runs r
    where r.org = ${org} and r.id > ${after ?? FIRST}::uuid and ${contains(sql`r.definition::text`)}
    order by r.id for update`,
  save: (tx, org, { key, definition }) =>
    tx.run(
      sql`update report_runs set definition = ${definition}::jsonb where org = ${org} and id = ${key}::uuid`,
    ),
})

/** The workflow, and the version in digits that sort as text. */
const VERSION = sql`(v.workflow::text || lpad(v.version::text, 10, '0'))`

export const workflowVersions = stepFor({
  name: 'workflow-versions',
  rows: (org, after, contains) => sql`
    select ${VERSION} as key, v.definition::text as definition
    from workflow_versions v join workflows w on w.org = v.org and w.id = v.workflow
    where v.org = ${org} and v.version < w.version and ${VERSION} > ${after ?? ''} and ${contains(sql`v.definition::text`)}
    order by ${VERSION} for update of v`,
  save: (tx, org, { key, definition }) =>
    tx.run(sql`
      update workflow_versions v set definition = ${definition}::jsonb where v.org = ${org}
        and v.workflow = left(${key}, 36)::uuid and v.version = substr(${key}, 37)::int`),
})

/** The views of an object stay in their table until the object is purged. */
export const viewsOfDeleted = stepFor({
  name: 'views-of-deleted',
  rows: (org, after, contains) => sql`
    select v.id as key, jsonb_build_object('name', v.name, 'state', v.state)::text as definition
    from views v join objects o on o.org = v.org and o.obj = v.obj
    where v.org = ${org} and o.deleted_at is not null and v.id > ${after ?? FIRST}::uuid
      and ${contains(sql`jsonb_build_array(v.name, v.state)::text`)}
    order by v.id for update of v, o`,
  save: (tx, org, { key, definition }) =>
    tx.run(sql`
      update views v set name = d.name, state = d.state
      from jsonb_to_record(${definition}::jsonb) as d(name text, state jsonb)
      where v.org = ${org} and v.id = ${key}::uuid`),
})

const OBJECT = sql`lpad(t.obj::text, 10, '0')`

export const trashedViews = stepFor({
  name: 'trashed-views',
  rows: (org, after, contains) => sql`
    select ${OBJECT} as key, t.views::text as definition from trash_objects t
    where t.org = ${org} and ${OBJECT} > ${after ?? ''} and ${contains(sql`t.views::text`)}
    order by ${OBJECT} for update of t`,
  save: (tx, org, { key, definition }) =>
    tx.run(sql`
      update trash_objects t set views = ${definition}::jsonb where t.org = ${org} and t.obj = ${key}::text::int`),
})
