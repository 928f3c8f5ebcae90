// Work to be done once, soon, by whichever node gets to it: handed over in the transaction that asks for it.
import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { type RawValue, Sql } from 'sql-template-tag'
import type { Db, Pool } from '../db/pool.ts'
import { logErrors, onPool, SCHEMA } from './boss.ts'

/** What a job is called, resource.verb, and its payload: ids, by which it reads everything else again. */
export interface JobKind<Payload extends object> {
  name: string
  /** Never there: it ties the payload to the name. */
  payload?: Payload
}

export const defineJob = <Payload extends object>(name: string): JobKind<Payload> => ({ name })

/** Jobs of one organization are a group, of which few run at a time. */
const groupOf = (payload: object) =>
  'org' in payload && typeof payload.org === 'number' ? { group: { id: String(payload.org) } } : {}

export interface Queue {
  /** The job is there once `tx` is committed, and never was if it is not. */
  enqueue<Payload extends object>(
    tx: Db,
    kind: JobKind<Payload>,
    payload: Payload,
    options?: { afterSeconds?: number },
  ): Promise<void>
  close(): Promise<void>
}

/** A process that was killed gives no sign of life: its jobs go to another. */
const HEARTBEAT_SECONDS = 30

/** Jobs say by themselves when to give up: this only keeps a broken one from running every second. */
const QUEUE_OPTIONS = {
  policy: 'standard',
  notify: true,
  retryLimit: 1000,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 60,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  expireInSeconds: 23 * 3600,
} as const

export const createJobQueue = (boss: PgBoss, name: string) => boss.createQueue(name, QUEUE_OPTIONS)

/** pg-boss's text with $1, $2 … as a statement of ours. */
function statement(text: string, values: readonly unknown[]): Sql {
  const places = [...text.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place) - 1)
  return new Sql(
    text.split(/\$\d+/),
    places.map((place) => values[place] as RawValue),
  )
}

/** A transaction as pg-boss wants it. */
const inside = (tx: Db) => ({
  executeSql: async (text: string, values: unknown[] = []) => ({
    rows: await tx.many<object>(statement(text, values)),
  }),
})

/** Opens its part of the database when the first job is handed over: most processes never do. */
export function createQueue(pool: Pool, log: Logger): Queue {
  let opening: Promise<PgBoss> | undefined
  const known = new Set<string>()
  const open = async () => {
    const boss = new PgBoss({ db: onPool(pool), schema: SCHEMA, supervise: false, schedule: false })
    logErrors(boss, log)
    await boss.start()
    return boss
  }
  const opened = () => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
  return {
    async enqueue(tx, { name }, payload, { afterSeconds = 0 } = {}) {
      const boss = await opened()
      if (!known.has(name)) await createJobQueue(boss, name)
      known.add(name)
      await boss.send(name, payload, { ...groupOf(payload), startAfter: afterSeconds, db: inside(tx) })
    },
    close: async () => (await opening?.catch(() => undefined))?.stop({ graceful: false, close: false }),
  }
}
