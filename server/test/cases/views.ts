// Saved views.

import { create, fresh, idOf, only, type Party, type RouteCase, withBody } from './party.ts'
import { makeCompany, ofPeople } from './records.ts'

const newView = ({ mark }: Party) => ({
  name: `View ${fresh()} ${mark}`,
  state: { version: 1, columns: [{ slug: 'name' }] },
})

async function ofView(party: Party) {
  const { objectId } = await makeCompany(party)
  const viewId = idOf(await create(party, `/objects/${objectId}/views`, newView(party)))
  return { objectId, viewId }
}

export const viewCases = {
  'GET /objects/:objectId/views': {
    good: only(async (party) => ({ objectId: (await ofView(party)).objectId })),
  },
  'POST /objects/:objectId/views': { good: withBody(ofPeople, newView) },
  'GET /objects/:objectId/views/:viewId': { good: only(ofView) },
  'PATCH /objects/:objectId/views/:viewId': {
    good: withBody(ofView, ({ mark }) => ({ name: `Renamed ${fresh()} ${mark}`, isShared: true })),
  },
  'DELETE /objects/:objectId/views/:viewId': { good: only(ofView) },
} satisfies Readonly<Record<string, RouteCase>>
