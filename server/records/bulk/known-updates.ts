// The common case of an upsert, in one statement: every row names a record that exists, by its id or a unique value,
// and changes neither unique values nor references. The statement writes all rows or nothing. Everything else is left
// to waves.ts.

import sql, { join, type Sql } from 'sql-template-tag'
import type { Caller } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'
import { NOTHING_WRITTEN, type NothingWritten } from '../../db/scope.ts'
import { nextVersion, timeAfter } from '../../events/sequence.ts'
import type { ModelAttribute, ObjectModel } from '../../model/attributes/models.ts'
import { recordOf } from '../../model/objects/record-lookup.ts'
import { indexUpdated } from '../engine/index/index-writes.ts'
import { isCurrent } from '../rows/stored-record.ts'
import { hasBothKeys } from '../values/unique-keys.ts'
import { CHARACTERS_UNCHECKED, isBeingIndexed } from '../write/service.ts'
import {
  changedValues,
  merged,
  mergedComparable,
  oneAuthor,
  updateStatement,
  valueChange,
  WRITTEN,
} from '../write/statements.ts'
import { FOR_CHANGE, type RecordDraft } from '../write/store.ts'
import type { BulkOutcome, CheckedBulkRow } from './waves.ts'

interface KnownRow {
  index: number
  /** The id of the record, or the unique value that identifies it. */
  key: string
  draft: RecordDraft
}

interface KnownRows {
  rows: KnownRow[]
  /** The unique attribute that the keys are values of; undefined if the keys are ids. */
  matched: number | undefined
  attributes: ModelAttribute[]
}

function knownRow({ index, id, match, patch }: CheckedBulkRow): KnownRow | undefined {
  const key = id ?? match?.value
  return patch && !patch.bareAmounts && key !== undefined ? { index, key, draft: patch } : undefined
}

/** The attributes that the rows set or clear. */
function attributesOf(model: ObjectModel, rows: readonly KnownRow[]): ModelAttribute[] {
  const slugs = new Set<string>()
  for (const { draft } of rows) for (const slug of draft.slugs) slugs.add(slug)
  return [...slugs].flatMap((slug) => model.attributes.get(slug) ?? [])
}

/** @returns undefined when this statement cannot update these rows */
function knownRows(model: ObjectModel, rows: readonly CheckedBulkRow[]): KnownRows | undefined {
  const matched = rows[0]?.match?.attr
  if (rows.some(({ match }) => match?.attr !== matched)) return undefined
  const known = rows.flatMap((row) => knownRow(row) ?? [])
  if (known.length < rows.length || new Set(known.map(({ key }) => key)).size < known.length) return undefined
  const attributes = attributesOf(model, known)
  const changesUnique = attributes.some(
    (attribute) => attribute.isUnique && (attribute.attr !== matched || hasBothKeys(attribute)),
  )
  const slugs = attributes.map(({ slug }) => slug)
  // Index rows that are being built are visible only to a statement that starts after the record is locked.
  if (changesUnique || isBeingIndexed(model, slugs)) return undefined
  return { rows: known, matched, attributes }
}

const rowJson = ({ key, draft: { data, comparable } }: KnownRow, place: number) =>
  `{"place":${place},"key":${JSON.stringify(key)},"data":${data},"comparable":${comparable}}`

const draftsOf = (rows: readonly KnownRow[]): Sql => sql`
  select * from jsonb_to_recordset(${`[${rows.map(rowJson).join(',')}]`}::jsonb)
    as d(place int, key text, data jsonb, comparable jsonb)`

/** The drafts with the ids of their records, ordered by id, so that all writers take locks in the same order. */
const foundBy = ({ org }: ObjectModel, matched: number | undefined): Sql =>
  matched === undefined
    ? sql`select d.*, d.key::uuid as id from draft d order by id`
    : sql`
      select d.*, u.id from draft d cross join lateral (
        select u.id from uniques u where u.org = ${org} and u.attr = ${matched} and u.value = d.key offset 0) as u
      order by u.id`

const keepsReference = ({ slug }: ModelAttribute): Sql =>
  sql`(not d.data ? ${slug} or r.data->${slug}::text is not distinct from nullif(d.data->${slug}::text, 'null'))`

