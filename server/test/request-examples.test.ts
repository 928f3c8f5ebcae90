// Sends the example bodies of the API document: each is accepted, and answered as documented.
import { expect, test } from 'vitest'
import { exampleId } from '../../contract/example-values.ts'
import type { Parameter } from '../http/openapi/document.ts'
import { operationOf, readDocument } from './api-document.ts'
import { type ApiRoute, apiRoutes } from './api-routes.ts'
import { createAsk } from './ask.ts'
import { makePerson } from './cases/records.ts'
import { newParty, type Party, ROUTE_CASES, type RouteRequest } from './route-cases.ts'
import { sharedTestService } from './shared-service.ts'

const service = await sharedTestService()
const document = await readDocument(service)
const { ask } = await createAsk(service)
const routes = apiRoutes(service.routes).filter(({ hasBody }) => hasBody)

const bodyOf = (route: ApiRoute): unknown =>
  operationOf(document, route)?.requestBody?.content['application/json']?.example

async function makeStage({ org }: Party): Promise<Record<string, string>> {
  const attribute = bodyOf({ method: 'POST', path: '/objects/:objectId/attributes' } as ApiRoute)
  await org.post('/objects', { pluralName: 'Projects', singularName: 'Project' })
  const { body } = await org.post('/objects/projects/attributes', attribute)
  return { objectId: 'projects', attributeId: String(body['id']) }
}

/** Changes for routes whose example does not fit the route's case, or needs more data than the case has. */
const ELSEWHERE: Readonly<
  Record<string, (party: Party, request: RouteRequest) => Promise<Partial<RouteRequest>>>
> = {
  'PATCH /objects/:objectId/select-attributes/:attributeId': async (party) => ({
    params: await makeStage(party),
  }),
  'POST /objects/:objectId/records/duplicates': async () => ({ params: { objectId: 'people' } }),
  'POST /objects/:objectId/records/merge': async () => ({ params: { objectId: 'people' } }),
  'POST /objects/:objectId/records/groups': async () => ({ params: { objectId: 'deals' } }),
  'POST /objects/:objectId/records/summaries': async () => ({ params: { objectId: 'deals' } }),
  'POST /objects/:objectId/views': async () => ({ params: { objectId: 'deals' } }),
  // The time in the example is after the start of tests.
  'POST /webhooks/endpoints/:endpointId/replays': async (_, { body }) => ({ body }),
  // These need existing attributes, members and reports.
  'PUT /objects/:objectId/attribute-order': async (_, { body }) => ({ body }),
  'POST /reassignments': async (_, { body }) => ({ body }),
  'POST /report-dashboards': async (_, { body }) => ({ body }),
  'PUT /workflows/:workflowId/definition': async (_, { body }) => ({ body }),
  'POST /workflow-dry-run': async (_, { body }) => ({ body }),
  // The workflow run in the example would need changed records.
  'POST /undo-jobs': async (_, { body }) => ({ body }),
  // These need the address of an uploaded file.
  'POST /objects/:objectId/records/:recordId/attachments': async (_, { body }) => ({ body }),
  'POST /activities/:activityId/attachments': async (_, { body }) => ({ body }),
  'POST /objects/:objectId/records/:recordId/picture': async (_, { body }) => ({ body }),
}

/** The body with ids of the party in place of the ids of the examples. */
async function withIds(party: Party, { params }: RouteRequest, body: unknown): Promise<unknown> {
  const [person, other] = [await makePerson(party), await makePerson(party)]
  const ids: [number, string][] = [
    [3, params['recordId'] ?? person.recordId],
    [4, person.objectId],
    [7, party.org.userId],
    [8, other.recordId],
  ]
  let text = JSON.stringify(body)
  for (const [last, id] of ids) text = text.replaceAll(exampleId(last), id)
  return JSON.parse(text)
}

async function send(route: ApiRoute) {
  const party = await newParty(service)
  const good = await ROUTE_CASES[route.key]?.good(party)
  if (!good) throw new Error(`route-cases.ts has no case for ${route.key}`)
  const request = { ...good, body: await withIds(party, good, bodyOf(route)) }
  const changed = await ELSEWHERE[route.key]?.(party, good)
  return ask(route, { ...request, ...changed }, { key: party.org.key })
}

test.each(routes)('$key accepts the documented body', async (route) => {
  const response = await send(route)
  expect([response.statusCode, response.payload]).toEqual([route.success, response.payload])
})

test('a failed row of a bulk write has the documented error', async () => {
  const [route] = routes.filter(({ key }) => key === 'POST /objects/:objectId/records/bulk')
  if (!route) throw new Error('the route of bulk writes is not there')
  const success = operationOf(document, route)?.responses['200']
  const example = success && 'content' in success ? success.content?.['application/json']?.example : undefined
  const { failed } = (await send(route)).json<{ failed: object[] }>()
  expect(failed).toEqual((example as { failed: object[] }).failed)
})

test('a list accepts its documented filters', async () => {
  const org = await service.org()
  const list = operationOf(document, { method: 'GET', path: '/objects/:objectId/records' })
  const filter = list?.parameters?.find((one) => 'name' in one && one.name === 'filter') as Parameter
  const shown = Object.values(filter.examples ?? {}).map(({ summary }) => summary)
  expect(shown.length).toBeGreaterThan(1)
  for (const query of shown) {
    const { status, body } = await org.get(`/objects/companies/records?${query}`)
    expect([status, body]).toEqual([200, body])
  }
})

test('every exception belongs to a route', () => {
  const keys = routes.map(({ key }) => key)
  expect(Object.keys(ELSEWHERE).filter((key) => !keys.includes(key))).toEqual([])
})
