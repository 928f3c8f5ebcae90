import { describe, expect, test } from 'vitest'
import type { ReportWorkflow } from '../../contract/workflow-dashboard.ts'
import { newId } from '../base/id.ts'
import { makeReport } from '../reports/reports.fixture.ts'
import { buildTestService } from '../test/build-app.ts'
import { expectError, type Org } from '../test/factories.ts'
import { makeWorkflow } from './dashboard.fixture.ts'
import { step } from './workflow.fixture.ts'

const service = await buildTestService()

const runs = (reportId: string) => step('run_report', { reportId }, { key: 'ran' })
const byHand = (...steps: object[]) => ({ definition: { trigger: 'manual', steps }, enabled: true })
const monday = { cron: '0 9 * * 1', timezone: 'Europe/Berlin' }

async function answer(org: Org, reportId: string): Promise<ReportWorkflow[]> {
  const member = await org.member('member')
  const reply = await member.get<{ workflows: ReportWorkflow[] }>(`/reports/${reportId}/workflows`)
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body.workflows
}

describe('GET /reports/:reportId/workflows', () => {
  test('returns the workflows that run the report, also in inner steps, and their next times', async () => {
    const org = await service.org()
    const owner = await org.member('owner')
    const [report, other] = [await makeReport(org), await makeReport(org)]
    const weekly = await makeWorkflow(owner, {
      definition: { trigger: 'schedule', triggerConfig: monday, steps: [runs(report.id)] },
      enabled: true,
    })
    const when = { left: '1', operator: 'equals', right: '1' }
    const inside = { branches: [{ name: 'yes', when, steps: [runs(report.id.toUpperCase())] }] }
    const deep = await makeWorkflow(owner, byHand(step('branch', inside)))
    await makeWorkflow(owner, byHand(runs(other.id)))
    expect(await answer(org, report.id)).toEqual([
      {
        ...{ id: weekly.id, name: weekly.name, enabled: true, trigger: 'schedule', triggerConfig: monday },
        ...{ nextAt: expect.stringMatching(/T0[78]:00:00\.000Z$/), runs: [] },
      },
      { id: deep.id, name: deep.name, enabled: true, trigger: 'manual', nextAt: null, runs: [] },
    ])
  })

  test('returns which workflow run created which report run', async () => {
    const org = await service.org()
    const owner = await org.member('owner')
    const { id } = await makeReport(org)
    const workflow = await makeWorkflow(owner, byHand(runs(id)))
    const started = await org.post<{ runId: string }>(`/workflows/${workflow.id}/run`)
    await service.runWorkflows()
    const { body } = await org.get<{ runs: { id: string }[] }>(`/reports/${id}/runs`)
    const [found] = await answer(org, id)
    expect(found?.runs).toEqual([{ id: started.body.runId, reportRunId: body.runs[0]?.id }])
  })

  test('leaves out runs of other reports that the workflow ran', async () => {
    const org = await service.org()
    const owner = await org.member('owner')
    const [first, second] = [await makeReport(org), await makeReport(org)]
    const then = step('run_report', { reportId: second.id }, { key: 'then' })
    const workflow = await makeWorkflow(owner, byHand(runs(first.id), then))
    const started = await org.post<{ runId: string }>(`/workflows/${workflow.id}/run`)
    await service.runWorkflows()
    for (const { id } of [first, second]) {
      const { body } = await org.get<{ runs: { id: string }[] }>(`/reports/${id}/runs`)
      expect(body.runs).toHaveLength(1)
      const [found] = await answer(org, id)
      expect(found?.runs).toEqual([{ id: started.body.runId, reportRunId: body.runs[0]?.id }])
    }
  })

  test('returns an empty list when no workflow runs the report', async () => {
    const org = await service.org()
    expect(await answer(org, (await makeReport(org)).id)).toEqual([])
  })

  test.each(['nothing', newId()])('returns 404 for the unknown report %s', async (id) => {
    const member = await (await service.org()).member('member')
    expectError(await member.get(`/reports/${id}/workflows`), 'not_found')
  })

  test('returns 404 for a report of another organization', async () => {
    const { id } = await makeReport(await service.org())
    const member = await (await service.org()).member('owner')
    expectError(await member.get(`/reports/${id}/workflows`), 'not_found')
  })
})
