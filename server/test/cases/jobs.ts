// Jobs of the API: background work on many records.
import { workOnJob } from '../../record-jobs/jobs.ts'
import { create, fresh, idOf, none, only, type Party, type RouteCase, withBody } from './party.ts'

const makeJob = async (party: Party) => ({
  jobId: idOf(await create(party, '/jobs', { type: 'import', objectId: 'people', matchOn: 'email' })),
})

const ofJob = only(makeJob)

/** A completed job with a row whose values a record already has, which only keys with a read scope may see. */
async function makeDone(party: Party) {
  const data = { name: party.mark, email: `${party.mark}-${fresh()}@example.com` }
  await create(party, '/objects/people/records', { data })
  const params = await makeJob(party)
  await party.org.patch(`/jobs/${params.jobId}/content`, JSON.stringify({ data }), {
    'content-type': 'application/x-ndjson',
    'upload-offset': '0',
    'upload-complete': '?1',
  })
  await workOnJob(party.ctx, { org: party.org.org, id: params.jobId }, new AbortController().signal)
  return params
}

async function makeExport(party: Party) {
  const jobId = idOf(await create(party, '/jobs', { type: 'export', objectId: 'people' }))
  await workOnJob(party.ctx, { org: party.org.org, id: jobId }, new AbortController().signal)
  return { jobId }
}

export const jobCases = {
  'POST /jobs': {
    // Each body is different.
    good: withBody(none, () => ({
      type: 'import',
      objectId: 'people',
      format: 'csv',
      columns: { [`Email ${fresh()}`]: 'email' },
    })),
  },
  'GET /jobs': { good: only(none) },
  'GET /jobs/:jobId': { good: ofJob },
  'GET /jobs/:jobId/content': { good: ofJob },
  'PATCH /jobs/:jobId/content': {
    good: async (party) => ({
      params: await makeJob(party),
      text: {
        type: 'application/x-ndjson',
        body: `{"data":{"name":"${party.mark} ${fresh()}"}}\n`,
        headers: { 'upload-offset': '0', 'upload-complete': '?1' },
      },
    }),
  },
  'POST /jobs/:jobId/cancel': { good: only(makeDone) },
  'DELETE /jobs/:jobId': { good: only(makeDone) },
  'GET /jobs/:jobId/results': { good: ofJob },
  'GET /jobs/:jobId/file': { good: only(makeExport) },
} satisfies Readonly<Record<string, RouteCase>>
