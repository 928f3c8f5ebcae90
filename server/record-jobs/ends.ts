// Ends a job, together with the import that it runs.
import type { JobStatus } from '../../contract/jobs.ts'
import type { Db } from '../db/pool.ts'
import { notify } from '../notifications/notify.ts'
import { followJob } from './import-run-store.ts'
import { completeJob, endJob, type JobRef } from './store.ts'

/** Notifies the member who started the import, who may have left the page. */
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

/** @returns false if the job had already ended: it stays unchanged */
export const end = (db: Db, ref: JobRef, how: { status: JobStatus; error?: string }): Promise<boolean> =>
  db.transaction(async (tx) => {
    if ((await endJob(tx, ref, how)) === 0) return false
    await followEnd(tx, ref)
    return true
  })
