// Reports and their runs.
import { create, fresh, idOf, none, only, type Party, type RouteCase } from './party.ts'

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

export const reportCases = {
  'GET /reports': { good: only(none) },
  'GET /reports/:reportId': { good: only(ofReport) },
  'POST /reports/:reportId/run': { good: only(ofReport) },
  'GET /reports/:reportId/runs': {
    good: async (party) => ({ params: await ofReport(party), query: { limit: '5', offset: '0' } }),
  },
  'GET /reports/:reportId/runs/:runId': { good: only(ofReportRun) },
} satisfies Readonly<Record<string, RouteCase>>
