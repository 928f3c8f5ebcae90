// Is the process alive, and can it answer?
import sql from 'sql-template-tag'
import { MigrationError, pendingMigrations } from '../db/migrate.ts'
import type { Db } from '../db/pool.ts'
import { unavailable } from '../errors.ts'
import type { App } from './request.ts'

export function healthRoutes(app: App, db: Db): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

  app.get('/readyz', { schema: { hide: true } }, async () => {
    await db.one(sql`select 1 as answered`)
    const pending = await pendingMigrations(db).catch((error) => {
      throw error instanceof MigrationError ? unavailable(error.message) : error
    })
    if (pending.length > 0)
      throw unavailable(`${pending.length} migrations are not applied: run rapport migrate`)
    return { status: 'ready' }
  })
}
