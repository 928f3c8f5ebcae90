// Example bodies with invented data, for the catalogue, test sends and the CLI.
import { EVENT_BODIES, type EventActor } from '../../contract/event-bodies.ts'
import { EVENT_TYPES, type EventType } from '../../contract/events.ts'
import type { CatalogueEntry } from '../../contract/webhooks.ts'
import { idTime } from '../base/id.ts'

/** The fields of all bodies, and the fields of the type in EVENT_BODIES. */
export interface ExampleBody extends Record<string, unknown> {
  id: string
  type: EventType
  timestamp: string
  organizationId: string
}

interface Occasion {
  organizationId: string
  id: string
  now: Date
}

const DEALS = '0198c0de-1000-7000-8000-000000000001'
const DEAL = '0198c0de-1000-7000-8000-000000000002'
const COMPANY = '0198c0de-1000-7000-8000-000000000003'
const PERSON = '0198c0de-1000-7000-8000-000000000004'
const ACTIVITY = '0198c0de-1000-7000-8000-000000000005'
const USER = '0198c0de-1000-7000-8000-000000000006'
const WORKFLOW = '0198c0de-1000-7000-8000-000000000007'
const RUN = '0198c0de-1000-7000-8000-000000000008'

const dealAt = (stage: string, amount: number) => ({
  name: 'Northwind annual plan',
  amount: { amount, currency: 'USD' },
  stage,
  close_date: '2026-11-30',
  company: COMPANY,
  contact: PERSON,
})

const secondsBefore = (now: Date, seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString()

const linkedRecords = [{ objectId: DEALS, recordId: DEAL }]

const DAY_SECONDS = 86_400

function activity(
  now: Date,
  { title, summary, version }: { title: string; summary: string; version: number },
) {
  const data = {
    id: ACTIVITY,
    type: 'meeting',
    title,
    summary,
    activityDate: secondsBefore(now, 3600),
    completedAt: null,
    assignee: null,
    linkedRecords,
    participants: [
      { type: 'user', id: USER },
      { type: 'person', id: PERSON },
    ],
    createdBy: { id: USER, name: 'Ada Lovelace', email: 'ada@example.com' },
    createdAt: secondsBefore(now, DAY_SECONDS),
    updatedAt: now.toISOString(),
    version,
  }
  return { activityId: ACTIVITY, version, title, linkedRecords, data }
}

const kickoff = { title: 'Kick-off with Northwind', summary: 'Agree on the scope and the start date.' }

const run = (now: Date, status: string, error: string | null) => ({
  workflowId: WORKFLOW,
  workflowName: 'Welcome a new customer',
  runId: RUN,
  status,
  triggerEvent: 'record/updated',
  error,
  startedAt: secondsBefore(now, 2),
  completedAt: now.toISOString(),
})

const record = { recordId: DEAL, objectId: DEALS }

const SUBJECTS: Readonly<Record<EventType, (now: Date) => object>> = {
  'record.created': () => ({ ...record, version: 1, data: dealAt('Lead', 18_000) }),
  'record.updated': () => ({
    ...record,
    version: 2,
    data: dealAt('Won', 24_000),
    changes: {
      stage: { from: 'Proposal', to: 'Won' },
      amount: { from: dealAt('Proposal', 18_000).amount, to: dealAt('Won', 24_000).amount },
    },
  }),
  'record.deleted': () => ({ ...record, version: 3, data: dealAt('Lost', 18_000) }),
  'activity.created': (now) => activity(now, { ...kickoff, version: 1 }),
  'activity.updated': (now) =>
    activity(now, { ...kickoff, summary: 'They start in January with 40 seats.', version: 2 }),
  'activity.deleted': (now) => ({ ...activity(now, { ...kickoff, version: 1 }), version: 2 }),
  'workflow.completed': (now) => run(now, 'completed', null),
  'workflow.failed': (now) => run(now, 'failed', 'Step "Create the invoice": the receiver answered 500'),
}

const actorOf = (type: EventType): EventActor =>
  type.startsWith('workflow.') ? { type: 'workflow', id: WORKFLOW } : { type: 'member', id: USER }

/** The fields in the order in which real events have them. */
export const exampleBody = (type: EventType, { organizationId, id, now }: Occasion): ExampleBody => ({
  id,
  type,
  timestamp: now.toISOString(),
  organizationId,
  actor: actorOf(type),
  ...SUBJECTS[type](now),
})

/** The example for the API document, which is the same for all organizations. */
export const documentedBody = (type: EventType): ExampleBody =>
  exampleBody(type, {
    organizationId: '0198c0de-1000-7000-8000-000000000009',
    id: '0198c0de-1000-7000-8000-000000000010',
    now: new Date('2026-11-20T10:00:00.000Z'),
  })

const EXAMPLE_ID = '01a1f866-0d5a-7000-8000-000000000001'

/** The description of each event type for receivers, in the order of the specification. */
export function catalogueOf(organizationId: string): CatalogueEntry[] {
  const occasion = { organizationId, id: EXAMPLE_ID, now: new Date(idTime(EXAMPLE_ID)) }
  return (Object.keys(EVENT_TYPES) as EventType[]).map((name) => ({
    name,
    description: EVENT_TYPES[name],
    schema: EVENT_BODIES[name],
    example: JSON.stringify(exampleBody(name, occasion), null, 2),
  }))
}
