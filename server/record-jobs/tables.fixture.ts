// Imports tables by a job, and returns the outcome that the command prints.
import { expect } from 'vitest'
import type { NewJob } from '../../contract/jobs.ts'
import type { FailedFileRow } from '../imports/failed-file.ts'
import { batchesOf } from '../jobs/batch-size.fixture.ts'
import type { Org } from '../test/factories.ts'
import type { SharedService } from '../test/shared-service.ts'
import { jobOf, never, queuedJob, work } from './jobs.fixture.ts'
import { failedRowsOf, type ImportOutcome, outcomeOf } from './outcome.ts'

const BATCH_ROWS = 1000

export type ImportedTable = ImportOutcome & { failures: FailedFileRow[] }

/** Imports like `rapport import`, with formats of dates and numbers detected from the file. */
export async function importTable(
  service: SharedService,
  org: Org,
  text: string | Buffer,
  body: Partial<NewJob> = {},
): Promise<ImportedTable> {
  const job = await queuedJob(org, text, { format: 'csv', dates: 'auto', decimal: 'auto', ...body })
  await work(service, org, job, never, batchesOf(BATCH_ROWS))
  const ended = await jobOf(org, job)
  expect(ended).toMatchObject({ status: 'completed' })
  const failures = await Array.fromAsync(failedRowsOf(service.ctx, { org: org.org, id: job.id }))
  return { ...(await outcomeOf(service.ctx, org.org, ended)), failures }
}
