// Shared by tests of the engine: manual workflows, their steps, and the results of their runs.
import type { WorkflowDefinition, WorkflowStep } from '../../../contract/workflows.ts'
import type { TestService } from '../../test/build-app.ts'
import type { Org } from '../../test/factories.ts'
import type { Receiver } from '../../test/receiver.ts'
import { insertWorkflow, type Made, runsOf, step } from '../workflow.fixture.ts'
import { startRun } from './start.ts'

export const NOTHING_STUCK = { runs: 0, events: 0 }

export const make = (name: string, more: Partial<WorkflowStep> = {}) =>
  step('create_record', { object: 'companies', data: { name } }, more)

export const companies = async (org: Org) =>
  (
    await org.get<{ records: { data: { name: string } }[] }>(
      '/objects/companies/records?sort=created_at&order=asc',
    )
  ).body.records.map(({ data }) => data.name)

export function engineTools({ ctx }: TestService, receiver: Receiver) {
  return {
    start: (org: Org, made: Made, parameters: Record<string, unknown> = {}) =>
      ctx.db.transaction((tx) =>
        startRun({ ...ctx, db: tx }, org.org, {
          ...{ workflow: made.id, triggerEvent: 'manual', parameters, startedBy: org.userId },
        }),
      ),
    manual: (org: Org, steps: WorkflowStep[], more: Partial<WorkflowDefinition> = {}) =>
      insertWorkflow(ctx, org, { trigger: 'manual', steps, ...more }),
    ask: (more: Partial<WorkflowStep> = {}) => step('http_request', { url: receiver.url }, more),
    async only(made: Made) {
      const [run, ...others] = await runsOf(ctx, made)
      if (!run || others.length > 0) throw new Error(`there are ${others.length + 1} runs`)
      return run
    },
  }
}
