// An organization with data of most kinds, and digests of its rows.
import sql from 'sql-template-tag'
import type { Context } from '../../context.ts'
import { createRecord, type Org } from '../../test/factories.ts'
import { dataOf } from '../../test/organization-data.ts'
import { insertEndpoint } from '../../webhooks/endpoint.fixture.ts'
import { insertWorkflow, step } from '../../workflows/workflow.fixture.ts'

export const PEOPLE = '/objects/people/records'

/** A digest for each table with rows of the organization, except tables about moves. */
export async function rowsIn({ db }: Pick<Context, 'db'>, { org }: Pick<Org, 'org'>) {
  const found = Object.entries(await dataOf(db, org)).filter(
    ([name, rows]) => !/^organizations$|move/.test(name) && !rows.startsWith('0 rows'),
  )
  return Object.fromEntries(found)
}

export const create = async (org: Org, data: object, headers?: Record<string, string>) =>
  (await createRecord(org, 'people', data, headers)).id

/** Uploads a file. @returns its public path */
export async function upload(
  org: Org,
  inject: (options: object) => Promise<{ statusCode: number }>,
  path: string,
) {
  const asked = { bucket: 'docs', path, contentType: 'text/plain' }
  const { body } = await org.post<{ signedUrl: string; publicUrl: string }>('/files/upload-url', asked)
  const put = new URL(body.signedUrl)
  await inject({
    method: 'PUT',
    url: put.pathname + put.search,
    headers: { 'content-type': 'text/plain' },
    payload: 'hello',
  })
  return new URL(body.publicUrl).pathname
}

/** Adds records with references and unique values, activities, a report, an endpoint, a schedule and a waiting run. */
export async function fill(ctx: Context, org: Org, endpoint: string): Promise<void> {
  for (let n = 0; n < 30; n++) await create(org, { name: `Person ${n}`, email: `p${n}@example.com` })
  const { body } = await org.post<{ id: string }>('/objects/companies/records', { data: { name: 'Acme' } })
  await org.patch(`${PEOPLE}/${await create(org, { name: 'Ada' })}`, { data: { company: body.id } })
  await org.post('/activities', { title: 'Called', activityDate: '2026-11-20T10:00:00Z' })
  await org.post('/objects', { pluralName: 'Boats', singularName: 'Boat' })
  await insertEndpoint(ctx, org.org, { url: endpoint })
  await insertWorkflow(ctx, org, {
    trigger: 'schedule',
    triggerConfig: { cron: '0 9 1 1 *' },
    steps: [step('create_record', { object: 'companies', data: { name: 'New year' } })],
  })
  await ctx.db.run(sql`
    insert into index_text (org, attr, value, id) select org, attr, value, id from uniques where org = ${org.org}`)
}
