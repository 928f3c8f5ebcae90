// Erasures of personal data in records.
import { create, idOf, none, only, type Party, type RouteCase } from './party.ts'
import { makeCompany } from './records.ts'

async function erasing(party: Party) {
  const params = await makeCompany(party)
  return { params: { ...params }, body: { confirm: params.recordId } }
}

async function ofRequest(party: Party) {
  const { params, body } = await erasing(party)
  const path = `/objects/${params.objectId}/records/${params.recordId}/erasure`
  return { requestId: idOf(await create(party, path, body)) }
}

const ofCompany = only(async (party) => ({ ...(await makeCompany(party)) }))

export const privacyCases = {
  'GET /objects/:objectId/records/:recordId/erasure': { good: ofCompany },
  'GET /objects/:objectId/records/:recordId/mentions': { good: ofCompany },
  'POST /objects/:objectId/records/:recordId/erasure': { good: erasing },
  'POST /objects/:objectId/records/:recordId/archive': { good: ofCompany },
  'GET /privacy/requests': { good: only(none) },
  'GET /privacy/requests/:requestId': { good: only(ofRequest) },
} satisfies Readonly<Record<string, RouteCase>>
