// Records, their trash and pictures.
import sql from 'sql-template-tag'
import { newId } from '../../base/id.ts'
import { makeToken } from '../../base/token.ts'
import {
  create,
  fresh,
  idOf,
  none,
  only,
  type Party,
  type RouteCase,
  type RouteRequest,
  withBody,
} from './party.ts'

const newCompany = ({ mark }: Party) => ({ name: `Company ${fresh()} ${mark}` })

interface RecordIds {
  objectId: string
  recordId: string
}

async function makeRecord(party: Party, slug: string, data: object): Promise<RecordIds> {
  const record = await create(party, `/objects/${slug}/records`, { data })
  return { objectId: String(record['objectId']), recordId: idOf(record) }
}
export const makeCompany = (party: Party) => makeRecord(party, 'companies', newCompany(party))

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

/** Inserts the row of an uploaded file, without bytes. @returns its public URL */
export async function makeFile(
  { ctx, org: { org }, mark }: Pick<Party, 'ctx' | 'org' | 'mark'>,
  contentType: string,
): Promise<string> {
  const [id, token] = [newId(), makeToken()]
  await ctx.db.run(sql`
    insert into files (org, id, bucket, path, key, token, state, size, content_type, expires_at, stored_at)
    values (${org}, ${id}, 'logos', ${`${mark}/${id}`}, ${id}, ${token}, 'stored', 1, ${contentType}, now(), now())`)
  return `${ctx.config.baseUrl}/files/${token}/${id}`
}

/** Path parameters of an uploaded file. */
export const ofFile = async (party: Party) => ({
  fileId: (await makePictureFile(party)).split('/').at(-1) ?? '',
})

export const makePictureFile = (party: Party): Promise<string> => makeFile(party, 'image/png')

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
export const makePerson = async (party: Party) => makeRecord(party, 'people', await newPerson(party))

/** Path parameters of a person by email. */
async function ofEmail(party: Party) {
  const person = await newPerson(party)
  const { objectId } = await makeRecord(party, 'people', person)
  return { objectId, slug: 'email', value: person.email }
}

/** Path parameters of the people of a company. */
async function ofEmployees(party: Party) {
  const { company } = await newPerson(party)
  await makeRecord(party, 'people', { name: `Ada ${fresh()}`, company })
  const { body } = await party.org.get<{ id: string }>('/objects/people')
  const companies = await party.org.get<{ id: string }>('/objects/companies')
  return { objectId: companies.body.id, recordId: company, relatedObjectId: body.id }
}

export async function ofPeople(party: Party) {
  const { objectId } = await makePerson(party)
  return { objectId }
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

/** Filters that differ in each request. */
const named = () => [{ attributeSlug: 'name', operator: 'contains', value: `Ada ${fresh()}` }]

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

export const recordCases = {
  'POST /objects/:objectId/records/deletion': {
    good: async (party) => {
      const { objectId, recordId } = await makePerson(party)
      return { params: { objectId }, body: { ids: [recordId] } }
    },
  },
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
  'GET /objects/:objectId/records/by/:slug/:value': { good: only(ofEmail) },
  'PUT /objects/:objectId/records/by/:slug/:value': {
    good: withBody(ofEmail, () => ({ data: { job_title: 'Admiral' } })),
  },
  'GET /objects/:objectId/records/:recordId/related/:relatedObjectId': { good: only(ofEmployees) },
  'POST /objects/:objectId/records/bulk': { good: bulkWriting },
  'DELETE /objects/:objectId/records/bulk': { good: bulkDeleting },
  'POST /objects/:objectId/records/groups': {
    good: withBody(ofPeople, () => ({ by: 'company', filters: named() })),
  },
  'POST /objects/:objectId/records/summaries': {
    good: withBody(ofPeople, () => ({
      summaries: [{ attributeSlug: 'email', summary: 'filled' }],
      filters: named(),
    })),
  },
  'POST /objects/:objectId/records/ids': {
    good: withBody(ofPeople, () => ({ filters: named(), sort: { field: 'email', order: 'asc' } })),
  },
  'POST /objects/:objectId/records/search/explain': {
    good: withBody(ofPeople, () => ({ filters: named() })),
  },
  'GET /objects/:objectId/records/:recordId/history': {
    good: only(async (party) => ({ ...(await makePerson(party)) })),
  },
  'POST /record-names': { good: withBody(none, async (party) => ({ refs: [await makePerson(party)] })) },
  'GET /objects/:objectId/trashed-records': {
    good: only(async (party) => ({ objectId: (await makeTrashed(party)).objectId })),
  },
  'POST /objects/:objectId/trashed-records/:recordId/restore': {
    good: only(async (party) => ({ ...(await makeTrashed(party)) })),
  },
  'POST /objects/:objectId/trashed-records/bulk/restore': { good: ofTrashed },
  'DELETE /objects/:objectId/trashed-records/:recordId': {
    good: only(async (party) => ({ ...(await makeTrashed(party)) })),
  },
  'DELETE /objects/:objectId/trashed-records/bulk': { good: ofTrashed },
  'GET /objects/:objectId/records/:recordId/picture': { good: only(ofPicture) },
  'POST /objects/:objectId/records/:recordId/picture': {
    good: withBody(
      async (party) => ({ ...(await makeCompany(party)) }),
      async (party) => ({ url: await makePictureFile(party) }),
    ),
  },
  'DELETE /objects/:objectId/records/:recordId/picture': { good: only(ofPicture) },
} satisfies Readonly<Record<string, RouteCase>>
