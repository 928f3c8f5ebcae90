// Whether the pooler between the service and its database can be used: it may be replaced while the service runs.
import type { Config } from '../config.ts'
import { LOSES_STATEMENTS } from '../db/causes.ts'
import { externalConnection } from '../db/database.ts'
import { placeOf } from '../db/explain.ts'
import { connectToPooler, keepsStatements } from '../db/pooler-check.ts'
import type { Finding } from './finding.ts'

type Asked = Pick<Config, 'databaseUrl' | 'databasePooler'>

/** A good pooler is asked again after the longer time: the question takes several connections. */
const KEPT_MS = { good: 60_000, other: 2000 }

/** Remembers whether a pooler is good. @param ask undefined: it could not be told, and what was known stays */
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
    /** As it was found last; the next look goes on in the background. */
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
const watches = new WeakMap<Asked, Watch>()

function watchOf(config: Asked, connection: ReturnType<typeof externalConnection>): Watch {
  const watch = watches.get(config) ?? watchPooler(() => keepsStatements(connectToPooler(connection)))
  watches.set(config, watch)
  return watch
}

function judge(isGood: boolean | undefined, connection: ReturnType<typeof externalConnection>): Finding {
  if (isGood) return { check, status: 'ok', detail: 'it keeps prepared statements' }
  if (isGood === undefined)
    return { check, status: 'ok', detail: 'whether it keeps prepared statements could not be told' }
  return {
    check,
    status: 'fail',
    detail: `the database at ${placeOf(connection)} cannot be used: ${LOSES_STATEMENTS.cause}`,
    advice: LOSES_STATEMENTS.step,
  }
}

export async function examinePooler({ config }: { config: Asked }): Promise<Finding> {
  if (config.databaseUrl === undefined || config.databasePooler === 'none') return direct
  const connection = externalConnection(config.databaseUrl, config)
  return judge(await watchOf(config, connection).current(), connection)
}

/** As the last look found it: a busy pooler takes longer than a probe waits. */
export function recallPooler({ config }: { config: Asked }): Finding {
  if (config.databaseUrl === undefined || config.databasePooler === 'none') return direct
  const connection = externalConnection(config.databaseUrl, config)
  return judge(watchOf(config, connection).last(), connection)
}
