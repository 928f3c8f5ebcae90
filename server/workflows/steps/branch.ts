import type { Condition } from '../../../contract/workflow-steps/fields.ts'
import { checkCondition } from '../check/condition-check.ts'
import type { StepCheck } from '../check/record-checks.ts'
import { evaluate } from '../interpreter/conditions.ts'
import { after, branchesOf, ELSE, into, stepsInside } from '../interpreter/positions.ts'
import type { ControlStep } from './step.ts'

function check({ config, path, report }: StepCheck): void {
  const names = new Set<unknown>()
  for (const [index, branch] of branchesOf({ key: '', type: 'branch', config }).entries()) {
    const at = `${path}.branches[${index}]`
    const { name, when } = branch
    if (name === ELSE)
      report.add(
        `${at}.name`,
        'reserved',
        'must not be else: that name is reserved for the case that no branch matches',
      )
    else if (names.has(name))
      report.add(`${at}.name`, 'duplicate', 'must not be the name of another branch: choose another name')
    names.add(name)
    if (when !== undefined) checkCondition(when, `${at}.when`, report)
  }
}

const execute: ControlStep['execute'] = (run, current) => {
  const branches = current.input['branches'] as readonly { name: string; when: Condition }[]
  const taken =
    branches.find(({ when }) => evaluate(when))?.name ??
    (stepsInside(current.step, { branch: ELSE }).length > 0 ? ELSE : null)
  const to = taken === null ? after(run.position) : into(run.position, { branch: taken })
  return run.complete(current, { output: { branch: taken }, to })
}

export const branch: ControlStep = {
  kind: 'control',
  check,
  execute,
  example: { branches: [{ name: 'a', when: { left: 1, operator: 'equals', right: 1 }, steps: [] }] },
}
