// One case per route: a request that succeeds. What must be refused is made from it by the tests.
import sql from 'sql-template-tag'
import { vi } from 'vitest'
import type { API } from '../../contract/api.ts'
import type { Context } from '../context.ts'
import { newId } from '../id.ts'
import { makeToken } from '../token.ts'
import { createWorkflow } from '../workflows/service.ts'
import type { TestService } from './build-app.ts'
import type { Org } from './factories.ts'

/** An organization that takes part in the tests; everything it writes carries its mark. */
export interface Party {
  ctx: Context
  org: Org
  mark: string
}

export interface RouteRequest {
  params: Record<string, string>
  query?: Record<string, string>
  body?: unknown
}

interface RouteCase {
  /** Makes what the request needs, new each time. */
  good(party: Party): Promise<RouteRequest>
}

export async function newParty(service: TestService): Promise<Party> {
  const mark = `mark-${newId().slice(-12)}`
  return { ctx: service.ctx, org: await service.org({ name: mark }), mark }
}

let made = 0
const fresh = () => `${++made}`

async function create(party: Party, path: string, body: unknown): Promise<Record<string, unknown>> {
  const reply = await party.org.post(path, body)
  if (reply.status !== 201) throw new Error(`POST ${path} answered ${JSON.stringify(reply.body)}`)
  return reply.body
}

const idOf = ({ id }: Record<string, unknown>) => String(id)

const newObject = ({ mark }: Party) => {
  const nr = fresh()
  return {
    pluralName: `Things ${nr} ${mark}`,
    singularName: `Thing ${nr}`,
    description: mark,
    slug: `things_${nr}`,
  }
}
const makeObject = async (party: Party) => idOf(await create(party, '/objects', newObject(party)))

const newAttribute = ({ mark }: Party) => ({ name: `Field ${fresh()} ${mark}`, type: 'text' })
const makeAttribute = async (party: Party, objectId: string) =>
  idOf(await create(party, `/objects/${objectId}/attributes`, newAttribute(party)))

const newCompany = ({ mark }: Party) => ({ name: `Company ${fresh()} ${mark}` })

interface RecordIds {
  objectId: string
  recordId: string
}

async function makeRecord(party: Party, slug: string, data: object): Promise<RecordIds> {
  const record = await create(party, `/objects/${slug}/records`, { data })
  return { objectId: String(record['objectId']), recordId: idOf(record) }
}
const makeCompany = (party: Party) => makeRecord(party, 'companies', newCompany(party))

async function makeTrashed(party: Party): Promise<RecordIds> {
  const made = await makeCompany(party)
  const path = `/objects/${made.objectId}/records/${made.recordId}`
  const { status } = await party.org.delete(path)
  if (status !== 200) throw new Error(`DELETE ${path} answered ${status}`)
  return made
}

async function ofTrashed(party: Party): Promise<RouteRequest> {
  const { objectId, recordId } = await makeTrashed(party)
  return { params: { objectId }, body: { ids: [recordId] } }
}

/** What an upload leaves, without its bytes. @returns its public address */
async function makePictureFile({ ctx, org: { org }, mark }: Party): Promise<string> {
  const [id, token] = [newId(), makeToken()]
  await ctx.db.run(sql`
    insert into files (org, id, bucket, path, key, token, state, size, content_type, expires_at, stored_at)
    values (${org}, ${id}, 'logos', ${`${mark}/${id}`}, ${id}, ${token}, 'stored', 1, 'image/png', now(), now())`)
  return `${ctx.config.baseUrl}/files/${token}/${id}`
}

async function ofPicture(party: Party) {
  const { objectId, recordId } = await makeCompany(party)
  const url = await makePictureFile(party)
  const reply = await party.org.post(`/objects/${objectId}/records/${recordId}/picture`, { url })
  if (reply.status !== 200) throw new Error(`The picture was refused: ${JSON.stringify(reply.body)}`)
  return { objectId, recordId }
}

