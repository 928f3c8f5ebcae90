// Makes an organization with people, an API key, a session, a report and a workflow.
import sql from 'sql-template-tag'
import type { WorkflowStep } from '../../contract/workflows.ts'
import { newId } from '../../server/base/id.ts'
import type { Context } from '../../server/context.ts'
import { createKey } from '../../server/identity/api-keys/service.ts'
import { seedStandardObjects } from '../../server/model/objects/standard.ts'
import { insertReport } from '../../server/reports/store.ts'
import { openSession } from '../harness/sessions.ts'
import { makeWorkflow } from '../workflows/fixture.ts'

export interface Party {
  /** Part of the dashboard's URLs. */
  slug: string
  key: string
  /** Session cookie of the owner. */
  cookie: string
  report: string
  workflow: string
}

async function makeReport({ db }: Context, org: number, userId: string): Promise<string> {
  const id = newId()
  const definition = {
    name: 'People by title',
    source: { objectId: 'people', alias: 'person' },
    groupBy: [{ key: 'title', field: 'person.job_title' }],
    measures: [{ key: 'people', op: 'count' as const }],
  }
  if (!(await insertReport(db, org, { id, definition, createdBy: userId })))
    throw new Error('The report was not made')
  return id
}

/** @param steps of a workflow that is run through the API */
export async function makeParty(
  ctx: Context,
  slug: string,
  { jobTitle, people, steps }: { jobTitle: string; people: number; steps: WorkflowStep[] },
): Promise<Party> {
  const [id, userId] = [newId(), newId()]
  const { db } = ctx
  const { org } = await db.one<{ org: number }>(
    sql`insert into organizations (id, name, slug) values (${id}, ${slug}, ${slug}) returning org`,
  )
  await db.run(sql`
    insert into users (id, name, email, email_verified) values (${userId}, ${slug}, ${`${slug}@example.com`}, true)`)
  await db.run(sql`
    insert into members (id, organization_id, user_id, role) values (${newId()}, ${id}, ${userId}, 'owner')`)
  await db.transaction((tx) => seedStandardObjects(tx, org))
  await db.run(sql`
    insert into records (org, obj, id, updated_at, data)
    select org, obj, uuidv7(), now(), jsonb_build_object('name', jsonb_build_object('lastName', 'Person ' || n),
      'job_title', ${jobTitle}::text || n % 20)
    from objects, generate_series(1, ${people}::int) as n where org = ${org} and slug = 'people'`)
  const { key } = await createKey(ctx, org, { name: 'Bench', scopes: null, createdBy: userId })
  const { obj } = await db.one<{ obj: number }>(
    sql`select obj from objects where org = ${org} and slug = 'people'`,
  )
  const workflow = await makeWorkflow(ctx, { org, obj, key, userId }, { trigger: 'manual', steps })
  const report = await makeReport(ctx, org, userId)
  return { slug, key, cookie: await openSession(ctx, userId), report, workflow }
}
