// A person whose data is in every place, and a search for this data in everything that an organization has.
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import sql, { raw } from 'sql-template-tag'
import { expect } from 'vitest'
import { DASHBOARD_BUCKET } from '../../contract/buckets.ts'
import type { UploadUrl } from '../../contract/files.ts'
import type { FileService } from '../files/files.fixture.ts'
import { imported, mapping } from '../imports/imports.fixture.ts'
import type { SignedInMember } from '../test/dashboard-client.ts'
import type { Org } from '../test/factories.ts'
import { organizationTables } from '../test/organization-data.ts'
import type { Receiver } from '../test/receiver.ts'
import { insertEndpoint } from '../webhooks/endpoint.fixture.ts'
import { insertWorkflow } from '../workflows/workflow.fixture.ts'

/** Texts, of which every value of the person contains one. */
export const MARKERS = [
  'zorblax',
  'quuxley',
  '4155550199',
  'vextrune',
  'oldvalue',
  'merrygold',
  'plimsol',
  'nibwort',
]

const CSV = `First,Last,Email,Phone
Zorblax,Quuxley,zorblax@vextrune.example,+14155550199
Other,Person,other@example.com,+14155550123
Zorblax,Quuxley,zorblax@vextrune.example.broken@@,+14155550199
`

export interface Everywhere {
  org: Org
  admin: SignedInMember
  person: string
  /** A record that was merged into the person. */
  loser: string
  company: string
  /** Another person, whose data must stay. */
  other: string
  ownActivity: string
  sharedActivity: string
}

interface Made {
  id: string
}

async function made(reply: Promise<{ status: number; body: unknown }>): Promise<string> {
  const { status, body } = await reply
  expect([status, body]).toMatchObject([expect.toSatisfy((code) => code === 200 || code === 201), {}])
  return (body as Made).id
}

const PEOPLE = '/objects/people/records'

async function automate(service: FileService, { org, userId }: Org, receiver: Receiver): Promise<void> {
  const { ctx } = service
  await insertEndpoint(ctx, org, { url: receiver.url })
  receiver.answer(({ body }) => ({ status: 200, body: body.toString() }))
  const email = '{{trigger.data.email}}'
  await insertWorkflow(ctx, { org, userId }, {
    trigger: 'record/updated',
    triggerConfig: { objectId: 'people' },
    steps: [
      { key: 'found', type: 'find_records', config: { object: 'people', limit: 10 } },
      { key: 'mail', type: 'send_email', config: { to: email, subject: `Hello ${email}`, text: email } },
      { key: 'wait', type: 'delay', config: { seconds: 86400 } },
    ],
  } as never)
}

async function findImported(org: Org, email: string): Promise<string> {
  const { body } = await org.get<{ records: Made[] }>(`${PEOPLE}?filter[email][equals]=${email}`)
  return body.records[0]?.id ?? ''
}

export async function attach(
  service: FileService,
  admin: SignedInMember,
  place: string,
  name: string,
): Promise<string> {
  const asked = { bucket: DASHBOARD_BUCKET, path: `${name}/${name}.png` }
  const { body } = await admin.post<UploadUrl>('/files/upload-url', asked)
  const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(name)])
  expect((await service.put(body.signedUrl, png)).statusCode).toBe(200)
  return made(admin.post(place, { url: body.publicUrl, name: `${name}.png` }))
}

async function discuss(service: FileService, org: Org, person: string): Promise<void> {
  await made(org.post(`${PEOPLE}/${person}/comments`, { text: 'Plimsol is a nibwort' }))
  await service.ctx.db.run(sql`
    insert into notifications (org, id, user_id, kind, key, subject_type, subject, note, is_shown, mail)
    values (${org.org}, uuidv7(), ${org.userId}, 'reminder', 'call', 'record', ${person}, 'Call Zorblax', true, 'off')`)
}

/** Definitions that named the person: of a report when it was run, and others. */
async function report(admin: SignedInMember): Promise<void> {
  const definition = {
    name: 'Names',
    source: { objectId: 'people', alias: 'person' },
    columns: [{ key: 'email', field: 'person.email' }],
  }
  const filters = { field: 'person.email', operator: 'contains', value: 'zorblax@vextrune.example' }
  const id = await made(admin.post('/reports', { definition: { ...definition, filters } }))
  expect((await admin.post(`/reports/${id}/run`)).status).toBe(201)
  const edited = await admin.patch(`/reports/${id}`, { definition })
  expect([edited.status, edited.body]).toMatchObject([200, {}])
  await define(admin)
}

