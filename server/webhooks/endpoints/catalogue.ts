// What a receiver needs to know of each type of event.
import { EVENT_BODIES } from '../../../contract/event-bodies.ts'
import { EVENT_TYPES, type EventType } from '../../../contract/events.ts'
import type { CatalogueEntry } from '../../../contract/webhooks.ts'
import { idTime } from '../../id.ts'
import { exampleBody } from '../examples.ts'

const EXAMPLE_ID = '01a1f866-0d5a-7000-8000-000000000001'

/** In the order of the specification. */
export function catalogueOf(organizationId: string): CatalogueEntry[] {
  const occasion = { organizationId, id: EXAMPLE_ID, now: new Date(idTime(EXAMPLE_ID)) }
  return (Object.keys(EVENT_TYPES) as EventType[]).map((name) => ({
    name,
    description: EVENT_TYPES[name],
    schema: EVENT_BODIES[name],
    example: JSON.stringify(exampleBody(name, occasion), null, 2),
  }))
}
