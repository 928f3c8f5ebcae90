// A run of an import as an earlier version leaves it.
import sql from 'sql-template-tag'
import { WORK_ON_IMPORT } from '../imports/service.ts'
import type { ImportRef } from '../imports/store.ts'
import type { TestService } from '../test/build-app.ts'

/** Without a job, and queued under the name of that version. */
export async function makeEarlierRun({ ctx }: TestService, { org, id }: ImportRef): Promise<void> {
  await ctx.db.run(sql`delete from record_jobs where org = ${org} and id = ${id}`)
  await ctx.db.run(sql`
    update imports set settings = settings - 'isJob' where org = ${org} and id = ${id} and state = 'running'`)
  await ctx.queue.enqueue(ctx.db, WORK_ON_IMPORT, { org, id })
}
