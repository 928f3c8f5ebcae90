// Undo of changes to records.
import { newId } from '../../base/id.ts'
import { create, idOf, none, only, type Party, type RouteCase } from './party.ts'
import { makeCompany } from './records.ts'

async function undoing(party: Party): Promise<{ params: Record<string, string>; body: object }> {
  const params = { ...(await makeCompany(party)) }
  const path = `/objects/companies/records/${params.recordId}`
  const changed = await party.org.patch(path, { data: { employees: 7 } })
  if (changed.status !== 200) throw new Error(`The change was refused: ${JSON.stringify(changed.body)}`)
  return { params, body: { version: 2 } }
}

async function ofChangeSet(party: Party): Promise<{ params: Record<string, string> }> {
  const { objectId } = await makeCompany(party)
  const changeSetId = newId()
  const body = { changeSetId, records: [{ data: { name: party.mark } }] }
  const { status } = await party.org.post(`/objects/companies/records/bulk`, body)
  if (status !== 200) throw new Error(`The bulk write was refused with ${status}`)
  return { params: { objectId, changeSetId } }
}

const ofUndoJob = only(async (party) => {
  const { params } = await ofChangeSet(party)
  return {
    undoJobId: idOf(await create(party, '/undo-jobs', { kind: 'changeSet', id: params['changeSetId'] })),
  }
})

export const undoCases = {
  'POST /objects/:objectId/records/:recordId/undo': { good: undoing },
  'POST /objects/:objectId/change-sets/:changeSetId/undo': { good: ofChangeSet },
  'GET /change-sets': { good: only(none) },
  'POST /undo-jobs': {
    good: async (party) => {
      const { params } = await ofChangeSet(party)
      return { params: {}, body: { kind: 'changeSet', id: params['changeSetId'] } }
    },
  },
  'GET /undo-jobs': { good: only(none) },
  'GET /undo-jobs/:undoJobId': { good: ofUndoJob },
  'POST /undo-jobs/:undoJobId/cancel': { good: ofUndoJob },
  'GET /undo-jobs/:undoJobId/conflicts': { good: ofUndoJob },
} satisfies Readonly<Record<string, RouteCase>>
