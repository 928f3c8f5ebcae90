// The checks after all deliveries.
import type { Db } from '../../db/pool.ts'
import { countStuckDeliveries } from '../../webhooks/delivery/sweeper-store.ts'
import { audit, type Book, countHappened } from './accounts.ts'
import type { Inbox } from './inbox.ts'
import {
  countDisagreements,
  selectDeliveries,
  selectEvents,
  selectRecords,
  selectShown,
  selectTrash,
  WRITTEN,
} from './state.ts'
import { type Hook, isFor, wantsAll } from './world.ts'
import type { Log } from './writer.ts'

type Event = Awaited<ReturnType<typeof selectEvents>>[number]

/** Each hook must have accepted each event that it subscribes to, and no others. */
function hookFaults(hook: Hook, events: readonly Event[], inbox: Inbox): string[] {
  const wanted = events.filter((event) => isFor(hook, event))
  const missed = wanted.filter(({ id }) => inbox.taken(hook, id) === 0)
  const more = inbox.events(hook) - (wanted.length - missed.length)
  return [
    ...missed.map(({ id, type }) => `${hook.endpoint} never got ${id} (${type})`),
    ...(more > 0 ? [`${hook.endpoint} got ${more} events that are not for it, or do not exist`] : []),
  ]
}

async function deliveryFaults(db: Db, hooks: readonly Hook[], events: readonly Event[]): Promise<string[]> {
  const deliveries = await selectDeliveries(db)
  const wanted = new Set(
    hooks.flatMap((hook) =>
      events.filter((event) => isFor(hook, event)).map(({ id }) => `${hook.endpoint} ${id}`),
    ),
  )
  const unwanted = deliveries.filter(({ endpoint, event }) => !wanted.delete(`${endpoint} ${event}`))
  return [
    ...deliveries
      .filter(({ state }) => state !== 'succeeded')
      .map(({ event, state }) => `the delivery of ${event} is ${state}`),
    ...unwanted.map(({ endpoint, event }) => `a delivery of ${event} to ${endpoint} is not wanted`),
    ...[...wanted].map((key) => `no delivery: ${key}`),
  ]
}

/** Each delivered body must have the version of its event. */
const versionFaults = (events: readonly Event[], inbox: Inbox): string[] =>
  events.flatMap(({ id, version }) => {
    const delivered = inbox.version(id)
    if (delivered === undefined || delivered === version) return []
    return [`${id}: delivered as version ${delivered}, it is ${version}`]
  })

/** A copy of the records, made from the deliveries, must equal them. */
async function mirrorFaults(db: Db, hooks: readonly Hook[], inbox: Inbox): Promise<string[]> {
  const faults: string[] = []
  for (const hook of hooks.filter(wantsAll)) {
    const stored = (await selectShown(db, hook.org.org)).map((record) => JSON.stringify(record))
    const copied = new Set(inbox.mirror(hook)?.map((record) => JSON.stringify(record)))
    const missing = stored.filter((record) => !copied.delete(record))
    faults.push(
      ...missing.map((record) => `the mirror at ${hook.endpoint} lacks ${record}`),
      ...[...copied].map((record) => `the mirror at ${hook.endpoint} has ${record}`),
    )
  }
  return faults
}

interface Run {
  db: Db
  hooks: readonly Hook[]
  inbox: Inbox
  log: Log
}

export interface Verdict {
  /** The faults in words; empty if all is correct. */
  faults: string[]
  figures: Record<string, number>
}

const REST = { records: 0, uniques: 0, undispatched: 0, forgottenQueues: 0 }

function figuresOf({ log, inbox }: Run, book: Book): Record<string, number> {
  const count = (outcome: string) => log.entries.filter((entry) => entry.outcome === outcome).length
  const { received, refused, duplicates } = inbox.counts()
  return {
    ...{ ok: count('ok'), failed: count('failed'), unknown: count('unknown') },
    ...{ happened: countHappened(book), repeated: log.repeated },
    ...{ events: book.events.length, received, refused, duplicates },
  }
}

export async function judge(run: Run): Promise<Verdict> {
  const { db, hooks, inbox, log } = run
  const events = await selectEvents(db)
  // Without the records that workflows write, because no request of a writer caused them.
  const written = events.filter(({ object }) => object === WRITTEN)
  const trash = { ids: await selectTrash(db), purged: log.purged }
  const book: Book = { log: log.entries, events: written, records: await selectRecords(db), trash }
  const rest = { ...(await countDisagreements(db)), ...(await countStuckDeliveries(db)) }
  const isAtRest = Object.entries(REST).every(([name, count]) => rest[name as keyof typeof rest] === count)
  const faults = [
    ...audit(book),
    ...inbox.faults,
    ...hooks.flatMap((hook) => hookFaults(hook, events, inbox)),
    ...versionFaults(events, inbox),
    ...(await deliveryFaults(db, hooks, events)),
    ...(await mirrorFaults(db, hooks, inbox)),
    ...(isAtRest ? [] : [`not at rest: ${JSON.stringify(rest)}`]),
  ]
  return { faults, figures: figuresOf(run, book) }
}
