// Runs of the interpreter without a service.
import type { StepType } from '../../../contract/workflow-steps.ts'
import type { WorkflowDefinition, WorkflowStep } from '../../../contract/workflows.ts'
import { advance, begin } from './advance.ts'
import type { Advance, RunFacts, RunState, StepEvent } from './state.ts'

export const NOW = new Date('2026-11-20T10:00:00.000Z')

export const FACTS: RunFacts = {
  run: { id: '0198c0de-0000-7000-8000-00000000000a', startedAt: NOW.toISOString() },
  workflow: { id: '0198c0de-0000-7000-8000-00000000000b', name: 'Big deal won' },
  organization: { id: '0198c0de-0000-7000-8000-00000000000c', name: 'Acme', timeZone: 'Europe/Berlin' },
  trigger: {
    event: 'record/updated',
    recordId: '0198c0de-0000-7000-8000-00000000000d',
    parameters: {},
    data: {
      name: { firstName: 'Ada', lastName: 'Lovelace' },
      amount: { amount: 1200.5, currency: 'EUR' },
      tags: ['vip', 'eu'],
    },
  },
  stepsMax: 5000,
}

type StepInput = Partial<WorkflowStep> & { type: StepType }

/** A step whose key is its type by default. */
export const step = (type: StepType, config: Record<string, unknown>, more: Partial<StepInput> = {}) =>
  ({ key: type, type, config, ...more }) satisfies WorkflowStep

export const workflow = (
  steps: WorkflowStep[],
  more: Partial<WorkflowDefinition> = {},
): WorkflowDefinition => ({
  trigger: 'manual',
  ...more,
  steps,
})

/** A run that a test advances explicitly. The test can set `now`. */
export class TestRun {
  readonly definition: WorkflowDefinition
  readonly facts: RunFacts
  state: RunState = begin()
  now = NOW

  constructor(definition: WorkflowDefinition, facts: Partial<RunFacts> = {}) {
    this.definition = definition
    this.facts = { ...FACTS, ...facts }
  }

  send(event: StepEvent): Advance {
    const advanced = advance(this.definition, this.facts, this.state, event, this.now)
    this.state = advanced.state
    return advanced
  }

  go = (): Advance => this.send({ kind: 'go' })
  succeed = (output: unknown): Advance => this.send({ kind: 'succeeded', output })
  fail = (message: string, isTransient = false): Advance =>
    this.send({ kind: 'failed', message, isTransient })
}
