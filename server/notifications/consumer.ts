// Consumes events that members are notified of, in the transaction that claims their outbox entries: each exactly once.
import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import { createDispatch, type Sink } from '../events/dispatch.ts'
import { type OutboxEntry, selectWaitingConsumers } from '../events/outbox-entries.ts'
import type { Engine } from '../jobs/leased-queue.ts'
import { type Loop, startWokenLoop } from '../jobs/loop.ts'
import { type Assignment, type FailedRun, selectAssignments, selectFailedRuns } from './consumer-store.ts'
import type { NotificationContext } from './context.ts'
import { type Doer, type News, notify, TOGETHER_SECONDS, touchInboxes } from './notify.ts'

/** Failures of one workflow, until the notification is read. */
const UNTIL_READ_SECONDS = 365 * 24 * 3600

interface Notice {
  doer: Doer
  news: News[]
}

const keyOf = ({ org, userId, actor, workflow, obj }: Assignment) =>
  `${org} ${userId} ${workflow ?? actor} ${obj}`

/** One for each member, object, and who did it. */
function noticesOfAssignments(assignments: readonly Assignment[]): Notice[] {
  return [...Map.groupBy(assignments, keyOf).values()].flatMap((some) => {
    const [first] = some
    if (!first) return []
    const { org, userId, actor, workflow, obj, record, attr, event } = first
    const news: News = {
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
      (userId): News => ({
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

/** All of an organization at once, in the order in which everyone locks them. */
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
