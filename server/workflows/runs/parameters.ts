// Checks the data of a run against the declared parameters of its workflow.

import type { Problem } from '../../../contract/errors.ts'
import type { PARAMETER_TYPES, WorkflowParameter } from '../../../contract/workflows.ts'
import { invalid } from '../../base/errors.ts'
import { isRawNumber } from '../../base/json.ts'
import { instead } from '../../base/suggestions.ts'
import { dayOf } from '../../records/values/day.ts'

type ParameterType = (typeof PARAMETER_TYPES)[number]
type Data = Readonly<Record<string, unknown>>

const isText = (value: unknown): value is string => typeof value === 'string'
const DAY = /^\d{4}-\d\d-\d\d$/

const CHECKS: Readonly<Record<ParameterType, { holds(value: unknown): boolean; message: string }>> = {
  text: { holds: isText, message: 'must be text' },
  number: {
    holds: (value) => typeof value === 'number' || isRawNumber(value),
    message: 'must be a number, such as 12.5',
  },
  checkbox: { holds: (value) => typeof value === 'boolean', message: 'must be true or false' },
  date: {
    holds: (value) => isText(value) && DAY.test(value) && dayOf(value) !== undefined,
    message: 'must be a date, such as 2026-11-20',
  },
  list: {
    holds: (value) => Array.isArray(value) && value.every(isText),
    message: 'must be an array of texts, such as ["vip","eu"]',
  },
  json: { holds: () => true, message: '' },
}

const isGiven = (value: unknown) => value !== undefined && value !== null

function problemOf({ name, type, required }: WorkflowParameter, value: unknown): Problem[] {
  const path = `data.${name}`
  if (!isGiven(value))
    return required ? [{ path, code: 'required', message: `is required: send a value of type ${type}` }] : []
  const { holds, message } = CHECKS[type]
  return holds(value) ? [] : [{ path, code: `invalid_${type}`, message }]
}

const unknownNames = (declared: readonly WorkflowParameter[], data: Data): Problem[] =>
  Object.keys(data)
    .filter((name) => !declared.some((parameter) => parameter.name === name))
    .map((name) => ({
      path: `data.${name.slice(0, 100)}`,
      code: 'unknown_parameter',
      message: `is not a parameter of this workflow: ${instead(
        name,
        declared.map((parameter) => parameter.name),
      )}`,
    }))

/**
 * {{trigger.parameters}}: the given values, and defaults for missing ones. A workflow without declared parameters
 * accepts any data.
 * @throws 400 validation_error naming all problems, as `data.<name>`
 */
export function parametersOf(declared: readonly WorkflowParameter[] | undefined, data: Data = {}): Data {
  if (!declared || declared.length === 0) return data
  const values = declared.map(
    (parameter) =>
      [
        parameter,
        (Object.hasOwn(data, parameter.name) ? data[parameter.name] : null) ?? parameter.default,
      ] as const,
  )
  const problems = [
    ...values.flatMap(([parameter, value]) => problemOf(parameter, value)),
    ...unknownNames(declared, data),
  ]
  if (problems.length > 0) throw invalid('validation_error', problems)
  return Object.fromEntries(values.map(([{ name }, value]) => [name, value ?? null]))
}
