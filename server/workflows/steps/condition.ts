import type { Condition } from '../../../contract/workflow-steps/fields.ts'
import { checkCondition } from '../check/condition-check.ts'
import { ENDED } from '../interpreter/advancing-run.ts'
import { evaluate } from '../interpreter/conditions.ts'
import { loopAround } from '../interpreter/positions.ts'
import type { ControlStep } from './step.ts'

/** If the condition is not met, the loop item ends; outside a loop, the run ends. */
const execute: ControlStep['execute'] = (run, current) => {
  const isMet = evaluate(current.input['when'] as Condition)
  const stopped = run.complete(current, { output: { met: isMet } })
  if (stopped || isMet) return stopped
  const loop = loopAround(run.position)
  if (!loop) return ENDED
  run.position = [...loop, { index: Number.MAX_SAFE_INTEGER }]
  return undefined
}

export const condition: ControlStep = {
  kind: 'control',
  check({ config: { when }, path, report }) {
    if (when !== undefined) checkCondition(when, `${path}.when`, report)
  },
  execute,
  example: {
    when: {
      or: [{ left: 1, operator: 'equals', right: 1 }, { and: [{ left: '{{now}}', operator: 'isEmpty' }] }],
    },
  },
}
