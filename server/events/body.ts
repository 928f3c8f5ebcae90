// The body of an event as text, for webhooks and GET /events (contract/event-bodies.ts). PostgreSQL builds it, so
// that numbers of a record keep all digits.
import sql, { type Sql } from 'sql-template-tag'
import { eventActor } from './actor.ts'

const timestamp = sql`to_char(uuid_extract_timestamp(e.id) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Marks an event of an erased record or activity, whose values were removed (server/privacy). */
const erased = sql`case when e.is_erased then ',"erased":true,"isErased":true' else '' end`

/**
 * Expression over the tables of `eventBody`. It also works for a deleted object, whose row is removed after its
 * records.
 */
export const eventObjectId: Sql = sql`
  coalesce(b.id, (select d.id from deleted_objects d where d.org = e.org and d.obj = e.obj))`

/** Expression over `events e`, `organizations o` of the event, and a left joined `objects b` of a record event. */
export const eventBody: Sql = sql`(
  '{"id":"' || e.id || '","type":"' || e.type || '","timestamp":"' || ${timestamp} || '","organizationId":"' || o.id || '","actor":' || ${eventActor} || ',' ||
  case split_part(e.type, '.', 1)
    when 'record' then
      '"recordId":"' || e.subject || '","objectId":' || coalesce('"' || ${eventObjectId} || '"', 'null') ||
      ',"version":' || coalesce(e.version, 0) || ',"data":' || e.data ||
      coalesce(',"changes":'::text || e.changes, '') ||
      coalesce(',"mergedIds":'::text || to_json(e.merged_ids), '') || ${erased} || '}'
    when 'activity' then
      '"activityId":"' || e.subject || '","version":' || coalesce(e.version, 0) || ',"title":' || (e.data->'title') || ',"linkedRecords":' || (e.data->'linkedRecords') ||
      ',"data":' || e.data || ${erased} || '}'
    else substr(e.data::text, 2)
  end)`

/** The tables that `eventBody` reads in addition to `events e`. */
export const eventBodyJoins: Sql = sql`
  join organizations o on o.org = e.org
  left join objects b on b.org = e.org and b.obj = e.obj`