/** An older version of a workflow, and a view of an object in the trash, that name the person. */
async function define(admin: SignedInMember): Promise<void> {
  const stepOf = (to: string) => ({
    key: 'mail',
    type: 'send_email',
    config: { to, subject: 'Hello', text: 'Hello' },
  })
  const triggerConfig = { objectId: (await admin.get<Made>('/objects/people')).body.id }
  const definitionOf = (to: string) => ({ trigger: 'record/updated', triggerConfig, steps: [stepOf(to)] })
  const workflow = { name: 'Mail', definition: definitionOf('zorblax@vextrune.example') }
  const id = await made(admin.post('/workflows', workflow))
  const saved = { definition: definitionOf('team@example.com'), basedOn: 1 }
  const edited = await admin.put(`/workflows/${id}/definition`, saved)
  expect([edited.status, edited.body]).toMatchObject([200, { version: 2 }])
  const object = { singularName: 'Pet', pluralName: 'Pets', slug: 'pets' }
  await made(admin.post('/objects', object))
  await made(admin.post('/objects/pets/attributes', { name: 'Name', type: 'text' }))
  const filter = { attributeSlug: 'name', operator: 'contains', value: 'Zorblax Quuxley' }
  const state = { version: 1, columns: [{ slug: 'name' }], filter }
  await made(admin.post('/objects/pets/views', { name: 'Zorblax Quuxley', isShared: true, state }))
  expect((await admin.delete('/objects/pets')).status).toBe(200)
}

/** Makes an import, edits, a merge, activities, files, workflows, webhooks, a report and kept answers. */
export async function buildEverywhere(service: FileService, receiver: Receiver): Promise<Everywhere> {
  const org = await service.org()
  const admin = await org.member('admin')
  await automate(service, org, receiver)
  const settings = { mapping: mapping('name.firstName', 'name.lastName', 'email', 'phone') }
  expect((await imported(service, admin, { text: CSV, ...settings })).progress).toMatchObject({
    created: 2,
    failed: 1,
  })
  const person = await findImported(org, 'zorblax@vextrune.example')
  const other = await findImported(org, 'other@example.com')
  const company = await made(org.post('/objects/companies/records', { data: { name: 'Acme' } }))
  const key = { 'idempotency-key': 'edit-zorblax' }
  await made(org.patch(`${PEOPLE}/${person}`, { data: { job_title: 'Oldvalue maker', company } }, key))
  await made(
    org.patch(
      `${PEOPLE}/${person}`,
      { data: { job_title: 'Director of sales' } },
      { 'idempotency-key': '2' },
    ),
  )
  await made(org.patch(`${PEOPLE}/${other}`, { data: { job_title: 'Colleague' } }))
  await made(org.post('/objects/deals/records', { data: { name: 'Deal', contact: person } }))
  const loser = await made(
    org.post(PEOPLE, { data: { name: 'Merrygold Quuxley' } }, { 'idempotency-key': '3' }),
  )
  expect((await org.post(`${PEOPLE}/merge`, { winnerId: person, loserIds: [loser] })).status).toBe(200)
  const { objectId = '' } = (await org.get<Record<string, string>>(`${PEOPLE}/${person}`)).body
  const linkedRecords = [{ objectId, recordId: person }]
  const ownActivity = await made(
    org.post('/activities', { title: 'Plimsol', summary: 'Nibwort', linkedRecords }),
  )
  const sharedActivity = await made(
    org.post('/activities', {
      title: 'Offsite',
      linkedRecords: [...linkedRecords, { objectId, recordId: other }],
    }),
  )
  await attach(service, admin, `${PEOPLE}/${person}/attachments`, 'vextrune')
  await attach(service, admin, `/activities/${ownActivity}/attachments`, 'plimsol')
  await discuss(service, org, person)
  await report(admin)
  await service.runWorkflows()
  await service.deliver()
  return { org, admin, person, loser, company, other, ownActivity, sharedActivity }
}

const unpacked = (hex: string): string => {
  const bytes = Buffer.from(hex, 'hex')
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes).toString() : bytes.toString('latin1')
}

/** A row as text, with its unpacked bytes. */
export const readable = (row: string) =>
  row + [...row.matchAll(/\\x([0-9a-f]+)/g)].map(([, hex = '']) => unpacked(hex)).join(' ')

/** The texts that a place contains. */
export const found = (where: string, text: string, markers: readonly string[]) =>
  markers.filter((marker) => text.toLowerCase().includes(marker)).map((marker) => `${marker} in ${where}`)

/** Every place that contains one of the texts, in the database with its jobs, and in the data folder. */
export async function findMarkers(
  service: FileService,
  { org }: Pick<Org, 'org'>,
  markers: readonly string[] = MARKERS,
): Promise<string[]> {
  const { db, directory } = service.ctx
  const places: string[] = []
  for (const table of await organizationTables(db))
    for (const { row } of await db.many<{ row: string }>(
      sql`select t::text as row from ${raw(table)} t where org = ${org}`,
    ))
      places.push(...found(table, readable(row), markers))
  const others = [
    ...(await directory.many<{ row: string }>(sql`select t::text as row from outgoing_mail t`)),
    ...(await db.many<{ row: string }>(sql`select j::text as row from pgboss.job j`)),
  ]
  for (const { row } of others) places.push(...found('mail or jobs', row, markers))
  for (const file of await service.onDisk())
    places.push(...found(file, `${file} ${(await readFile(file)).toString('latin1')}`, markers))
  return [...new Set(places)]
}
