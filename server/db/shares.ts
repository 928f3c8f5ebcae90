// Shares the connections of the pool between organizations. Each organization holds at most its share and has a
// separate queue. The next free connection goes to the organization that holds the fewest. If an organization exceeds
// its sustained use while others use the database, it gets fewer connections, with a lower processor priority.
//
// Avoids deadlocks: a transaction holds a place and may, by a bug, request a second connection. Such a request does not
// wait for places, but uses the separate `NESTED` connections. A request for a third connection is refused if none of
// them is free. So no holder of a connection waits for a request that waits for it.
import { AsyncLocalStorage } from 'node:async_hooks'
import { rateLimited, unavailable } from '../base/errors.ts'
import {
  createKeyedSemaphore,
  type KeyedSemaphore,
  NoPlaceError,
  type Release,
} from '../base/keyed-semaphore.ts'
import type { Config } from '../config/config.ts'
import { createConnectionTime } from './connection-time.ts'
import type { ConnectionPermit } from './lease.ts'
import type { Db, Pool } from './pool.ts'
import { createProbe } from './responds.ts'

/** The number of an organization, or the name of a share for work that belongs to no organization. */
export type ShareOf = number | 'entrance' | 'files' | 'inserts' | 'pages' | 'reads' | 'service' | 'updates'

/**
 * `request`: the wait is limited, after which the request is refused with 429 or 503.
 * `background`: no time limit in the queue, since no client waits.
 */
export type Patience = 'request' | 'background'

export interface Shares {
  of(key: ShareOf, patience: Patience): Db
  /** Permits for connections that are not from the shared places: use is counted, without a wait. */
  outside(key: ShareOf): () => Promise<ConnectionPermit>
  readonly usage: { taken: number; waiting: number }
}

export interface ShareOptions {
  /** Connections for all requests and jobs. */
  places: number
  /** The most connections of one organization at a time. */
  perKey: number
  /** The most connections of one organization in constant use, while others use the database. */
  sustained: number
  waitMs: number
  /** How many requests of an organization may wait. */
  waitingMax: number
  /** A monotonic clock in milliseconds. */
  now?: () => number
}

export const sharesOf = (
  config: Pick<
    Config,
    | 'poolSize'
    | 'connectionsPerOrganization'
    | 'sustainedConnectionsPerOrganization'
    | 'connectionWaitSeconds'
    | 'connectionWaitingMax'
  >,
): ShareOptions => ({
  places: config.poolSize,
  perKey: config.connectionsPerOrganization,
  sustained: config.sustainedConnectionsPerOrganization,
  waitMs: config.connectionWaitSeconds * 1000,
  waitingMax: config.connectionWaitingMax,
})

const NESTED = 2
/** The connections of the pool beyond `places`: for nested uses, and for the queue of jobs. */
export const SPARE_CONNECTIONS = NESTED + 1

/** A share that serves many organizations has at least two connections, so that one of them cannot block it. */
const SHARED_MIN = 2

const RETRY_AFTER_SECONDS = 2

interface Holding {
  depth: number
  isOver: boolean
}

const tooMany = (max: number, isOver: boolean) =>
  isOver
    ? `Your organization has used the database heavily for a while, so only ${max} of its requests can use it at a time. Send fewer requests at the same time, or ask the operator to raise DATABASE_SUSTAINED_CONNECTIONS_PER_ORGANIZATION`
    : `Your organization has too many requests in flight: only ${max} can use the database at a time. Send fewer requests at the same time, or ask the operator to raise DATABASE_CONNECTIONS_PER_ORGANIZATION`

interface Bound {
  /** How many requests of the organization may use the database at a time. */
  max: number
  isOver: boolean
}

/** The error for the client. @param responds whether the database responds; if not, the load is not the cause */
async function refusal(
  error: unknown,
  { max, isOver }: Bound,
  responds: () => Promise<boolean>,
): Promise<unknown> {
  if (!(error instanceof NoPlaceError)) return error
  if (!(await responds())) return unavailable()
  return error.reason === 'all'
    ? unavailable('All connections to the database are in use: try again shortly')
    : rateLimited(RETRY_AFTER_SECONDS, tooMany(max, isOver))
}

/** A place among the `NESTED` connections, for a holder of `depth` connections. */
async function nestedPlace(nested: KeyedSemaphore<'all'>, depth: number): Promise<Release> {
  if (depth === 1) return nested.acquire('all')
  const release = nested.tryAcquire('all')
  if (!release) throw unavailable('All connections to the database are in use: try again shortly')
  return release
}

export function createShares(
  pool: Pool,
  { places, perKey, sustained, waitMs, waitingMax, now }: ShareOptions,
): Shares {
  const time = createConnectionTime<ShareOf>({ sustained, ...(now && { now }) })
  const isOver = (key: ShareOf) => typeof key === 'number' && time.isOver(key)
  const ofName = Math.max(perKey, SHARED_MIN)
  const ofOrganization = (key: ShareOf) => (isOver(key) ? Math.min(sustained, perKey) : perKey)
  const maxOf = (key: ShareOf) => (typeof key === 'string' ? ofName : ofOrganization(key))
  const shared = createKeyedSemaphore<ShareOf>({ places, perKey: maxOf })
  const nested = createKeyedSemaphore<'all'>({ places: NESTED, perKey: NESTED })
  const responds = createProbe(pool.ask)
  const holding = new AsyncLocalStorage<Holding>()

  const outside = (key: ShareOf): ConnectionPermit => ({
    hasLowPriority: isOver(key),
    run: (work) => work(),
    release: time.use(key),
  })

  const placeFor = (key: ShareOf, release: Release, depth: number): ConnectionPermit => {
    const held: Holding = { depth, isOver: false }
    const { release: stopUse, ...counted } = outside(key)
    return {
      ...counted,
      run: (work) => holding.run(held, work),
      release() {
        held.isOver = true
        stopUse()
        release()
      },
    }
  }

  async function enter(key: ShareOf, patience: Patience): Promise<ConnectionPermit> {
    const outer = holding.getStore()
    if (outer && !outer.isOver) return placeFor(key, await nestedPlace(nested, outer.depth), outer.depth + 1)
    const bounds = patience === 'request' ? { waitMs, waitingMax } : {}
    const refused = async (error: unknown) => {
      throw await refusal(error, { max: maxOf(key), isOver: isOver(key) }, responds)
    }
    const release = shared.tryAcquire(key) ?? (await shared.acquire(key, bounds).catch(refused))
    return placeFor(key, release, 1)
  }

  return {
    of: (key, patience) => pool.behind(() => enter(key, patience)),
    outside: (key) => async () => outside(key),
    get usage() {
      return shared.usage
    },
  }
}
