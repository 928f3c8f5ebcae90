// Which events an endpoint selects: one condition for the dispatcher and for replays of missing deliveries.
import sql, { raw, type Sql } from 'sql-template-tag'
import { EVENT_TYPES } from '../../contract/events.ts'

/** Events of comments are stored for open dashboards, and never sent. */
const SENT = Object.keys(EVENT_TYPES)

/** Aliases of the tables in the statements that use the condition. */
type Alias = 'w' | 'e'

/**
 * Whether the filters of an endpoint select an event. It does not check organization or state.
 * @param endpoint alias of `webhook_endpoints`
 * @param event alias of `events`
 */
export function wants(endpoint: Alias, event: Alias): Sql {
  const [w, e] = [raw(endpoint), raw(event)]
  return sql`(
    ${e}.type = any(coalesce(${w}.event_types, ${SENT}::text[]))
    and (${w}.objs is null or ${e}.obj is null or ${e}.obj = any(${w}.objs))
    and (${w}.changed_attributes is null or ${e}.type <> 'record.updated' or ${e}.changes ?| ${w}.changed_attributes))`
}
