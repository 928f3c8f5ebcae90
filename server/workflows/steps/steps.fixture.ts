// Executes single steps for tests.
import { expect } from 'vitest'
import type { WorkflowStep } from '../../../contract/workflows.ts'
import type { TestService } from '../../test/build-app.ts'
import type { Org } from '../../test/factories.ts'
import { startRun } from '../engine/start.ts'
import { insertWorkflow, runsOf, stepsOf } from '../workflow.fixture.ts'

interface Options {
  parameters?: Record<string, unknown>
  /** Another organization than the default. */
  on?: Org
}

export function stepRunner(service: TestService, usual: () => Org) {
  const { ctx } = service
  /** Executes the steps once, as one run. */
  const runSteps = async (steps: WorkflowStep[], { parameters = {}, on = usual() }: Options = {}) => {
    const made = await insertWorkflow(ctx, on, { trigger: 'manual', steps })
    await ctx.db.transaction((tx) =>
      startRun({ ...ctx, db: tx }, on.org, {
        ...{ workflow: made.id, triggerEvent: 'api', parameters, startedBy: null },
      }),
    )
    await service.runWorkflows()
    const [run] = await runsOf(ctx, made)
    if (!run) throw new Error('there is no run')
    return { made, run, steps: await stepsOf(ctx, run) }
  }
  return {
    runSteps,
    outputs: async (steps: WorkflowStep[], options: Options = {}) => {
      const done = await runSteps(steps, options)
      expect(done.run).toMatchObject({ status: 'completed', error: null })
      return done.steps.map(({ output }) => output)
    },
    /** The error of a failing step. */
    failure: async (one: WorkflowStep, options: Options = {}) => {
      const { run, steps } = await runSteps([one], options)
      expect(run).toMatchObject({ status: 'failed', failure: 'step_failed' })
      return steps.at(-1)?.error
    },
  }
}
