// A run of an import in the state that an earlier version leaves.
import sql from 'sql-template-tag'
import { WORK_ON_IMPORT } from '../imports/service.ts'
import type { ImportRef } from '../imports/store.ts'
import type { SharedService } from '../test/shared-service.ts'

/** Removes the job, and queues the import as the earlier version did. */
export async function makeEarlierRun({ ctx }: SharedService, { org, id }: ImportRef): Promise<void> {
  await ctx.db.run(sql`delete from record_jobs where org = ${org} and id = ${id}`)
  await ctx.db.run(sql`
    update imports set settings = settings - 'isJob' where org = ${org} and id = ${id} and state = 'running'`)
  await ctx.queue.enqueue(ctx.db, WORK_ON_IMPORT, { org, id })
}
