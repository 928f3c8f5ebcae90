// Merges of records.
import { only, type Party, type RouteCase } from './party.ts'
import { makeCompany } from './records.ts'

async function merging(party: Party): Promise<{ params: Record<string, string>; body: object }> {
  const { objectId, recordId: winnerId } = await makeCompany(party)
  const { recordId } = await makeCompany(party)
  return { params: { objectId }, body: { winnerId, loserIds: [recordId] } }
}

async function ofMerge(party: Party): Promise<{ params: Record<string, string> }> {
  const { params, body } = await merging(party)
  const { objectId = '' } = params
  const merged = await party.org.post<{ mergeId: string }>(`/objects/${objectId}/records/merge`, body)
  if (merged.status !== 200) throw new Error(`The merge was refused: ${JSON.stringify(merged.body)}`)
  return { params: { objectId, mergeId: merged.body.mergeId } }
}

export const mergeCases = {
  'POST /objects/:objectId/records/merge': { good: merging },
  'GET /objects/:objectId/records/:recordId/merges': {
    good: only(async (party) => ({ ...(await makeCompany(party)) })),
  },
  'POST /objects/:objectId/merges/:mergeId/undo': { good: ofMerge },
} satisfies Readonly<Record<string, RouteCase>>
