// One service and database for all test files of a worker that read only their own organizations. Building a service
// takes longer than most of these files.
import sql from 'sql-template-tag'
import { afterFile } from './after-file.ts'
import { buildTestService, serveTests, type TestService } from './build-app.ts'
import { TESTS_CELLS } from './cells.ts'
import { createTestDatabase } from './database.ts'

/** Without what reaches the data of earlier files: the clock, deliveries and runs of workflows. */
export type SharedService = Pick<TestService, 'app' | 'routes' | 'inject' | 'org' | 'drain'> & {
  ctx: Readonly<TestService['ctx']>
}

let shared: Promise<SharedService> | undefined

/** Nothing closes it: it ends with the process of the worker, and its database with the server. */
const untilProcessEnds = () => undefined

async function build(): Promise<SharedService> {
  const database = await createTestDatabase(untilProcessEnds)
  const service = await serveTests(database, {}, undefined, untilProcessEnds)
  // Creates the tables of the queue.
  await service.drain()
  return service
}

export async function sharedTestService(): Promise<SharedService> {
  if (TESTS_CELLS) return buildTestService()
  shared ??= build()
  const service = await shared
  // The next file that drains the queue must not execute jobs that this one left.
  afterFile(() => service.ctx.db.run(sql`delete from pgboss.job`))
  return service
}
