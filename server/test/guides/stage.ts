// The service on a separate port, and an organization for each guide with the data that the guide mentions.
import { buildTestService, type TestService } from '../build-app.ts'
import { newParty, type Party, ROUTE_CASES, type RouteRequest } from '../route-cases.ts'

export interface GuideStage {
  service: TestService
  /** The address of the service, without a slash at the end. */
  url: string
}

export interface GuideParty extends Party {
  /** The values of the variables in the guide. */
  variables: Record<string, string>
}

/** Call it at the top of a test file. */
export async function openGuideStage(): Promise<GuideStage> {
  const service = await buildTestService()
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  // The port is known only after listening, and the addresses of files contain it.
  Object.assign(service.ctx.config, { baseUrl: url })
  return { service, url }
}

function goodRequest(party: Party, key: string): Promise<RouteRequest> {
  const found = ROUTE_CASES[key]
  if (!found) throw new Error(`route-cases.ts has no case for ${key}`)
  return found.good(party)
}

async function idOfNew({ org }: Party, path: string, body: object): Promise<string> {
  const reply = await org.post(path, body)
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body))
  return String(reply.body['id'])
}

/** Creates the attributes that the demo organization has. */
async function makeAttributes(party: Party): Promise<void> {
  const path = '/objects/companies/attributes'
  await idOfNew(party, path, { name: 'Sector', type: 'select', config: { options: ['Energy', 'Retail'] } })
  await idOfNew(party, path, { name: 'Founded', type: 'number' })
}

const MADE: Readonly<Record<string, (party: Party) => Promise<Record<string, string>>>> = {
  api: async (party) => {
    await makeAttributes(party)
    await idOfNew(party, '/objects', { pluralName: 'Projects', singularName: 'Project' })
    await idOfNew(party, '/objects/people/records', { data: { name: 'Grace Hopper' } })
    const config = { options: ['New', 'Won', 'Lost', 'On hold'] }
    const phase = { name: 'Phase', type: 'select', config }
    return { ATTRIBUTE: await idOfNew(party, '/objects/projects/attributes', phase) }
  },
  '../../README': async (party) => {
    await makeAttributes(party)
    return {}
  },
  reports: async (party) => {
    const { params } = await goodRequest(party, 'GET /reports/:reportId/runs/:runId')
    return { ID: params['reportId'] ?? '', RUN: params['runId'] ?? '' }
  },
  jobs: async (party) => {
    const { params } = await goodRequest(party, 'PATCH /jobs/:jobId/content')
    return { JOB: params['jobId'] ?? '' }
  },
  workflows: async (party) => {
    const { params, body } = await goodRequest(party, 'POST /workflows/:workflowId/run')
    const { recordId } = body as { recordId: string }
    return { ID: params['workflowId'] ?? '', RECORD: recordId }
  },
}

/** A new organization, with the data that the guide assumes. */
export async function partyOf(guide: string, { service, url }: GuideStage): Promise<GuideParty> {
  const party = await newParty(service)
  const made = (await MADE[guide]?.(party)) ?? {}
  return { ...party, variables: { API: `${url}/api/v1`, URL: url, KEY: party.org.key, ...made } }
}