/** Whether the merged records are too small to need a size check. Larger records are left to waves.ts. */
function isSmall(rows: readonly KnownRow[]): Sql {
  const longest = rows.reduce((most, { draft }) => Math.max(most, draft.data.length), 0)
  return sql`octet_length(r.data::text) <= ${CHARACTERS_UNCHECKED - longest}::int`
}

const changedValue = ({ slug }: ModelAttribute): Sql => sql`
  case when before->${slug}::text is distinct from data->${slug}::text then ${valueChange(slug)} else '{}' end`

/** With more attributes, changed values are found by the keys of each patch. */
const COMPARED_MAX = 16

/** Faster than `changedValues` for few attributes: `changedValues` reads a set of keys for each record. */
const changesOf = (attributes: readonly ModelAttribute[]): Sql =>
  attributes.length === 0 || attributes.length > COMPARED_MAX
    ? changedValues
    : sql`(${join(attributes.map(changedValue), ' || ')})`

/**
 * Whether the locked record is unchanged since the snapshot: then its unique values and index rows are unchanged too.
 */
const IS_UNCHANGED = sql`exists (select from records s where s.ctid = r.place and s.id = r.id offset 0)`

/** Events have the order of these times. The order in which the rows are updated depends on the plan. */
const TIME_IN_TURN = timeAfter(sql`r`, sql`(select time from fit) + r.turn * interval '1 microsecond'`)

function updatingKnown(caller: Caller, model: ObjectModel, { rows, matched, attributes }: KnownRows): Sql {
  // If a record is missing, no record is locked.
  const areFound = sql`(select count(*) from found) = ${rows.length}`
  const keptReferences = attributes.filter(({ type }) => type === 'reference').map(keepsReference)
  const conditions = join([areFound, isSmall(rows), IS_UNCHANGED, ...keptReferences], ' and ')
  return updateStatement(oneAuthor(caller, model), {
    before: sql`
      draft as materialized (${draftsOf(rows)}),
      found as materialized (${foundBy(model, matched)}),
      stored as materialized (
        select d.place as turn, d.data as patch, r.id, r.place, r.data as before, ${merged} as data,
          ${mergedComparable} as comparable, r.updated_at, r.version, r.event_order
        from found d ${recordOf(model, sql`d.id`, { lock: FOR_CHANGE })} where ${conditions}),
      fit as materialized (
        select (select count(*) from stored) = ${rows.length} and ${isCurrent(model)} as is_fit, clock_timestamp() as time),
      changing as materialized (
        select * from stored where (select is_fit from fit) and data is distinct from before order by turn),`,
    set: sql`data = r.data, comparable = r.comparable, ${nextVersion(sql`r`, TIME_IN_TURN)}`,
    from: sql`changing r`,
    returning: sql`, r.patch`,
    index: indexUpdated(model, WRITTEN, new Set(attributes.map(({ slug }) => slug))),
    changes: changesOf(attributes),
    result: sql`
      select string_agg(id || case when data is distinct from before then '' else ${UNCHANGED}::text end, ' ' order by turn) as ids
      from stored where (select is_fit from fit)`,
  })
}

/** Suffix of the ids of unchanged records. */
const UNCHANGED = '='

function outcomeOf(written: string, { index = 0 }: Partial<KnownRow> = {}): BulkOutcome {
  if (!written.endsWith(UNCHANGED)) return { index, id: written, status: 'updated' }
  return { index, id: written.slice(0, -UNCHANGED.length), status: 'updated', isUnchanged: true }
}

/**
 * Updates the records of all rows. Each row must name a different record.
 * @returns NOTHING_WRITTEN if this statement cannot update one of the rows
 */
export async function updateKnown(
  db: Db,
  caller: Caller,
  model: ObjectModel,
  rows: readonly CheckedBulkRow[],
): Promise<BulkOutcome[] | NothingWritten> {
  const known = knownRows(model, rows)
  if (!known) return NOTHING_WRITTEN
  const ids = await db.attempt((one) => one.value<string | null>(updatingKnown(caller, model, known)))
  if (ids === null) return NOTHING_WRITTEN
  return ids.split(' ').map((written, place) => outcomeOf(written, known.rows[place]))
}
