// Data for screenshots of reports: a report with a run, and a report with two different runs.
import type { APIRequestContext } from 'playwright-core'
import type { ReportTemplate } from '../../contract/report-administration.ts'

export interface ReportPlaces {
  /** Path of a report with its chart. */
  report: string
  /** Path of another report that compares its two runs. */
  difference: string
  /** Path of the demo's dashboard. */
  dashboard: string
}

/** The number of deals that are won between the two runs. */
const WON = 4

/** @param organization path of the organization in the dashboard's API; page: path of its pages */
export async function makeReports(
  request: APIRequestContext,
  { organization, page }: { organization: string; page: string },
): Promise<ReportPlaces> {
  const read = async (path: string) => (await request.get(`${organization}${path}`)).json()
  const post = async (path: string, data: object = {}) =>
    (await request.post(`${organization}${path}`, { data })).json()
  const ready: ReportTemplate[] = (await read('/reports/ready')).reports
  const idOf = async (list: string, key: string, wanted: string): Promise<string> =>
    (await read(list))[key].find(({ name }: { name: string }) => name === wanted).id
  const add = async (wanted: string) => {
    const found = ready.find(({ key }) => key === wanted)
    const { id } = await post('/reports', {
      definition: { ...found?.definition, description: found?.description },
    })
    return id as string
  }
  const run = async (id: string): Promise<string> => (await post(`/reports/${id}/run`)).run.id
  // The demo already has the first report and the dashboard.
  const months = await idOf('/reports', 'reports', 'Won by month')
  const customers = await add('best-customers')
  const before = await run(customers)
  await run(months)
  const { records } = await read(`/objects/deals/records?filter[stage][equals]=Lost&limit=${WON}`)
  for (const { id } of records)
    await request.patch(`${organization}/objects/deals/records/${id}`, { data: { data: { stage: 'Won' } } })
  await run(customers)
  await run(months)
  await post('/workflows', {
    name: 'Won by month, every Monday at 09:00',
    enabled: true,
    definition: {
      trigger: 'schedule',
      triggerConfig: { cron: '0 9 * * 1' },
      steps: [{ key: 'report', type: 'run_report', config: { reportId: months } }],
    },
  })
  const dashboard = await idOf('/report-dashboards', 'dashboards', 'Sales')
  const pageOf = (id: string) => `${page}/reports/${id}`
  return {
    report: pageOf(months),
    difference: `${pageOf(customers)}?compare=${before}`,
    dashboard: `${page}/reports/dashboards/${dashboard}`,
  }
}
