// Helpers for tests of report pages: an organization with deals and reports.
import type { Page } from 'playwright-core'
import type { Report, ReportDefinition, ReportDetail, ReportRun } from '../../contract/reports.ts'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { SharedService } from '../../server/test/shared-service.ts'
import { addRecord } from './crm.fixture.ts'

export const PIPELINE: ReportDefinition = {
  name: 'Pipeline by stage',
  description: 'What is open, and what it is worth',
  source: { objectId: 'deals', alias: 'deal' },
  groupBy: [{ key: 'stage', field: 'deal.stage' }],
  measures: [
    { key: 'deals', op: 'count' },
    { key: 'amount', op: 'sum', field: 'deal.amount' },
  ],
  chart: { type: 'bar', x: 'stage', y: ['deals'] },
}

/** @throws if the report is refused */
export async function addReport(
  member: SignedInMember,
  definition: Partial<ReportDefinition> = {},
): Promise<ReportDetail> {
  const { status, body } = await member.post<ReportDetail>('/reports', {
    definition: { ...PIPELINE, ...definition },
  })
  if (status !== 201) throw new Error(`The report was refused: ${JSON.stringify(body)}`)
  return body
}

export async function runOf(member: SignedInMember, { id }: Pick<Report, 'id'>): Promise<ReportRun> {
  const { status, body } = await member.post<{ run: ReportRun }>(`/reports/${id}/run`)
  if (status !== 201) throw new Error(`The report was not run: ${JSON.stringify(body)}`)
  return body.run
}

export async function setUp(service: SharedService) {
  const org = await service.org({ name: 'Initech' })
  const owner = await org.member('owner')
  const base = `/o/org-${org.id}`
  const deal = (name: string, stage: string, amount: number) =>
    addRecord(org, 'deals', { name, stage, amount: { amount, currency: 'USD' } })
  const list = async () => (await owner.get<{ reports: Report[] }>('/reports')).body.reports
  const pageOf = ({ id }: Pick<Report, 'id'>) => `${base}/reports/${id}`
  return { org, owner, base, deal, list, pageOf }
}

export const chart = (page: Page, name: string | RegExp) => page.getByRole('figure', { name })
export const rows = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
export const history = (page: Page) => page.getByRole('region', { name: 'Runs', exact: true })
