// Which events an endpoint wants: one condition for the dispatcher and for replays of missing deliveries.
import sql, { raw, type Sql } from 'sql-template-tag'
import { CHOSEN_ONLY } from '../../contract/events.ts'

/** Aliases of the tables in the statements that ask. */
type Alias = 'w' | 'e'

/**
 * Whether the filters of an endpoint let an event through; nothing is said of organization or state.
 * @param endpoint alias of `webhook_endpoints`
 * @param event alias of `events`
 */
export function wants(endpoint: Alias, event: Alias): Sql {
  const [w, e] = [raw(endpoint), raw(event)]
  return sql`(
    (${e}.type = any(${w}.event_types) or (${w}.event_types is null and ${e}.type <> all(${CHOSEN_ONLY}::text[])))
    and (${w}.objs is null or ${e}.obj is null or ${e}.obj = any(${w}.objs))
    and (${w}.changed_attributes is null or ${e}.type <> 'record.updated' or ${e}.changes ?| ${w}.changed_attributes))`
}
