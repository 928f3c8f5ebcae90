// Whether the pooler between the service and its database can be used: it may be replaced while the service runs.
import type { Config } from '../config.ts'
import { LOSES_STATEMENTS } from '../db/causes.ts'
import { externalConnection } from '../db/database.ts'
import { placeOf } from '../db/explain.ts'
import { connectToPooler, keepsStatements } from '../db/pooler-check.ts'
import type { Finding } from './finding.ts'

type Asked = Pick<Config, 'databaseUrl' | 'databasePooler'>

/** A good pooler is asked again after the longer time: the question takes several connections. */
const KEPT_MS = { good: 60_000, bad: 2000 }

const known = new WeakMap<Asked, { isGood: boolean; untilMs: number }>()

async function isGood(config: Asked, connection: ReturnType<typeof externalConnection>): Promise<boolean> {
  const before = known.get(config)
  if (before && performance.now() < before.untilMs) return before.isGood
  const isGood = await keepsStatements(connectToPooler(connection))
  known.set(config, { isGood, untilMs: performance.now() + (isGood ? KEPT_MS.good : KEPT_MS.bad) })
  return isGood
}

export async function examinePooler({ config }: { config: Asked }): Promise<Finding> {
  const check = 'pooler'
  if (config.databaseUrl === undefined || config.databasePooler === 'none')
    return { check, status: 'ok', detail: 'connections lead to PostgreSQL directly' }
  const connection = externalConnection(config.databaseUrl, config)
  if (await isGood(config, connection)) return { check, status: 'ok', detail: 'it keeps prepared statements' }
  return {
    check,
    status: 'fail',
    detail: `the database at ${placeOf(connection)} cannot be used: ${LOSES_STATEMENTS.cause}`,
    advice: LOSES_STATEMENTS.step,
  }
}
