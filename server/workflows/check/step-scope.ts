// The values that the templates of a step can read: earlier steps on its path, their variables, and the loops around it.
import { STEP_CONTRACTS } from '../../../contract/workflow-steps.ts'
import type { WorkflowDefinition, WorkflowStep } from '../../../contract/workflows.ts'
import { isPlainObject } from '../interpreter/values.ts'
import type { Known } from './known.ts'

/** Names that items of loops cannot have. */
export const ROOTS = [
  'trigger',
  'steps',
  'vars',
  'run',
  'workflow',
  'organization',
  'now',
  'loop',
  'secrets',
] as const
export type Root = (typeof ROOTS)[number]

export interface StepScope {
  /** Earlier steps by key. */
  readonly steps: ReadonlyMap<string, WorkflowStep>
  readonly vars: ReadonlySet<string>
  /** Names of the items of the loops around. */
  readonly items: readonly string[]
}

export interface TemplateContext {
  definition: WorkflowDefinition
  known: Known
  scope: StepScope
  /** Whether the step may read secrets. */
  hasSecrets: boolean
}

export const EMPTY_SCOPE: StepScope = { steps: new Map(), vars: new Set(), items: [] }

const variablesOf = ({ type, config }: WorkflowStep): string[] =>
  type === 'set_variables' && isPlainObject(config['variables']) ? Object.keys(config['variables']) : []

/** After a step, and inside of it. */
export const withStep = (scope: StepScope, step: WorkflowStep): StepScope => ({
  ...scope,
  steps: new Map(scope.steps).set(step.key, step),
  vars: new Set([...scope.vars, ...variablesOf(step)]),
})

/** Inside a loop. */
export const withItem = (scope: StepScope, name: string): StepScope => ({
  ...scope,
  items: [...scope.items, name],
})

/** After a branch or loop: the values that any of its paths may have set. */
export const afterAll = (scope: StepScope, paths: readonly StepScope[]): StepScope => ({
  ...scope,
  steps: new Map([...scope.steps, ...paths.flatMap(({ steps }) => [...steps])]),
  vars: new Set([...scope.vars, ...paths.flatMap(({ vars }) => [...vars])]),
})

/** Includes `error` if the run continues after a failure of the step. */
export const outputsOf = (step: WorkflowStep): readonly string[] => [
  ...Object.keys(STEP_CONTRACTS[step.type].outputs),
  ...variablesOf(step),
  ...(step.onError === 'continue' ? ['error'] : []),
]
