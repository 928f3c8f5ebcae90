// A queue of jobs that run once, soon, on any node. A job is queued in the transaction that needs it.
import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { type RawValue, Sql } from 'sql-template-tag'
import type { Db, Pool } from '../db/pool.ts'
import { logErrors, onPool, SCHEMA } from './boss.ts'

/** The name of a job (resource.verb) and the type of its payload: ids, from which the job reads all other data. */
export interface JobKind<Payload extends object> {
  name: string
  /** Never set: it links the type of the payload to the name. */
  payload?: Payload
}

export const defineJob = <Payload extends object>(name: string): JobKind<Payload> => ({ name })

/** Jobs of one organization form a group, whose jobs run one at a time on a node. */
const groupOf = (payload: object) =>
  'org' in payload && typeof payload.org === 'number' ? { group: { id: String(payload.org) } } : {}

export interface Queue {
  /** The job exists when `tx` is committed; a rollback removes it. */
  enqueue<Payload extends object>(
    tx: Db,
    kind: JobKind<Payload>,
    payload: Payload,
    options?: { afterSeconds?: number },
  ): Promise<void>
  close(): Promise<void>
}

/** A killed process sends no heartbeats: another process runs its jobs again. */
const HEARTBEAT_SECONDS = 30

/** Jobs decide themselves when to give up. These options only prevent a broken job from running every second. */
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

/** Converts a text of pg-boss with $1, $2 … to a statement of the service. */
function statement(text: string, values: readonly unknown[]): Sql {
  const places = [...text.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place) - 1)
  return new Sql(
    text.split(/\$\d+/),
    places.map((place) => values[place] as RawValue),
  )
}

/** A transaction with the interface that pg-boss requires. */
const inside = (tx: Db) => ({
  executeSql: async (text: string, values: unknown[] = []) => ({
    rows: await tx.many<object>(statement(text, values)),
  }),
})

/** Opens pg-boss when the first job is queued: most processes never queue one. */
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
