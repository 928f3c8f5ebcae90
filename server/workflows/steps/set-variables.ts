import { NAME } from '../../../contract/workflow-steps/fields.ts'
import type { StepCheck } from '../check/record-checks.ts'
import { isPlainObject } from '../interpreter/values.ts'
import type { ControlStep } from './step.ts'

const VARIABLE = new RegExp(NAME)

function check({ config: { variables }, path, report }: StepCheck): void {
  if (!isPlainObject(variables)) return
  for (const name of Object.keys(variables))
    if (!VARIABLE.test(name))
      report.add(
        `${path}.variables.${name}`,
        'pattern',
        'must have a name of letters, digits and _ that starts with a letter',
      )
}

const execute: ControlStep['execute'] = (run, current) => {
  const given = current.input['variables']
  const variables = isPlainObject(given) ? given : {}
  const more = Object.fromEntries(Object.entries(variables).map(([name, value]) => [`vars.${name}`, value]))
  return run.complete(current, { output: variables, more })
}

export const setVariables: ControlStep = {
  kind: 'control',
  check,
  execute,
  example: { variables: { a: 1 } },
}
