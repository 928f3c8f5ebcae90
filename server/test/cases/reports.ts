// Reports and their runs.
import { create, fresh, idOf, none, only, type Party, type RouteCase, withBody } from './party.ts'

const definitionOf = ({ mark }: Party) => ({
  name: `Report ${fresh()} ${mark}`,
  source: { objectId: 'companies', alias: 'company' },
  columns: [{ key: 'name', field: 'company.name' }],
})

const makeReport = async (party: Party) =>
  idOf(await create(party, '/reports', { definition: definitionOf(party) }))

export const ofReport = async (party: Party) => ({ reportId: await makeReport(party) })

async function ofReportRun(party: Party) {
  const reportId = await makeReport(party)
  const { run } = await create(party, `/reports/${reportId}/run`, undefined)
  return { reportId, runId: idOf(run as Record<string, unknown>) }
}

const newDashboard = async (party: Party) => ({
  name: `Dashboard ${fresh()} ${party.mark}`,
  tiles: [{ id: 'a', reportId: await makeReport(party), x: 0, y: 0, w: 6, h: 4 }],
})

const ofDashboard = async (party: Party) => ({
  dashboardId: idOf(await create(party, '/report-dashboards', await newDashboard(party))),
})

const defined = (party: Party) => ({ definition: definitionOf(party) })

export const reportCases = {
  'POST /reports': { good: withBody(none, defined) },
  'PATCH /reports/:reportId': { good: withBody(ofReport, defined) },
  'DELETE /reports/:reportId': { good: only(ofReport) },
  'GET /reports/ready': { good: only(none) },
  'POST /reports/check': { good: withBody(none, defined) },
  'POST /reports/preview': { good: withBody(none, defined) },
  'GET /report-dashboards': { good: only(none) },
  'GET /report-dashboards/:dashboardId': { good: only(ofDashboard) },
  'POST /report-dashboards': { good: withBody(none, newDashboard) },
  'PATCH /report-dashboards/:dashboardId': { good: withBody(ofDashboard, newDashboard) },
  'DELETE /report-dashboards/:dashboardId': { good: only(ofDashboard) },
  'GET /reports': { good: only(none) },
  'GET /reports/:reportId': { good: only(ofReport) },
  'POST /reports/:reportId/run': { good: only(ofReport) },
  'GET /reports/:reportId/runs': {
    good: async (party) => ({ params: await ofReport(party), query: { limit: '5', offset: '0' } }),
  },
  'GET /reports/:reportId/runs/:runId': { good: only(ofReportRun) },
} satisfies Readonly<Record<string, RouteCase>>
