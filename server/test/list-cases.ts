// For each list of the API, a function that fills it with at least three rows.
import sql from 'sql-template-tag'
import { newId } from '../base/id.ts'
import { workOnUndo } from '../change-sets/jobs.ts'
import { insertDelivery, insertEndpoint } from '../webhooks/endpoint.fixture.ts'
import { putSecret } from '../workflows/secrets/service.ts'
import { createWorkflow, saveDefinition } from '../workflows/service.ts'
import { create, fresh, idOf, type Party } from './cases/party.ts'
import { makePictureFile } from './cases/records.ts'

/** Parameters of the path, and the body of a search. */
export interface ListRequest {
  params?: Record<string, string>
  body?: object
}

type Fill = (party: Party) => Promise<ListRequest>

const ROWS = 3

/** Creates rows one after the other, so that their order is known. */
async function times<Made>(make: (nr: number) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = []
  for (let nr = 0; nr < ROWS; nr++) made.push(await make(nr))
  return made
}

const COMPANIES = '/objects/companies/records'
const companies = { objectId: 'companies' }

const makeCompany = async (party: Party) =>
  idOf(await create(party, COMPANIES, { data: { name: `Company ${fresh()}` } }))

/** Fills a list that belongs to a record. */
const ofCompany =
  (fill: (party: Party, recordId: string) => Promise<unknown>): Fill =>
  async (party) => {
    const recordId = await makeCompany(party)
    await times(() => fill(party, recordId))
    return { params: { ...companies, recordId } }
  }

const filled =
  (fill: (party: Party) => Promise<unknown>, params: Record<string, string> = {}): Fill =>
  async (party) => {
    await times(() => fill(party))
    return { params }
  }

async function trashObject(party: Party) {
  const nr = fresh()
  const object = { pluralName: `Things ${nr}`, singularName: `Thing ${nr}`, slug: `list_things_${nr}` }
  await party.org.delete(`/objects/${idOf(await create(party, '/objects', object))}`)
}

async function trashAttribute(party: Party) {
  const path = '/objects/companies/attributes'
  const attribute = { name: `Field ${fresh()}`, type: 'text' }
  await party.org.delete(`${path}/${idOf(await create(party, path, attribute))}`)
}

const trashCompany = async (party: Party) => party.org.delete(`${COMPANIES}/${await makeCompany(party)}`)

const mergeInto = async (party: Party, winnerId: string) =>
  party.org.post(`${COMPANIES}/merge`, { winnerId, loserIds: [await makeCompany(party)] })

async function insertGroup(party: Party) {
  const records = [await makeCompany(party), await makeCompany(party)]
  await party.ctx.db.run(sql`
    insert into duplicate_groups (org, obj, id, records, rules)
    select o.org, o.obj, ${newId()}, ${records}::uuid[], array['similar_name.name']
    from objects o where o.org = ${party.org.org} and o.slug = 'companies'`)
}

async function makeReport(party: Party): Promise<string> {
  const definition = {
    name: `Report ${fresh()}`,
    source: { objectId: 'companies', alias: 'company' },
    columns: [{ key: 'name', field: 'company.name' }],
  }
  return idOf(await create(party, '/reports', { definition }))
}

const NOTE = { key: 'note', type: 'create_activity', config: { title: 'Hello' } }

const makeWorkflow = async ({ ctx, org }: Party, steps: object[] = [NOTE]): Promise<string> => {
  const definition = { trigger: 'manual', steps }
  const workflow = { name: `Workflow ${fresh()}`, description: '', definition, enabled: true }
  return (await createWorkflow(ctx, org, workflow)).id
}

async function ofReport(party: Party): Promise<ListRequest> {
  const reportId = await makeReport(party)
  await times(() => party.org.post(`/reports/${reportId}/run`))
  return { params: { reportId } }
}

async function ofWorkflow(party: Party): Promise<ListRequest> {
  const workflowId = await makeWorkflow(party)
  await times(() => party.org.post(`/workflows/${workflowId}/run`))
  return { params: { workflowId } }
}

