// Finds all problems of a workflow before it can run.
import type { Problem } from '../../../contract/errors.ts'
import { isStepType, STEP_CONTRACTS } from '../../../contract/workflow-steps.ts'
import type { WorkflowDefinition, WorkflowStep } from '../../../contract/workflows.ts'
import { isPlainObject } from '../interpreter/values.ts'
import { STEPS } from '../steps/steps.ts'
import { checkKinds } from './kind-check.ts'
import type { Known } from './known.ts'
import { CheckReport, under } from './report.ts'
import { checkConfigShape } from './shapes.ts'
import {
  afterAll,
  EMPTY_SCOPE,
  type StepScope,
  type TemplateContext,
  withItem,
  withStep,
} from './step-scope.ts'
import { listsInside, structureProblems } from './structure.ts'
import { templateFlaw } from './template-check.ts'
import { checkTrigger } from './trigger-check.ts'

export type { Known, KnownObject } from './known.ts'

class Check {
  readonly report = new CheckReport()
  readonly #definition: WorkflowDefinition
  readonly #known: Known
  readonly #keys = new Set<string>()

  constructor(definition: WorkflowDefinition, known: Known) {
    this.#definition = definition
    this.#known = known
  }

  /** @returns what templates can read after the last step */
  list(steps: readonly WorkflowStep[], path: string, scope: StepScope): StepScope {
    return steps.reduce((seen, step, index) => this.#step(step, `${path}[${index}]`, seen), scope)
  }

  #step(step: WorkflowStep, path: string, scope: StepScope): StepScope {
    this.#checkOwn(step, path, scope)
    const inside = this.#insideOf(step, path, scope)
    const paths = listsInside(step, path).map((list) =>
      this.list(list.steps as readonly WorkflowStep[], list.path, inside),
    )
    return afterAll(withStep(scope, step), paths)
  }

  #checkOwn(step: WorkflowStep, path: string, scope: StepScope): void {
    const { report } = this
    if (this.#keys.has(step.key))
      report.add(`${path}.key`, 'duplicate', 'must not be the key of another step: choose another key')
    this.#keys.add(step.key)
    if (!isStepType(step.type)) return
    const config = `${path}.config`
    checkConfigShape(step, config, report)
    STEPS[step.type].check?.({ config: step.config, path: config, known: this.#known, report })
    const context = this.#contextOf(step, scope)
    this.#templates(ownConfig(step), config, context)
    checkKinds(step, config, context, report)
  }

  #contextOf({ type }: WorkflowStep, scope: StepScope): TemplateContext {
    const hasSecrets = STEP_CONTRACTS[type].readsSecrets === true
    return { definition: this.#definition, known: this.#known, scope, hasSecrets }
  }

  /** Inside a loop, templates can also read the item. */
  #insideOf(step: WorkflowStep, path: string, scope: StepScope): StepScope {
    const inside = withStep(scope, step)
    const { as } = step.config
    if (step.type !== 'for_each' || typeof as !== 'string') return inside
    if (scope.items.includes(as))
      this.report.add(
        `${path}.config.as`,
        'duplicate',
        'must not be the name of an item of a loop around this one: choose another name',
      )
    return withItem(inside, as)
  }

  #templates(value: unknown, path: string, context: TemplateContext): void {
    if (typeof value === 'string') this.#template(value, path, context)
    else if (Array.isArray(value))
      for (const [index, one] of value.entries()) this.#templates(one, `${path}[${index}]`, context)
    else if (isPlainObject(value))
      for (const [key, inner] of Object.entries(value)) this.#templates(inner, under(path, key), context)
  }

  #template(text: string, path: string, context: TemplateContext): void {
    const flaw = templateFlaw(text, context)
    if (flaw) this.report.add(path, flaw.code, flaw.message)
  }
}

/** The config without inner steps, which are checked with their own paths. Indexes of branches stay. */
function ownConfig({ type, config }: WorkflowStep): unknown {
  const { steps: _, else: __, ...rest } = config
  if (type === 'for_each') return rest
  const { branches } = config
  if (type !== 'branch' || !Array.isArray(branches)) return config
  return { branches: branches.map((branch) => (isPlainObject(branch) ? { when: branch['when'] } : branch)) }
}

/**
 * All problems of a definition, with paths such as `steps[1].config.branches[0].when.operator`. A definition without
 * problems can be enabled.
 * @param known what definitions of the organization can refer to
 */
export function checkDefinition(definition: WorkflowDefinition, known: Known): Problem[] {
  const structural = structureProblems(definition)
  if (structural.length > 0) return structural
  const check = new Check(definition, known)
  checkTrigger(definition, known, check.report)
  if (definition.steps.length === 0) check.report.add('steps', 'required', 'must have a step: add one')
  check.list(definition.steps, 'steps', EMPTY_SCOPE)
  return check.report.problems
}
