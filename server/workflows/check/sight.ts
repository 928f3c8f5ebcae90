// What the templates of a step can read: the steps before it on its way, the variables set there, the loops around it.
import { STEP_CONTRACTS } from '../../../contract/workflow-steps.ts'
import type { WorkflowDefinition, WorkflowStep } from '../../../contract/workflows.ts'
import { isObject } from '../interpreter/values.ts'
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

export interface Sight {
  /** Earlier steps by key. */
  readonly steps: ReadonlyMap<string, WorkflowStep>
  readonly vars: ReadonlySet<string>
  /** Names of the items of the loops around. */
  readonly items: readonly string[]
}

export interface TemplateContext {
  definition: WorkflowDefinition
  known: Known
  sight: Sight
  /** Whether the step may read secrets. */
  hasSecrets: boolean
}

export const NOTHING_SEEN: Sight = { steps: new Map(), vars: new Set(), items: [] }

const variablesOf = ({ type, config }: WorkflowStep): string[] =>
  type === 'set_variables' && isObject(config['variables']) ? Object.keys(config['variables']) : []

/** After a step, and inside of it. */
export const withStep = (sight: Sight, step: WorkflowStep): Sight => ({
  ...sight,
  steps: new Map(sight.steps).set(step.key, step),
  vars: new Set([...sight.vars, ...variablesOf(step)]),
})

/** Inside a loop. */
export const withItem = (sight: Sight, name: string): Sight => ({ ...sight, items: [...sight.items, name] })

/** After a step with steps inside: what one of several ways may have left behind. */
export const afterAll = (sight: Sight, ways: readonly Sight[]): Sight => ({
  ...sight,
  steps: new Map([...sight.steps, ...ways.flatMap(({ steps }) => [...steps])]),
  vars: new Set([...sight.vars, ...ways.flatMap(({ vars }) => [...vars])]),
})

/** `error` is there where onError says that the run goes on. */
export const outputsOf = (step: WorkflowStep): readonly string[] => [
  ...Object.keys(STEP_CONTRACTS[step.type].outputs),
  ...variablesOf(step),
  ...(step.onError === 'continue' ? ['error'] : []),
]
