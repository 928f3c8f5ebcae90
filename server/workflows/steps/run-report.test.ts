import { describe, expect, test } from 'vitest'
import { createRecords, makeReport } from '../../reports/reports.fixture.ts'
import { buildTestService } from '../../test/build-app.ts'
import { bodyOf } from '../../test/factories.ts'
import { step } from '../workflow.fixture.ts'
import { stepRunner } from './steps.fixture.ts'

const service = await buildTestService()
const org = await service.org()
await createRecords(org, 'deals', [
  { name: 'A', stage: 'Won', amount: { amount: 10.5, currency: 'EUR' } },
  { name: 'B', stage: 'Won', amount: { amount: 2, currency: 'EUR' } },
  { name: 'C', stage: 'Lost', amount: { amount: 7, currency: 'EUR' } },
])
const { outputs, failure } = stepRunner(service, () => org)

const byStage = () =>
  makeReport(org, {
    groupBy: [{ key: 'stage', field: 'deal.stage' }],
    measures: [
      { key: 'sum', op: 'sum', field: 'deal.amount' },
      { key: 'deals', op: 'count' },
    ],
    sort: [{ key: 'deals', order: 'desc' }],
  })

describe('run_report', () => {
  test('stores a run of the report, and returns its rows and their text to later steps', async () => {
    const { id } = await byStage()
    const [output, kept] = await outputs([
      step('run_report', { reportId: id }, { key: 'ran' }),
      step('set_variables', {
        variables: { text: '{{steps.ran.text}}', first: '{{steps.ran.rows[0].stage}}' },
      }),
    ])
    expect(output).toMatchObject({ resultCount: 2, rows: [{ stage: 'Won', deals: 2 }, { stage: 'Lost' }] })
    const lines = String(kept?.['text']).split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[1]).toMatch(/^Won \| .*12\.5 EUR \| 2$/)
    expect(kept?.['first']).toBe('Won')
    const { body } = await org.get<{ runs: { id: string; status: string }[] }>(`/reports/${id}/runs`)
    expect(body.runs).toMatchObject([{ id: output?.['runId'], status: 'completed' }])
  })

  test('returns the requested number of rows', async () => {
    const { id } = await byStage()
    const [output] = await outputs([step('run_report', { reportId: id, rows: 1 })])
    expect(output).toMatchObject({ resultCount: 2, rows: [{ stage: 'Won' }] })
  })

  test('fails for a report of another organization', async () => {
    const { id } = await makeReport(await service.org())
    expect(await failure(step('run_report', { reportId: id }))).toMatch(/No such report/)
  })

  test('stores no run of the report in a dry run', async () => {
    const { id } = await byStage()
    const owner = await org.member('owner')
    const definition = { trigger: 'manual', steps: [step('run_report', { reportId: id })] }
    const body = bodyOf(await owner.post('/workflow-dry-run', { definition }))
    expect(body).toMatchObject({
      status: 'completed',
      steps: [{ status: 'completed', output: { runId: null, resultCount: 2 } }],
    })
    expect((await org.get<{ runs: unknown[] }>(`/reports/${id}/runs`)).body.runs).toEqual([])
  })

  test('a workflow with an unknown report has a problem', async () => {
    const owner = await org.member('owner')
    const definition = {
      trigger: 'manual',
      steps: [step('run_report', { reportId: '0198c0de-0000-7000-8000-000000000001' })],
    }
    const { body } = await owner.post('/workflow-check', { definition })
    expect(body).toMatchObject({
      problems: [{ path: 'steps[0].config.reportId', code: 'unknown_report' }],
    })
  })
})
