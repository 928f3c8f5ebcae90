// Prepares the database before a process uses it.
import type { Logger } from 'pino'
import { type MigrationListener, migrate } from '../db/migrate.ts'
import { errorCode, type Pool } from '../db/pool.ts'
import { isDiskFull } from '../db/unavailable.ts'
import { ensureEventOrder } from '../events/clock.ts'
import { ensurePartitions } from '../events/partitions.ts'

const LOCK_NOT_AVAILABLE = '55P03'

const summary = (names: readonly string[]) => ({
  migrations: names.length,
  first: names[0],
  last: names.at(-1),
})

const logging = (log: Logger): MigrationListener => ({
  onPending: (names) => log.info(summary(names), 'the database is being migrated'),
  onNewer: (names) =>
    log.warn(summary(names), 'a newer version has migrated the database, and this version works with it'),
  onBlocked: (blocker) =>
    log.warn(
      { blocker },
      'a migration waits for tables that are in use, and is tried again: blocker is the longest transaction',
    ),
})

/** Applies migrations, and makes the partitions that the service needs. @returns names of the applied migrations */
export async function prepareDatabase(pool: Pool, log: Logger): Promise<string[]> {
  const startedAt = performance.now()
  const migrated = await migrate(pool, logging(log))
  if (migrated.length > 0)
    log.info(
      { ...summary(migrated), ms: Math.round(performance.now() - startedAt) },
      'the database is migrated',
    )
  await ensurePartitions(pool, new Date()).catch((error: unknown) => {
    // Partitions are made a week ahead. Events without a partition go to the default one.
    const isFull = isDiskFull(error)
    if (!isFull && errorCode(error) !== LOCK_NOT_AVAILABLE) throw error
    const cause = isFull ? 'a full disk prevents' : 'a long transaction blocks'
    log.warn(`${cause} the creation of event partitions: it is tried again every hour`)
  })
  if (await ensureEventOrder(pool))
    log.warn('this database was restored on another server: new events continue after the restored ones')
  return migrated
}
