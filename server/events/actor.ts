// The actor of an event: a workflow, an API key or a member. It has only an id, because every receiver gets the same
// body, including receivers without members:read.
import sql, { type Sql } from 'sql-template-tag'

/** Expression over `events e` (uuid). Events older than the column have only the run, which may be deleted. */
export const eventWorkflowId: Sql = sql`coalesce(e.workflow, (
  select w.workflow from workflow_runs w where w.org = e.org and w.id = e.run))`

/** Expression over `events e` (uuid); null: the service itself, or unknown. New events: base/caller.ts `actorId`. */
export const eventActorId: Sql = sql`
  case when e.run is null then coalesce(e.api_key, e.actor) else ${eventWorkflowId} end`

const kind = sql`
  case when e.run is not null then 'workflow' when e.api_key is not null then 'apiKey' else 'member' end`

/** Expression over `events e`: the JSON text of contract/event-bodies.ts `EventActor`. */
export const eventActor: Sql = sql`
  coalesce('{"type":"' || ${kind} || '","id":"' || ${eventActorId} || '"}', 'null')`
