// Resolves {{templates}} in configs. Text in a resolved value is never parsed as a template.
import { STEP_OUTPUT_BYTES_MAX } from '../../../contract/workflow-states.ts'
import { STEP_CONTRACTS } from '../../../contract/workflow-steps.ts'
import type { WorkflowStep } from '../../../contract/workflows.ts'
import { isRawNumber } from '../../base/json.ts'
import { FUNCTIONS } from './functions.ts'
import { branchesOf } from './positions.ts'
import { lookup, type Secrets, type TemplateScope, withSecrets } from './scope.ts'
import { TemplateError } from './template-error.ts'
import { type Expression, parseTemplate, type TemplateOperand } from './template-syntax.ts'
import { sizeOf, textOf } from './values.ts'

/** Limits the result of one config, because many templates could each insert a long text. */
class Budget {
  #bytes = STEP_OUTPUT_BYTES_MAX
  #work = 8 * STEP_OUTPUT_BYTES_MAX

  take(value: unknown): void {
    this.#bytes -= sizeOf(value, this.#bytes)
    if (this.#bytes < 0)
      throw new TemplateError(
        `With its templates filled in, the step has more than ${STEP_OUTPUT_BYTES_MAX} bytes: use fewer or shorter values.`,
      )
  }

  spend(value: unknown): void {
    this.#work -= typeof value === 'object' ? sizeOf(value, this.#work) : String(value).length
    if (this.#work < 0)
      throw new TemplateError(
        'The functions of its templates process too much data: use fewer or shorter values.',
      )
  }
}

const operandValue = (operand: TemplateOperand, scope: TemplateScope): unknown =>
  'literal' in operand ? operand.literal : lookup(scope, operand.path)

const isSecret = (operand: TemplateOperand) => 'path' in operand && operand.path[0] === 'secrets'

function evaluate({ head, calls }: Expression, scope: TemplateScope, budget: Budget): unknown {
  let value = operandValue(head, scope)
  for (const { name, args } of calls) {
    if (!Object.hasOwn(FUNCTIONS, name)) throw new TemplateError(`There is no function ${name}.`)
    budget.spend(value)
    const operands = args.map((arg) => operandValue(arg, scope))
    for (const operand of operands) budget.spend(operand)
    value = FUNCTIONS[name as keyof typeof FUNCTIONS](value, operands, scope)
  }
  if ([head, ...calls.flatMap(({ args }) => args)].some(isSecret)) scope.onSecretResult?.(value)
  return value ?? null
}

/** A text that consists of one template returns its value. In other texts, values become text. */
function resolveText(text: string, scope: TemplateScope, budget: Budget): unknown {
  if (!text.includes('{{')) {
    budget.take(text)
    return text
  }
  const { pieces, problem } = parseTemplate(text)
  if (problem !== undefined) throw new TemplateError(problem)
  const [only] = pieces
  if (pieces.length === 1 && typeof only === 'object') {
    const value = evaluate(only, scope, budget)
    budget.take(value)
    return value
  }
  return pieces.map((piece) => pieceText(piece, scope, budget)).join('')
}

function pieceText(piece: string | Expression, scope: TemplateScope, budget: Budget): string {
  if (typeof piece === 'string') {
    budget.take(piece)
    return piece
  }
  const value = evaluate(piece, scope, budget)
  budget.take(value)
  return textOf(value)
}

function resolveAny(value: unknown, scope: TemplateScope, budget: Budget): unknown {
  if (typeof value === 'string') return resolveText(value, scope, budget)
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value
  if (Array.isArray(value)) return value.map((one) => resolveAny(one, scope, budget))
  // Without a prototype, `__proto__` is an ordinary key.
  const resolved: Record<string, unknown> = Object.create(null)
  for (const [key, inner] of Object.entries(value)) resolved[key] = resolveAny(inner, scope, budget)
  return resolved
}

/** Resolves the templates in all strings of `value`. @throws TemplateError for too much text or work */
export const resolve = (value: unknown, scope: TemplateScope): unknown =>
  resolveAny(value, scope, new Budget())

/** The config without inner steps, whose templates are resolved later. */
function ownConfig(step: WorkflowStep): Record<string, unknown> {
  if (step.type === 'branch') return { branches: branchesOf(step).map(({ name, when }) => ({ name, when })) }
  if (step.type !== 'for_each') return step.config
  const { steps: _, ...config } = step.config
  return config
}

/**
 * The resolved config of a step; for branches and loops, without inner steps.
 * @param secrets for steps that can read them; without it, secrets are masked
 * @throws TemplateError
 */
export function resolveConfig(
  step: WorkflowStep,
  scope: TemplateScope,
  secrets?: Secrets,
): Record<string, unknown> {
  const readable = STEP_CONTRACTS[step.type]?.readsSecrets ? withSecrets(scope, secrets) : scope
  return resolve(ownConfig(step), readable) as Record<string, unknown>
}
