// A stored record: which of its data is visible, and its JSON text.
import sql, { type Sql } from 'sql-template-tag'
import { idTime } from '../../base/id.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { isoTime } from './iso-time.ts'

/** A record from the database: data is the text from PostgreSQL, so that numbers stay exact. */
export interface StoredRecord {
  id: string
  /** Microseconds since 1970 of the last change; no two versions of a record share it. */
  micros: number
  /** 1 for a new record, increased by one with every change. */
  version: number
  data: string
}

/**
 * The record as JSON text, shaped as contract/records.ts CrmRecord. Its `data` is the text of PostgreSQL's jsonb.
 * It is never parsed, so that numbers keep all 30 digits.
 */
export const recordJson = (
  { id: objectId }: Pick<ObjectModel, 'id'>,
  { id, micros, version, data }: StoredRecord,
): string =>
  `{"id":"${id}","objectId":"${objectId}","data":${data},"createdAt":"${isoTime(idTime(id))}","updatedAt":"${isoTime(Math.floor(micros / 1000))}","version":${version}}`

export const recordEtag = ({ micros }: Pick<StoredRecord, 'micros'>): string => `"${micros.toString(36)}"`

/** Whether the model that a statement was compiled from is still current in the statement's snapshot. */
export const isCurrent = ({ org, obj, version }: ObjectModel): Sql =>
  sql`exists (select from objects where org = ${org} and obj = ${obj} and version = ${version})`

/** Columns of `objects` that say how the visible data differs from the stored data. */
interface Shown {
  hidden: Sql
  renaming: Sql
}

/** Like visibleData, in a statement for records of several objects. @param shown columns of the row's object */
export const visibleBy = ({ hidden, renaming }: Shown, data: Sql): Sql => sql`(
  case when ${hidden} = '{}' and ${renaming} is null then ${data}
    else with_renamed_options(${data} - ${hidden}, coalesce(${renaming}, '{}')) end)`

/** The visible data: without values of inactive or deleted attributes, with the current names of options. */
export function visibleData(
  { hiddenSlugs, renaming }: Pick<ObjectModel, 'hiddenSlugs' | 'renaming'>,
  data = sql`r.data`,
): Sql {
  const shown = hiddenSlugs.length === 0 ? data : sql`(${data} - ${hiddenSlugs}::text[])`
  return renaming ? sql`with_renamed_options(${shown}, ${JSON.stringify(renaming)}::jsonb)` : shown
}
