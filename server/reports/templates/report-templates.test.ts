// Runs each report template in a new organization with data, and compares the results with the data.
import { describe, expect, test } from 'vitest'
import type { ReportResults } from '../../../contract/reports.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { dayIn, relativeDays } from '../plan/relative-dates.ts'
import { createRecords, makeReport, resultsOf, run } from '../reports.fixture.ts'
import { REPORT_TEMPLATES } from './report-templates.ts'

const service = await sharedTestService()
const org = await service.org()

const companies = [
  { name: 'Acme', industry: 'Energy', employees: 10 },
  { name: 'Beta', industry: 'Media', employees: 5 },
  { name: 'Gamma', industry: 'Energy', employees: 30 },
  { name: 'Delta' },
]
const [acme = '', beta = '', gamma = ''] = await createRecords(org, 'companies', companies)
const [ada = ''] = await createRecords(org, 'people', [
  { name: 'Ada Lovelace', email: 'ada@example.com', company: acme },
  { name: 'Grace Hopper', company: acme },
  { name: 'Mary Shelley', email: 'mary@example.com', company: gamma },
  { name: 'Stranger' },
])
const { from: soon } = relativeDays('tomorrow', dayIn(service.ctx.clock.now(), 'UTC'))
const usd = (amount: number) => ({ amount, currency: 'USD' })
await createRecords(org, 'deals', [
  { name: 'A', stage: 'Won', amount: 100, close_date: '2026-01-10', company: acme, contact: ada },
  { name: 'B', stage: 'Won', amount: 50, close_date: '2026-03-10', company: acme },
  { name: 'C', stage: 'Won', amount: 70, close_date: '2026-03-20', company: beta },
  { name: 'D', stage: 'Lost', amount: 10, close_date: '2026-03-20', company: gamma },
  { name: 'E', stage: 'Lead', amount: 40, close_date: soon, company: gamma },
  { name: 'F', stage: 'Proposal', amount: 60, close_date: soon, company: gamma, contact: ada },
  { name: 'G', stage: 'Lead', close_date: '2099-01-01' },
])
const acmeRef = { id: acme, name: 'Acme' }
const gammaRef = { id: gamma, name: 'Gamma' }
const month = `${soon.slice(0, 7)}-01`

const EXPECTED: Readonly<Record<string, ReportResults['rows']>> = {
  pipeline: [
    { stage: 'Lead', deals: 2, amount: usd(40) },
    { stage: 'Proposal', deals: 1, amount: usd(60) },
    { stage: 'Won', deals: 3, amount: usd(220) },
    { stage: 'Lost', deals: 1, amount: usd(10) },
  ],
  'won-by-month': [
    { month: '2026-01-01', won: usd(100), deals: 1 },
    { month: '2026-02-01', won: usd(0), deals: 0 },
    { month: '2026-03-01', won: usd(120), deals: 2 },
  ],
  'best-customers': [
    { company: acmeRef, won: usd(150), deals: 2 },
    { company: { id: beta, name: 'Beta' }, won: usd(70), deals: 1 },
  ],
  'won-and-lost': [
    { stage: 'Won', share: 75, deals: 3 },
    { stage: 'Lost', share: 25, deals: 1 },
  ],
  expected: [
    { month, stage: 'Lead', amount: usd(40), deals: 1 },
    { month, stage: 'Proposal', amount: usd(60), deals: 1 },
  ],
  'deals-by-industry': [
    { industry: 'Energy', deals: 5, average: usd(52), median: usd(50) },
    { industry: 'Media', deals: 1, average: usd(70), median: usd(70) },
    { industry: null, deals: 1, average: null, median: null },
  ],
  'deals-without-contact': [
    { name: 'E', company: gammaRef, stage: 'Lead', amount: usd(40) },
    { name: 'G', company: null, stage: 'Lead', amount: null },
  ],
  'companies-by-industry': [
    { industry: 'Energy', companies: 2, employees: 20 },
    { industry: 'Media', companies: 1, employees: 5 },
    { industry: null, companies: 1, employees: null },
  ],
  'people-by-company': [
    { company: acmeRef, people: 2, reachable: 1 },
    { company: gammaRef, people: 1, reachable: 1 },
  ],
}

describe('report templates', () => {
  test('are ten with different names', () => {
    expect(REPORT_TEMPLATES).toHaveLength(10)
    expect(new Set(REPORT_TEMPLATES.map(({ definition }) => definition.name)).size).toBe(10)
  })

  test.each(REPORT_TEMPLATES)('$key returns the expected rows', async ({ key, definition }) => {
    const results = await resultsOf(service.ctx, org, definition)
    if (key === 'new-people') expect(results.rows).toEqual([{ week: expect.any(String), people: 4 }])
    else expect(results.rows).toEqual(EXPECTED[key])
  })

  test.each(REPORT_TEMPLATES)('$key can be saved and run', async ({ definition }) => {
    const { id } = await makeReport(org, { measures: [], ...definition })
    expect(await run(org, id)).toMatchObject({ status: 'completed', error: null })
  })
})