async function newPerson(party: Party) {
  const company = await makeCompany(party)
  return {
    name: { firstName: `Ada ${fresh()}`, lastName: party.mark },
    email: `ada-${fresh()}@${party.mark}.example.com`,
    company: company.recordId,
  }
}
const makePerson = async (party: Party) => makeRecord(party, 'people', await newPerson(party))

async function newActivity(party: Party) {
  const person = await makePerson(party)
  return {
    title: `Call ${fresh()} ${party.mark}`,
    type: 'task',
    linkedRecords: [person],
    participants: [
      { type: 'user', id: party.org.userId },
      { type: 'person', id: person.recordId },
    ],
  }
}
const makeActivity = async (party: Party) =>
  idOf(await create(party, '/activities', await newActivity(party)))

const ofObject = async (party: Party) => ({ objectId: await makeObject(party) })

async function ofTrashedObject(party: Party) {
  const objectId = await makeObject(party)
  const { slug } = await create(party, `/objects/${objectId}/attributes`, newAttribute(party))
  await create(party, `/objects/${objectId}/records`, { data: { [String(slug)]: party.mark } })
  const { status } = await party.org.delete(`/objects/${objectId}`)
  if (status !== 200) throw new Error(`DELETE of ${objectId} answered ${status}`)
  return { objectId }
}

async function ofTrashedAttribute(party: Party) {
  const objectId = await makeObject(party)
  const path = `/objects/${objectId}/attributes`
  const { id, slug } = await create(party, path, newAttribute(party))
  await create(party, `/objects/${objectId}/records`, { data: { [String(slug)]: party.mark } })
  const { status } = await party.org.delete(`${path}/${id}`)
  if (status !== 200) throw new Error(`DELETE ${path}/${id} answered ${status}`)
  return { objectId, attributeId: String(id) }
}

async function ofAttribute(party: Party) {
  const objectId = await makeObject(party)
  return { objectId, attributeId: await makeAttribute(party, objectId) }
}

const ofActivity = async (party: Party) => ({ activityId: await makeActivity(party) })

async function ofPeople(party: Party) {
  const { objectId } = await makePerson(party)
  return { objectId }
}

const only =
  (params: (party: Party) => Promise<Record<string, string>>): RouteCase['good'] =>
  async (party) => ({ params: await params(party) })

const none = async () => ({})

const withBody =
  (
    params: (party: Party) => Promise<Record<string, string>>,
    body: (party: Party) => unknown,
  ): RouteCase['good'] =>
  async (party) => ({ params: await params(party), body: await body(party) })

async function referenceTo(party: Party) {
  return {
    name: `Link ${fresh()} ${party.mark}`,
    type: 'reference',
    config: { allowed_object_id: await makeObject(party) },
  }
}

async function listing(party: Party): Promise<RouteRequest> {
  const person = await newPerson(party)
  const { objectId } = await makeRecord(party, 'people', person)
  return { params: { objectId }, query: { 'filter[company][equals]': person.company, limit: '5' } }
}

async function searching(party: Party): Promise<RouteRequest> {
  const person = await newPerson(party)
  const { objectId } = await makeRecord(party, 'people', person)
  const filter = { or: [{ attributeSlug: 'company', operator: 'equals', value: person.company }] }
  return { params: { objectId }, body: { filter, sort: { field: 'email', order: 'asc' } } }
}

async function bulkWriting(party: Party): Promise<RouteRequest> {
  const { objectId, recordId } = await makePerson(party)
  const { recordId: company } = await makeCompany(party)
  const name = `Grace ${party.mark}`
  const records = [{ id: recordId, data: { job_title: 'Admiral' } }, { data: { name, company } }]
  return { params: { objectId }, body: { mode: 'upsert', records } }
}

async function bulkDeleting(party: Party): Promise<RouteRequest> {
  const { objectId, recordId } = await makeCompany(party)
  return { params: { objectId }, body: { ids: [recordId] } }
}

async function listingActivities(party: Party): Promise<RouteRequest> {
  const activity = await newActivity(party)
  await create(party, '/activities', activity)
  const [{ objectId, recordId } = { objectId: '', recordId: '' }] = activity.linkedRecords
  const filters = { type: 'task', isOpen: 'true', createdBy: party.org.userId, from: '2020-01-01T00:00:00Z' }
  return { params: {}, query: { objectId, recordId, ...filters } }
}

