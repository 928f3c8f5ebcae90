// An erasure keeps the data of others, also if it contains words of the erased record, over HTTP.
import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { PrivacyRequest } from '../../contract/privacy.ts'
import { imported, mapping } from '../imports/imports.fixture.ts'
import { buildTestService } from '../test/build-app.ts'
import type { SignedInMember } from '../test/dashboard-client.ts'
import { createRecord, type Org } from '../test/factories.ts'
import { insertWorkflow } from '../workflows/workflow.fixture.ts'

const service = await buildTestService()
const { db } = service.ctx
const PEOPLE = '/objects/people/records'

const make = async (org: Org, object: string, data: object, headers?: Record<string, string>) =>
  (await createRecord(org, object, data, headers)).id

/** A workflow whose open run waits, with the data that it has read. */
const waitAfter = (org: Org, object: string, then: object[] = []) =>
  insertWorkflow(service.ctx, org, {
    trigger: 'record/created',
    triggerConfig: { objectId: object },
    steps: [...then, { key: 'wait', type: 'delay', config: { seconds: 86400 } }],
  } as never)

async function report(admin: SignedInMember, objectId: string, field: string): Promise<void> {
  const definition = {
    name: `Values of ${objectId}`,
    source: { objectId, alias: 'one' },
    columns: [{ key: 'value', field: `one.${field}` }],
  }
  const { body } = await admin.post<{ id: string }>('/reports', { definition })
  expect((await admin.post(`/reports/${body.id}/run`)).status).toBe(201)
}

const TABLES = [
  'workflow_runs',
  'workflow_run_values',
  'workflow_run_steps',
  'imports',
  'import_chunks',
  'import_failures',
  'report_runs',
  'idempotent_answers',
  'notifications',
]

async function everything({ org }: Org): Promise<Record<string, string[]>> {
  const rows = TABLES.map(async (table) => {
    const found = await db.many<{ row: string }>(
      sql`select t::text as row from ${raw(table)} t where org = ${org} order by 1`,
    )
    return [table, found.map(({ row }) => row)] as const
  })
  return Object.fromEntries(await Promise.all(rows))
}

async function erase(org: Org, person: string, object = 'people'): Promise<PrivacyRequest> {
  const path = `/objects/${object}/records/${person}/erasure`
  const { body } = await org.post<PrivacyRequest>(path, { confirm: person })
  await service.drain()
  const done = (await org.get<PrivacyRequest>(`/privacy/requests/${body.id}`)).body
  expect(done.state).toBe('completed')
  return done
}

const CSV = `First,Last,Email,Title
Mark,Hall,mark.hall@example.com,Owner
Ann,Market,jo.ann@example.com,Lead
Ann,Lee-Hall,not an email,Senior lead
`

/** Runs, files, results, answers and notifications of others, with words that anyone may use. */
async function buildOthers(): Promise<Org> {
  const org = await service.org()
  const admin = await org.member('admin')
  await waitAfter(org, 'deals', [
    { key: 'found', type: 'find_records', config: { object: 'companies', limit: 10 } },
  ])
  const settings = { mapping: mapping('name.firstName', 'name.lastName', 'email', 'job_title') }
  await imported(service, admin, { text: CSV, ...settings })
  await make(org, 'companies', { name: 'Hall of Market Leads' })
  const deal = { name: 'Market lead of the owner', stage: 'Lead', owner: org.userId }
  await make(org, 'deals', deal, { 'idempotency-key': 'lead' })
  await report(admin, 'deals', 'stage')
  await report(admin, 'people', 'email')
  await db.run(sql`
    insert into notifications (org, id, user_id, kind, key, subject_type, subject, note, is_shown, mail)
    values (${org.org}, uuidv7(), ${org.userId}, 'reminder', 'call', 'record', uuidv7(), 'Call the owner of Lead, Olivia Owner',
      true, 'off')`)
  await service.runWorkflows()
  return org
}

test('common words, names of the model and of members, and parts of longer values match no other data', async () => {
  const org = await buildOthers()
  const before = await everything(org)
  expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([])
  for (const data of [
    { name: { firstName: 'Mark' }, job_title: 'Owner', email: 'ann@example.com' },
    { name: { firstName: 'Lead', lastName: 'Owner' }, job_title: 'Senior lead' },
    { name: { firstName: 'Ann', lastName: 'Lee' }, job_title: 'Lead' },
    { name: { firstName: 'Olivia', lastName: 'Owner' }, job_title: 'record/created' },
    { name: { firstName: 'Wait', lastName: '%' }, job_title: 'firstName' },
  ])
    await erase(org, await make(org, 'people', data))
  expect(await everything(org)).toEqual(before)
})

test('a value of the person that a record of another object has too is no marker', async () => {
  const org = await service.org()
  await org.post('/objects/companies/attributes', { name: 'Contact', slug: 'contact', type: 'email' })
  await make(org, 'companies', { name: 'Acme', contact: 'info@acme.example' }, { 'idempotency-key': 'acme' })
  const person = await make(org, 'people', { name: 'Zorblax', email: 'info@acme.example' })
  const before = await everything(org)
  await erase(org, person)
  expect(await everything(org)).toEqual(before)
})

test('values of the person are found in every spelling of a name, without the id', async () => {
  const org = await service.org()
  const admin = await org.member('admin')
  const text = 'Last;First\nQuuxley;Zorblax\nHall;Mark\n'
  await imported(service, admin, { text, mapping: mapping('name.lastName', 'name.firstName') })
  const found = await org.get<{ records: { id: string }[] }>(`${PEOPLE}?q=Quuxley`)
  await waitAfter(org, 'companies')
  await make(org, 'companies', { name: 'Friends of Zorblax  Quuxley, Inc.' })
  await make(org, 'companies', { name: 'Friends of Zorblax Quuxley-Hall' })
  await report(admin, 'people', 'name')
  await service.runWorkflows()
  const { counts } = await erase(org, found.body.records[0]?.id ?? '')
  expect(counts).toMatchObject({ imports: 1, reportRuns: 1, runs: 1 })
})
