// Checks values with schemas, with messages for users who build workflows.
import type { TSchema } from 'typebox'
import type { Problem } from '../../../contract/errors.ts'
import type { FieldWidget } from '../../../contract/workflow-steps/fields.ts'
import { STEP_CONTRACTS, type StepType } from '../../../contract/workflow-steps.ts'
import { WorkflowDefinition, WorkflowStep } from '../../../contract/workflows.ts'
import { shapeCheck } from '../../http/validate.ts'
import { isPlainObject } from '../interpreter/values.ts'
import { type CheckReport, under } from './report.ts'

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
  minLength: 'must not be empty: enter a value',
  minItems: 'must not be empty: add an element',
  minProperties: 'must not be empty: add a field',
  pattern: 'must consist of letters, digits and _, start with a letter, and have at most 40 characters',
}

const worded = ({ path, code, message }: Problem): Problem => ({
  path,
  code,
  message: /timeOfDay$/.test(path) ? 'must be a time of day, such as 09:30' : (WORDS[code] ?? message),
})

function checkShape(schema: TSchema, value: unknown, path: string, report: CheckReport): void {
  for (const problem of checkOf(schema)(value).map(worded)) {
    const at = problem.path.startsWith('[') ? path + problem.path : under(path, problem.path)
    const whole = problem.path === '' && path === '' ? 'The definition ' : ''
    report.add(problem.path === '' ? path : at, problem.code, whole + problem.message)
  }
}

/** Checks the definition without its steps. */
export const checkDefinitionShape = (value: unknown, report: CheckReport): void =>
  checkShape(WorkflowDefinition, value, '', report)

/** Checks a step without the fields of its config. */
export const checkStepShape = (step: unknown, path: string, report: CheckReport): void =>
  checkShape(WorkflowStep, step, path, report)

/** Valid placeholders for conditions and filters. These have separate checks, because errors of unions are unclear. */
const VALID: Partial<Record<FieldWidget, unknown>> = {
  filter: {},
  condition: { left: true, operator: 'isTrue' },
}

/** The part of JSON Schema that leads to the fields of a config. */
interface FieldSchema {
  widget?: FieldWidget
  properties?: Readonly<Record<string, FieldSchema>>
  items?: FieldSchema
}

/** The value with its conditions and filters replaced by valid ones. */
function withoutTrees({ widget, properties, items }: FieldSchema, value: unknown): unknown {
  if (widget && widget in VALID) return VALID[widget]
  if (items && Array.isArray(value)) return value.map((one) => withoutTrees(items, one))
  if (!properties || !isPlainObject(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    Object.hasOwn(properties, name) ? withoutTrees(properties[name] ?? {}, inner) : inner,
  ])
  return Object.fromEntries(entries)
}

export function checkConfigShape(
  { type, config }: { type: StepType; config: Readonly<Record<string, unknown>> },
  path: string,
  report: CheckReport,
): void {
  const schema = STEP_CONTRACTS[type].config
  checkShape(schema, withoutTrees(schema as unknown as FieldSchema, config), path, report)
}
