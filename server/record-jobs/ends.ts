// The end of a job, which an import that it runs ends with.
import type { JobStatus } from '../../contract/jobs.ts'
import type { Db } from '../db/pool.ts'
import { notify } from '../notifications/notify.ts'
import { followJob } from './import-run-store.ts'
import { completeJob, endJob, type JobRef } from './store.ts'

/** Who started an import may have left the page: it ended. */
async function followEnd(tx: Db, ref: JobRef): Promise<void> {
  const run = await followJob(tx, ref)
  if (run?.state !== 'completed' && run?.state !== 'failed') return
  await notify(tx, { org: ref.org, userId: null }, [
    {
      userId: run.startedBy,
      kind: 'import',
      key: `import:${ref.id}:${run.generation}`,
      subject: { type: 'import', id: ref.id },
      ...(run.error !== null && { note: run.error }),
    },
  ])
}

export async function complete(tx: Db, ref: JobRef): Promise<void> {
  await completeJob(tx, ref)
  await followEnd(tx, ref)
}

/** @returns false: it has ended before, and stays as it is */
export const end = (db: Db, ref: JobRef, how: { status: JobStatus; error?: string }): Promise<boolean> =>
  db.transaction(async (tx) => {
    if ((await endJob(tx, ref, how)) === 0) return false
    await followEnd(tx, ref)
    return true
  })
