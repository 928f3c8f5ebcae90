// The statements that insert and update records: the rows, their index rows and counters, and an event for each, in one
// statement.
import sql, { empty, type Sql } from 'sql-template-tag'
import type { StoredEventType } from '../../../contract/events.ts'
import type { Author } from '../../base/caller.ts'
import { eventsFrom, eventsOfMany } from '../../events/outbox.ts'
import { firstEvent, nextEvent, nextVersion } from '../../events/sequence.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { microsOf } from '../rows/sorting.ts'
import { visibleBy, visibleData } from '../rows/stored-record.ts'

/** The CTE of the rows that the statement has written. */
export const WRITTEN = sql`written`

/** The author, and the part of the records that events and responses show. */
interface Writer {
  org: number | Sql
  /** The visible part of the column `data`. */
  visible: Sql
  /** Columns that `events` reads from each row, with a comma after them. */
  columns: Sql
  events(type: StoredEventType, source: Sql): Sql
}

interface Written {
  obj: number
  visible: Sql
  /** Ids of the records that were merged into the written one. */
  mergedIds?: readonly string[]
}

/** Records of one object, written by one author. */
export const writerOf = (author: Author, { visible, ...kind }: Written): Writer => ({
  org: author.org,
  visible,
  columns: empty,
  events: (type, source) => eventsFrom(author, { type, ...kind }, source),
})

export const oneAuthor = (
  author: Author,
  object: Pick<ObjectModel, 'obj' | 'hiddenSlugs' | 'renaming'>,
): Writer => writerOf(author, { obj: object.obj, visible: visibleData(object, sql`data`) })

/**
 * Records of several organizations: rows of a CTE `draft d` with org, obj, actor and key. If `visible` is read, the
 * rows also have the columns hidden_slugs and renaming of their object.
 */
export const EACH_AUTHOR: Writer = {
  org: sql`d.org`,
  visible: visibleBy({ hidden: sql`hidden_slugs`, renaming: sql`renaming` }, sql`data`),
  columns: sql`org, obj, actor, key as api_key,`,
  events: eventsOfMany,
}

/** The end of a statement: the written records as StoredRecord. @param data the visible data of the records */
const stored = (data: Sql): Sql =>
  sql`select id, ${microsOf(sql`updated_at`)} as micros, version, ${data}::text as data from written`

interface Insertion {
  /** CTEs that `rows` reads, each with a comma after it. */
  before?: Sql
  /** A query of the columns org, obj, id, updated_at, version, event_order, data, comparable and created_by. */
  rows: Sql
  /** Further CTEs that write, each with a comma before it. */
  others: Sql
  /** Columns of an event for each row of `source`; by default those of the event of a new record. */
  event?: Sql
  source?: Sql
  /** The visible data of the rows. */
  data?: Sql
  /** The end of the statement; by default the written records. */
  result?: Sql | undefined
}

const FIRST_EVENT = firstEvent(sql`id`)
const DATA = sql`data`

export const insertStatement = (writer: Writer, insertion: Insertion): Sql => {
  const {
    before = empty,
    rows,
    others,
    event = FIRST_EVENT,
    source = WRITTEN,
    data = DATA,
    result,
  } = insertion
  return sql`
    with ${before}
    written as (
      insert into records (org, obj, id, updated_at, version, event_order, data, comparable, created_by)
      ${rows}
      returning id, updated_at, version, event_order, data, comparable)
    ${others},
    ${writer.events(
      'record.created',
      sql`(select ${writer.columns} ${event}, id as subject, ${data} as data, null::jsonb as changes from ${source}) as change`,
    )}
    ${result ?? stored(data)}`
}

/** The columns of an inserted row that is new: a row of `draft`. */
export const newRow = ({ org, obj, creator }: Record<'org' | 'obj' | 'creator', Sql>): Sql => sql`
  ${org}, ${obj}, id, uuid_extract_timestamp(id), 1, current_event_order(), data, comparable, ${creator}`

interface Change {
  /** SET items; `r` is the record before the change. */
  set: Sql
  /** FROM items with the record `r` and its location `r.place` (model/objects/record-lookup.ts). */
  from: Sql
  /** Further conditions, with `and` before them. */
  where?: Sql
  /** Further columns of `written`, with a comma before them. */
  returning?: Sql
}

/** CTE `written` of changed records, before and after. */
export const updatedRows = (
  org: number | Sql,
  { set, from, where = empty, returning = empty }: Change,
): Sql => sql`
  written as (
    update records as changed set ${set} from ${from}
    where changed.org = ${org} and changed.ctid = r.place ${where}
    returning changed.id, old.data as before, new.data as data, old.updated_at as updated_before, new.updated_at,
      new.version, new.event_order, old.comparable as comparable_before, new.comparable as comparable ${returning})`

interface Update extends Change {
  /** CTEs that `from` reads, each with a comma after it. */
  before?: Sql
  /** CTEs of index rows and counters, each with a comma before it. */
  index: Sql
  /** Further CTEs that write, each with a comma after it. */
  others?: Sql
  /** The changes in an event, as a JSON object. */
  changes: Sql
  /** FROM items and conditions of the rows that get an event. */
  source?: Sql
  /** The end of the statement; by default the written records. */
  result?: Sql
}

export const updateStatement = (writer: Writer, update: Update): Sql => {
  const { before = empty, index, others = empty, changes, source = WRITTEN, result } = update
  return sql`
    with ${before} ${updatedRows(writer.org, update)} ${index},
    ${others}
    ${writer.events(
      'record.updated',
      sql`(
        select ${writer.columns} ${nextEvent(WRITTEN)}, written.id as subject, ${writer.visible} as data, ${changes} as changes
        from ${source}) as change`,
    )}
    ${result ?? stored(writer.visible)}`
}

/** The end of a statement whose result is not read. */
export const NO_RESULT = sql`select from event`

/** The data after `d` is merged: null clears a value, and values that `d` does not name keep every digit. */
export const merged = sql`jsonb_strip_nulls(r.data || d.data)`

export const mergedComparable = sql`
  nullif(jsonb_strip_nulls(coalesce(r.comparable, '{}') || coalesce(d.comparable, '{}')), '{}')`

/** The changes of the attributes that a merge contains. */
export const changedValues = sql`
  (select jsonb_object_agg(slug, jsonb_build_object('from', before->slug, 'to', data->slug))
   from jsonb_object_keys(patch) as slug where before->slug is distinct from data->slug)`

/** Merges `draft d` into the record `r`. An unchanged record is not written. */
export const MERGE_OF_DRAFTS = {
  set: sql`data = ${merged}, comparable = ${mergedComparable}, ${nextVersion(sql`r`)}`,
  where: sql`and ${merged} is distinct from r.data`,
  returning: sql`, d.data as patch`,
  changes: changedValues,
}

interface Sides {
  from: Sql
  to: Sql
}

/** The change of one value, in the form of an event. */
export const valueChange = (
  slug: string,
  { from, to }: Sides = { from: sql`before->${slug}::text`, to: sql`data->${slug}::text` },
): Sql => sql`jsonb_build_object(${slug}::text, jsonb_build_object('from', ${from}, 'to', ${to}))`
