import { LOOP_ITEMS_MAX } from '../../../contract/workflow-states.ts'
import type { StepCheck } from '../check/record-checks.ts'
import { ROOTS } from '../check/step-scope.ts'
import { isLiteral } from '../check/template-check.ts'
import { into, stepsInside } from '../interpreter/positions.ts'
import { isEmpty } from '../interpreter/values.ts'
import type { ControlStep } from './step.ts'

function check({ config: { items, as }, path, report }: StepCheck): void {
  if (items === undefined || items === '' || items === null)
    report.add(`${path}.items`, 'required', 'is required: choose a list, such as the records of a step')
  else if (!Array.isArray(items) && (isLiteral(items) || typeof items !== 'string'))
    report.add(`${path}.items`, 'invalid_type', 'must be a list, such as {{steps.contacts.records}}')
  if (ROOTS.some((root) => root === as) || ['true', 'false', 'null'].includes(String(as)))
    report.add(`${path}.as`, 'reserved', `must not be ${String(as)}, which is reserved: choose another name`)
}

const execute: ControlStep['execute'] = (run, current) => {
  const given = current.input['items']
  // A record stores no value for an empty list attribute.
  const items = isEmpty(given) ? [] : given
  if (!Array.isArray(items)) return run.fail(current, 'The items are not a list.')
  if (items.length > LOOP_ITEMS_MAX)
    return run.fail(current, `The list has ${items.length} items: a loop can have at most ${LOOP_ITEMS_MAX}.`)
  const hasWork = items.length > 0 && stepsInside(current.step, {}).length > 0
  const output = { count: items.length }
  if (!hasWork) return run.complete(current, { output })
  const more = { [`items.${current.step.key}`]: items }
  return run.complete(current, { output, to: into(run.position, { item: 0 }), more })
}

export const forEach: ControlStep = {
  kind: 'control',
  check,
  execute,
  example: { items: ['a', 'b'], as: 'one', steps: [] },
}