async function cancelled(party: Party): Promise<ListRequest> {
  const workflowId = await makeWorkflow(party)
  await times(() => party.org.post(`/workflows/${workflowId}/cancellations`))
  return { params: { workflowId } }
}

async function delivered({ ctx, org }: Party): Promise<ListRequest> {
  const rows = await insertEndpoint(ctx, org.org)
  await times(() => insertDelivery(ctx, rows))
  return { params: { endpointId: rows.endpoint } }
}

async function replayed({ ctx, org }: Party): Promise<ListRequest> {
  const { endpoint } = await insertEndpoint(ctx, org.org)
  const replay = { kind: 'failed', since: '2020-01-01T00:00:00Z' }
  await times(() => org.post(`/webhooks/endpoints/${endpoint}/replays`, replay))
  return { params: { endpointId: endpoint } }
}

async function eraseCompany(party: Party) {
  const recordId = await makeCompany(party)
  await party.org.post(`${COMPANIES}/${recordId}/erasure`, { confirm: recordId })
}

const standard: Fill = async () => ({ params: { objectId: 'people' } })

async function writeSet(party: Party): Promise<{ changeSetId: string }> {
  const changeSetId = newId()
  const body = { changeSetId, records: [{ data: { name: `Company ${fresh()}` } }] }
  await party.org.post(`${COMPANIES}/bulk`, body)
  return { changeSetId }
}

const undoSet = async (party: Party, { changeSetId }: { changeSetId: string }) =>
  idOf(await create(party, '/undo-jobs', { kind: 'changeSet', id: changeSetId }))

/** Makes conflicts: each record created by the change set was changed since. */
async function withConflicts(party: Party): Promise<ListRequest> {
  const changeSetId = newId()
  const headers = { 'rapport-change-set': changeSetId }
  await times(async () => {
    const { body } = await party.org.post(COMPANIES, { data: { name: `Company ${fresh()}` } }, headers)
    await party.org.patch(`${COMPANIES}/${idOf(body)}`, { data: { employees: 7 } })
  })
  const undoJobId = await undoSet(party, { changeSetId })
  await workOnUndo(party.ctx, { org: party.org.org, id: undoJobId }, new AbortController().signal)
  return { params: { undoJobId } }
}

