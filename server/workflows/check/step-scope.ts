// The values that the templates of a step can read: earlier steps on its path, variables, and items of outer loops.
import { STEP_CONTRACTS } from '../../../contract/workflow-steps.ts'
import type { WorkflowDefinition, WorkflowStep } from '../../../contract/workflows.ts'
import { isPlainObject } from '../interpreter/values.ts'
import type { Known } from './known.ts'

/** Names that loop items cannot have. */
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
  /** Item names of the outer loops. */
  readonly items: readonly string[]
}

export interface TemplateContext {
  definition: WorkflowDefinition
  known: Known
  scope: StepScope
  hasSecrets: boolean
}

export const EMPTY_SCOPE: StepScope = { steps: new Map(), vars: new Set(), items: [] }

const variablesOf = ({ type, config }: WorkflowStep): string[] =>
  type === 'set_variables' && isPlainObject(config['variables']) ? Object.keys(config['variables']) : []

/** The scope after a step and inside it. */
export const withStep = (scope: StepScope, step: WorkflowStep): StepScope => ({
  ...scope,
  steps: new Map(scope.steps).set(step.key, step),
  vars: new Set([...scope.vars, ...variablesOf(step)]),
})

/** The scope inside a loop. */
export const withItem = (scope: StepScope, name: string): StepScope => ({
  ...scope,
  items: [...scope.items, name],
})

/** The scope after a branch or loop: all values that one of its paths may have set. */
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
