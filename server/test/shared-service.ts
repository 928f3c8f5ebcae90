// One service and database for all test files of a worker that read only their own organizations. Building a service
// takes longer than most of these files. Tests of pages have another one, which listens.
import sql from 'sql-template-tag'
import type { Pages } from '../pages/pages.ts'
import { afterFile } from './after-file.ts'
import { buildTestService, serveTests, type TestService } from './build-app.ts'
import { TESTS_CELLS } from './cells.ts'
import { createTestDatabase } from './database.ts'

/** Without what reaches the data of earlier files: the clock, deliveries and runs of workflows. */
export type SharedService = Pick<TestService, 'app' | 'routes' | 'inject' | 'org' | 'drain'> & {
  ctx: Readonly<TestService['ctx']>
}

/** Nothing closes it: it ends with the process of the worker, and its database with the server. */
const untilProcessEnds = () => undefined

async function build(pages?: Pages): Promise<SharedService> {
  const database = await createTestDatabase(untilProcessEnds)
  const service = await serveTests(database, {}, pages, untilProcessEnds)
  // Creates the tables of the queue.
  await service.drain()
  return service
}

/** Call it once per worker. @returns a function that gives each file the same service; with cells, a separate one */
export function shareTestService(pages?: Pages): () => Promise<SharedService> {
  let shared: Promise<SharedService> | undefined
  return async () => {
    if (TESTS_CELLS) return buildTestService({}, pages)
    shared ??= build(pages)
    const service = await shared
    // The next file that drains the queue must not execute jobs that this one left.
    afterFile(() => service.ctx.db.run(sql`delete from pgboss.job`))
    return service
  }
}

export const sharedTestService = shareTestService()
