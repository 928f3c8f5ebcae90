// What the schemas say about a value, in words for those who draw workflows.
import type { TSchema } from 'typebox'
import type { Problem } from '../../../contract/errors.ts'
import { STEP_CONFIGS, type StepType } from '../../../contract/workflow-steps.ts'
import { WorkflowDefinition, WorkflowStep } from '../../../contract/workflows.ts'
import { shapeCheck } from '../../http/validate.ts'
import { type Report, under } from './report.ts'

type Check = ReturnType<typeof shapeCheck>

const compiled = new Map<TSchema, Check>()

function checkOf(schema: TSchema): Check {
  const known = compiled.get(schema)
  if (known) return known
  const check = shapeCheck(schema)
  compiled.set(schema, check)
  return check
}

const WORDS: Readonly<Record<string, string>> = {
  minLength: 'must not be empty',
  minItems: 'must not be empty',
  minProperties: 'must not be empty',
  pattern: 'must be of letters, digits and _, beginning with a letter, at most 40 of them',
}

const worded = ({ path, code, message }: Problem): Problem => ({
  path,
  code,
  message: /timeOfDay$/.test(path) ? 'must be a time of day, such as 09:30' : (WORDS[code] ?? message),
})

function checkShape(schema: TSchema, value: unknown, path: string, report: Report): void {
  for (const problem of checkOf(schema)(value).map(worded)) {
    const at = problem.path.startsWith('[') ? path + problem.path : under(path, problem.path)
    report.add(problem.path === '' ? path : at, problem.code, problem.message)
  }
}

/** The definition but for its steps. */
export const checkDefinitionShape = (value: unknown, report: Report): void =>
  checkShape(WorkflowDefinition, value, '', report)

/** A step but for what its config must be. */
export const checkStepShape = (step: unknown, path: string, report: Report): void =>
  checkShape(WorkflowStep, step, path, report)

/** Conditions and filters say themselves what is wrong with them: a union only says that nothing fits. */
const TREES: Readonly<Record<string, string>> = { condition: 'when', find_records: 'filter' }

export function checkConfigShape(
  { type, config }: { type: StepType; config: Readonly<Record<string, unknown>> },
  path: string,
  report: Report,
): void {
  checkShape(STEP_CONFIGS[type], withoutTrees(type, config), path, report)
}

const ALWAYS = { left: true, operator: 'isTrue' }

/** The config with trees that are right in place of those that are there. */
function withoutTrees(type: StepType, config: Readonly<Record<string, unknown>>): unknown {
  const tree = TREES[type]
  if (tree && Object.hasOwn(config, tree)) return { ...config, [tree]: type === 'find_records' ? {} : ALWAYS }
  const branches = config['branches']
  if (type !== 'branch' || !Array.isArray(branches)) return config
  const replaced = branches.map((branch) =>
    typeof branch === 'object' && branch !== null && Object.hasOwn(branch, 'when')
      ? { ...branch, when: ALWAYS }
      : branch,
  )
  return { ...config, branches: replaced }
}