/** Enabled, about people, taking any data. */
async function makeWorkflow(party: Party): Promise<string> {
  const definition = {
    trigger: 'manual',
    triggerConfig: { objectId: 'people' },
    steps: [{ key: 'note', type: 'create_activity', config: { title: `Hello ${party.mark}` } }],
  }
  const name = `Workflow ${fresh()} ${party.mark}`
  const { id } = await createWorkflow(party.ctx, party.org, {
    name,
    definition,
    enabled: true,
    description: party.mark,
  })
  return id
}

const ofWorkflow = async (party: Party) => ({ workflowId: await makeWorkflow(party) })

async function runningWorkflow(party: Party): Promise<RouteRequest> {
  const { recordId } = await makePerson(party)
  return { params: await ofWorkflow(party), body: { data: { greeting: 'Hello' }, recordId } }
}

async function ofRun(party: Party) {
  const { params, body } = await runningWorkflow(party)
  const { workflowId = '' } = params
  const { body: started } = await party.org.post<{ runId: string }>(`/workflows/${workflowId}/run`, body)
  return { workflowId, runId: started.runId }
}

/** The party's oldest event; what other tests write at the same time may hold it back for a moment. */
function oldestEvent({ org }: Party): Promise<string> {
  return vi.waitFor(async () => {
    const { body } = await org.get<{ events: [{ id: string }?] }>('/events?limit=1')
    const [first] = body.events
    if (first === undefined) throw new Error('no event yet')
    return first.id
  }, 10_000)
}

/** Reports are made in the dashboard. */
async function makeReport({ org, mark }: Party): Promise<string> {
  const definition = {
    name: `Report ${fresh()} ${mark}`,
    source: { objectId: 'companies', alias: 'company' },
    columns: [{ key: 'name', field: 'company.name' }],
  }
  const owner = await org.member('owner')
  const reply = await owner.post<Record<string, unknown>>('/reports', { definition })
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body))
  return idOf(reply.body)
}

const ofReport = async (party: Party) => ({ reportId: await makeReport(party) })

async function ofReportRun(party: Party) {
  const reportId = await makeReport(party)
  const { run } = await create(party, `/reports/${reportId}/run`, undefined)
  return { reportId, runId: idOf(run as Record<string, unknown>) }
}

async function followingEvents(party: Party): Promise<RouteRequest> {
  await makeCompany(party)
  return { params: {}, query: { after: await oldestEvent(party), types: 'record.created,activity.created' } }
}

type AddressIn<Routes> =
  Routes extends Readonly<Record<string, { at: infer Address extends string }>> ? Address : never

type ApiAddress = AddressIn<(typeof API)[number]['routes']>

