// Consumes events that members are notified of. It writes the notifications in the transaction that claims the outbox
// entries: each event is processed exactly once.
import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import { createDispatch, type Sink } from '../events/dispatch.ts'
import { eventsOfEntries, type OutboxEntry, selectWaitingConsumers } from '../events/outbox-entries.ts'
import type { Engine } from '../jobs/leased-queue.ts'
import { type Loop, startWokenLoop } from '../jobs/loop.ts'
import type { NotificationContext } from './context.ts'
import { type Doer, type NewNotification, notify, TOGETHER_SECONDS, touchInboxes } from './notify.ts'

/** Failures of one workflow are counted in one notification until it is read. */
const UNTIL_READ_SECONDS = 365 * 24 * 3600

interface Notice {
  doer: Doer
  news: NewNotification[]
}

/** A record that now names a user, and did not before. */
interface Assignment {
  org: number
  event: string
  actor: string | null
  /** The workflow whose step changed the record. */
  workflow: string | null
  obj: number
  record: string
  attr: number
  userId: string
}

const elements = (value: ReturnType<typeof sql>) => sql`jsonb_array_elements_text(
  case jsonb_typeof(${value}) when 'array' then ${value} when 'string' then jsonb_build_array(${value}) else '[]' end)`

/** Leaves out assignments by which users name themselves. */
const selectAssignments = (tx: Db, entries: readonly OutboxEntry[]): Promise<Assignment[]> =>
  tx.many<Assignment>(sql`
    select distinct on (e.id, named.id) e.org, e.id as event, e.actor, r.workflow, e.obj, e.subject as record, a.attr,
      named.id::uuid as "userId"
    from ${eventsOfEntries(entries)}
    join attributes a on a.org = e.org and a.obj = e.obj and a.deleted_at is null and a.type = 'member'
    left join workflow_runs r on r.org = e.org and r.id = e.run
    cross join lateral (
      select case e.type when 'record.created' then e.data->a.slug else e.changes->a.slug->'to' end as now,
        e.changes->a.slug->'from' as before) as v
    cross join lateral (
      select id from ${elements(sql`v.now`)} as n(id) except select id from ${elements(sql`v.before`)} as b(id)) as named
    where e.type in ('record.created', 'record.updated')
      and (e.run is not null or named.id is distinct from e.actor::text)
    order by e.id, named.id, a.attr`)

interface FailedRun {
  org: number
  event: string
  workflow: string
  error: string | null
  /** The author of the workflow; for an enabled workflow also owners and admins. */
  userIds: string[]
}

/** Leaves out the user who started the run: they see its result. */
const selectFailedRuns = (tx: Db, entries: readonly OutboxEntry[]): Promise<FailedRun[]> =>
  tx.many<FailedRun>(sql`
    select e.org, e.id as event, w.id as workflow, e.data->>'error' as error, array(
      select m.user_id from members m
      where m.organization_id = o.id and m.user_id is distinct from r.started_by
        and (m.user_id = w.created_by or (w.is_enabled and m.role in ('owner', 'admin')))
      order by m.user_id) as "userIds"
    from ${eventsOfEntries(entries)}
    join organizations o on o.org = e.org
    join workflow_runs r on r.org = e.org and r.id = e.subject
    join workflows w on w.org = r.org and w.id = r.workflow
    where e.type = 'workflow.failed'
    order by e.id`)

const keyOf = ({ org, userId, actor, workflow, obj }: Assignment) =>
  `${org} ${userId} ${workflow ?? actor} ${obj}`

/** One notice for each member, object and actor. */
function noticesOfAssignments(assignments: readonly Assignment[]): Notice[] {
  return [...Map.groupBy(assignments, keyOf).values()].flatMap((some) => {
    const [first] = some
    if (!first) return []
    const { org, userId, actor, workflow, obj, record, attr, event } = first
    const news: NewNotification = {
      userId,
      kind: 'assigned',
      key: `assigned:${event}`,
      subject: { type: 'record', obj, id: record },
      attr,
      count: some.length,
      group: { key: `assigned:${workflow ?? actor}:${obj}`, seconds: TOGETHER_SECONDS },
    }
    return [{ doer: { org, userId: actor, workflow }, news: [news] }]
  })
}

function noticesOfFailures(runs: readonly FailedRun[]): Notice[] {
  return [...Map.groupBy(runs, ({ org, workflow }) => `${org} ${workflow}`).values()].flatMap((some) => {
    const last = some.at(-1)
    if (!last) return []
    const news = last.userIds.map(
      (userId): NewNotification => ({
        userId,
        kind: 'workflow',
        key: `workflow:${last.event}`,
        subject: { type: 'workflow', id: last.workflow },
        count: some.length,
        group: { key: `workflow:${last.workflow}`, seconds: UNTIL_READ_SECONDS },
        ...(last.error !== null && { note: last.error }),
      }),
    )
    return [{ doer: { org: last.org, userId: null }, news }]
  })
}

/** Locks all inboxes of an organization in one statement, in the order that every process uses. */
async function lockInboxes(tx: Db, notices: readonly Notice[]): Promise<void> {
  const byOrg = Map.groupBy(notices, ({ doer }) => doer.org)
  for (const [org, some] of [...byOrg].toSorted(([one], [other]) => one - other))
    await touchInboxes(tx, org, [...new Set(some.flatMap(({ news }) => news.map(({ userId }) => userId)))])
}

const toNotifications: Sink<never> = async (tx: Db, entries: readonly OutboxEntry[]) => {
  const notices = [
    ...noticesOfAssignments(await selectAssignments(tx, entries)),
    ...noticesOfFailures(await selectFailedRuns(tx, entries)),
  ]
  await lockInboxes(tx, notices)
  for (const { doer, news } of notices) await notify(tx, doer, news)
  return []
}

const POLL_MS = 1000

export function createNotificationConsumer(
  { wake, log }: Pick<NotificationContext, 'wake' | 'log'>,
  queue: Db,
): Engine {
  const dispatch = createDispatch(queue, {
    consumer: 'notifications',
    now: () => sql`now()`,
    sink: toNotifications,
  })
  const round = async () =>
    (await selectWaitingConsumers(queue)).includes('notifications') && (await dispatch.round()) !== undefined
  let loop: Loop | undefined
  return {
    async drain() {
      while (await round());
    },
    start() {
      const onError = (err: unknown) => log.error({ err }, 'notifications had an error and continue')
      loop = startWokenLoop({ wake, on: 'notifications', round, pollMs: POLL_MS, onError })
    },
    stop: async () => loop?.stop(),
  }
}