/** The functions by `METHOD /path`. */
export const LIST_CASES: Readonly<Record<string, Fill>> = {
  'GET /objects': standard,
  'GET /trashed-objects': filled(trashObject),
  'GET /objects/:objectId/attributes': standard,
  'GET /objects/:objectId/trashed-attributes': filled(trashAttribute, companies),
  'GET /objects/:objectId/records': filled(makeCompany, companies),
  'POST /objects/:objectId/records/search': async (party) => ({
    ...(await filled(makeCompany, companies)(party)),
    body: { sort: { field: 'name', order: 'asc' } },
  }),
  'GET /objects/:objectId/records/:recordId/history': ofCompany((party, id) =>
    party.org.patch(`${COMPANIES}/${id}`, { data: { name: `Renamed ${fresh()}` } }),
  ),
  'GET /objects/:objectId/records/:recordId/related/:relatedObjectId': async (party) => {
    const company = await makeCompany(party)
    await times(() => create(party, '/objects/people/records', { data: { name: `Ada ${fresh()}`, company } }))
    return { params: { ...companies, recordId: company, relatedObjectId: 'people' } }
  },
  'GET /objects/:objectId/records/:recordId/merges': ofCompany(mergeInto),
  'GET /objects/:objectId/duplicate-rules': standard,
  'GET /objects/:objectId/duplicates': filled(insertGroup, companies),
  'GET /objects/:objectId/trashed-records': filled(trashCompany, companies),
  'GET /change-sets': filled(writeSet),
  'GET /jobs': filled((party) => create(party, '/jobs', { type: 'import', objectId: 'people' })),
  'GET /undo-jobs': filled(async (party) => undoSet(party, await writeSet(party))),
  'GET /undo-jobs/:undoJobId/conflicts': withConflicts,
  'GET /objects/:objectId/views': filled(
    (party) =>
      create(party, '/objects/companies/views', {
        name: `View ${fresh()}`,
        state: { version: 1, columns: [{ slug: 'name' }] },
      }),
    companies,
  ),
  'GET /files': filled(makePictureFile),
  'GET /trashed-attachments': async (party) => {
    const path = `${COMPANIES}/${await makeCompany(party)}/attachments`
    await times(async () => {
      const attachment = await create(party, path, { url: await makePictureFile(party) })
      await party.org.delete(`${path}/${idOf(attachment)}`)
    })
    return { params: {} }
  },
  'GET /trashed-comments': async (party) => {
    const path = `${COMPANIES}/${await makeCompany(party)}/comments`
    await times(async () =>
      party.org.delete(`/comments/${idOf(await create(party, path, { text: `Comment ${fresh()}` }))}`),
    )
    return { params: {} }
  },
  'GET /trashed-activities': filled(async (party) =>
    party.org.delete(`/activities/${idOf(await create(party, '/activities', { title: 'Call' }))}`),
  ),
  'GET /activities': filled((party) => create(party, '/activities', { title: `Call ${fresh()}` })),
  'GET /objects/:objectId/records/:recordId/comments': ofCompany((party, id) =>
    create(party, `${COMPANIES}/${id}/comments`, { text: `Comment ${fresh()}` }),
  ),
  'GET /members': filled(({ org }) => org.member('member')),
  'GET /objects/:objectId/records/:recordId/attachments': ofCompany(async (party, id) =>
    create(party, `${COMPANIES}/${id}/attachments`, { url: await makePictureFile(party) }),
  ),
  'GET /activities/:activityId/history': async (party) => {
    const activityId = idOf(await create(party, '/activities', { title: 'Call' }))
    await times(() => party.org.patch(`/activities/${activityId}`, { title: `Call ${fresh()}` }))
    return { params: { activityId } }
  },
  'GET /activities/:activityId/attachments': async (party) => {
    const activityId = idOf(await create(party, '/activities', { title: 'Call' }))
    await times(async () =>
      create(party, `/activities/${activityId}/attachments`, { url: await makePictureFile(party) }),
    )
    return { params: { activityId } }
  },
  'GET /reassignments': filled(async ({ org }) =>
    org.post('/reassignments', { from: (await org.member('member')).userId, to: null }),
  ),
  'GET /invitations': filled((party) =>
    create(party, '/invitations', { email: `list-${fresh()}@example.com`, role: 'member' }),
  ),
  'GET /reports': filled(makeReport),
  'GET /report-dashboards': filled((party) =>
    create(party, '/report-dashboards', { name: `Dashboard ${fresh()}` }),
  ),
  'GET /reports/:reportId/runs': ofReport,
  'GET /workflows': filled((party) => makeWorkflow(party)),
  'GET /workflow-overview': filled((party) => makeWorkflow(party)),
  'GET /reports/:reportId/workflows': async (party) => {
    const reportId = await makeReport(party)
    await times(() => makeWorkflow(party, [{ key: 'ran', type: 'run_report', config: { reportId } }]))
    return { params: { reportId } }
  },
  'GET /workflows/:workflowId/versions': async (party) => {
    const workflowId = await makeWorkflow(party)
    for (const title of ['Two', 'Three']) {
      const steps = [{ ...NOTE, config: { title } }]
      await saveDefinition(party.ctx, party.org, {
        workflowId,
        definition: { trigger: 'manual', steps },
        basedOn: title === 'Two' ? 1 : 2,
      })
    }
    return { params: { workflowId } }
  },
  'GET /workflow-secrets': filled(({ ctx, org }) =>
    putSecret(ctx, { org: org.org, userId: org.userId }, { name: `SECRET_${fresh()}`, value: 'token' }),
  ),
  'GET /workflows/:workflowId/runs': ofWorkflow,
  'GET /workflows/:workflowId/cancellations': cancelled,
  'GET /webhooks/endpoints': filled(({ ctx, org }) => insertEndpoint(ctx, org.org)),
  'GET /webhooks/endpoints/:endpointId/deliveries': delivered,
  'GET /webhooks/endpoints/:endpointId/replays': replayed,
  'GET /privacy/requests': filled(eraseCompany),
}
