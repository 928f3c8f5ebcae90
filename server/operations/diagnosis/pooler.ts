// Whether the pooler between the service and its database can be used. It may be replaced while the service runs.
import type pg from 'pg'
import { LOSES_STATEMENTS } from '../../db/causes.ts'
import type { Pooled } from '../../db/connections.ts'
import { connectionAddress } from '../../db/explain.ts'
import { connectToPooler, keepsStatements } from '../../db/pooler-check.ts'
import type { Finding } from './finding.ts'

type Connection = pg.ClientConfig & Pooled

/** A good pooler is checked again after the longer time: a check takes several connections. */
const KEPT_MS = { good: 60_000, other: 2000 }

/** Caches whether a pooler is good. @param ask resolves with undefined if unknown; the last result is then kept */
export function watchPooler(ask: () => Promise<boolean | undefined>, now = () => performance.now()) {
  let known: boolean | undefined
  let dueMs = 0
  let running: Promise<void> | undefined
  const look = async () => {
    const isGood = await ask()
    known = isGood ?? known
    dueMs = now() + (isGood ? KEPT_MS.good : KEPT_MS.other)
    running = undefined
  }
  const refresh = () => {
    if (now() >= dueMs) running ??= look()
    return running
  }
  return {
    /** The last result. The next check runs in the background. */
    last(): boolean | undefined {
      void refresh()
      return known
    },
    async current(): Promise<boolean | undefined> {
      await refresh()
      return known
    },
  }
}

const check = 'pooler'
const direct: Finding = { check, status: 'ok', detail: 'connections lead to PostgreSQL directly' }

type Watch = ReturnType<typeof watchPooler>
const watches = new WeakMap<Connection, Watch>()

function watchOf(connection: Connection): Watch {
  const watch = watches.get(connection) ?? watchPooler(() => keepsStatements(connectToPooler(connection)))
  watches.set(connection, watch)
  return watch
}

function judge(isGood: boolean | undefined, connection: Connection): Finding {
  if (isGood) return { check, status: 'ok', detail: 'it keeps prepared statements' }
  if (isGood === undefined)
    return { check, status: 'ok', detail: 'whether it keeps prepared statements could not be told' }
  return {
    check,
    status: 'fail',
    detail: `the database at ${connectionAddress(connection)} cannot be used: ${LOSES_STATEMENTS.cause}`,
    advice: LOSES_STATEMENTS.step,
  }
}

interface Asked {
  connection: Connection
}

export const examinePooler = async ({ connection }: Asked): Promise<Finding> =>
  connection.isPooled ? judge(await watchOf(connection).current(), connection) : direct

/** The result of the last check: checking a busy pooler takes longer than a probe waits. */
export const recallPooler = ({ connection }: Asked): Finding =>
  connection.isPooled ? judge(watchOf(connection).last(), connection) : direct