/** In the order of the specification. */
const CASES: Readonly<Record<ApiAddress, RouteCase>> = {
  'GET /objects': { good: only(none) },
  'GET /objects/:objectId': { good: only(ofObject) },
  'POST /objects': { good: withBody(none, newObject) },
  'PATCH /objects/:objectId': { good: withBody(ofObject, ({ mark }) => ({ description: `now ${mark}` })) },
  'DELETE /objects/:objectId': { good: only(ofObject) },
  'GET /trashed-objects': { good: only(none) },
  'POST /trashed-objects/:objectId/restore': { good: withBody(ofTrashedObject, () => ({})) },
  'DELETE /trashed-objects/:objectId': { good: only(ofTrashedObject) },

  'GET /objects/:objectId/attributes': { good: only(ofObject) },
  'GET /objects/:objectId/attributes/:attributeId': { good: only(ofAttribute) },
  'POST /objects/:objectId/attributes': { good: withBody(ofObject, referenceTo) },
  'PATCH /objects/:objectId/attributes/:attributeId': {
    good: withBody(ofAttribute, ({ mark }) => ({ name: `Renamed ${mark}` })),
  },
  'DELETE /objects/:objectId/attributes/:attributeId': { good: only(ofAttribute) },
  'GET /objects/:objectId/attributes/trash': { good: only(ofObject) },
  'POST /objects/:objectId/attributes/trash/:attributeId/restore': {
    good: withBody(ofTrashedAttribute, () => ({})),
  },
  'DELETE /objects/:objectId/attributes/trash/:attributeId': { good: only(ofTrashedAttribute) },

  'GET /objects/:objectId/records': { good: listing },
  'POST /objects/:objectId/records/search': { good: searching },
  'GET /objects/:objectId/records/:recordId': {
    good: only(async (party) => ({ ...(await makePerson(party)) })),
  },
  'POST /objects/:objectId/records': {
    good: withBody(ofPeople, async (party) => ({ data: await newPerson(party) })),
  },
  'PATCH /objects/:objectId/records/:recordId': {
    good: withBody(
      async (party) => ({ ...(await makePerson(party)) }),
      async (party) => ({ data: { company: (await makeCompany(party)).recordId } }),
    ),
  },
  'DELETE /objects/:objectId/records/:recordId': {
    good: only(async (party) => ({ ...(await makePerson(party)) })),
  },
  'POST /objects/:objectId/records/bulk': { good: bulkWriting },
  'DELETE /objects/:objectId/records/bulk': { good: bulkDeleting },

  'GET /objects/:objectId/trash': {
    good: only(async (party) => ({ objectId: (await makeTrashed(party)).objectId })),
  },
  'POST /objects/:objectId/trash/:recordId/restore': {
    good: only(async (party) => ({ ...(await makeTrashed(party)) })),
  },
  'POST /objects/:objectId/trash/bulk/restore': { good: ofTrashed },
  'DELETE /objects/:objectId/trash/:recordId': {
    good: only(async (party) => ({ ...(await makeTrashed(party)) })),
  },
  'DELETE /objects/:objectId/trash/bulk': { good: ofTrashed },

  'GET /objects/:objectId/records/:recordId/picture': { good: only(ofPicture) },
  'POST /objects/:objectId/records/:recordId/picture': {
    good: withBody(
      async (party) => ({ ...(await makeCompany(party)) }),
      async (party) => ({ url: await makePictureFile(party) }),
    ),
  },
  'DELETE /objects/:objectId/records/:recordId/picture': { good: only(ofPicture) },

  'GET /activities': { good: listingActivities },
  'GET /activities/:activityId': { good: only(ofActivity) },
  'POST /activities': { good: withBody(none, newActivity) },
  'PATCH /activities/:activityId': { good: withBody(ofActivity, newActivity) },
  'DELETE /activities/:activityId': { good: only(ofActivity) },

  'GET /members': { good: only(none) },

  'GET /reports': { good: only(none) },
  'GET /reports/:reportId': { good: only(ofReport) },
  'POST /reports/:reportId/run': { good: only(ofReport) },
  'GET /reports/:reportId/runs': {
    good: async (party) => ({ params: await ofReport(party), query: { limit: '5', offset: '0' } }),
  },
  'GET /reports/:reportId/runs/:runId': { good: only(ofReportRun) },

  'GET /workflows': { good: only(none) },
  'GET /workflows/:workflowId': { good: only(ofWorkflow) },
  'PATCH /workflows/:workflowId': {
    good: withBody(ofWorkflow, ({ mark }) => ({ name: `Renamed ${fresh()} ${mark}`, enabled: true })),
  },
  'POST /workflows/:workflowId/run': { good: runningWorkflow },
  'GET /workflows/:workflowId/runs': {
    good: async (party) => ({ params: await ofWorkflow(party), query: { limit: '5', status: 'failed' } }),
  },
  'GET /workflows/:workflowId/runs/:runId': { good: only(ofRun) },

  'POST /files/upload-url': {
    good: withBody(none, ({ mark }) => ({ bucket: 'avatars', path: `people/${mark}-${fresh()}.png` })),
  },

  'GET /webhooks': { good: only(none) },
  'GET /events': { good: followingEvents },
}

/** By `METHOD /path`. */
export const ROUTE_CASES: Readonly<Record<string, RouteCase>> = CASES
