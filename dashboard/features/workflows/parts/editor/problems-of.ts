// Which node each problem of a definition belongs to.
import type { Problem } from '../../../../../contract/errors.ts'
import type { WorkflowDefinition } from '../../../../../contract/workflows.ts'
import { stepOfProblem } from './step-tree.ts'
import { TRIGGER_STOP } from './travel.ts'

/** By the path of the step; what belongs to none is the trigger's. */
export function problemsByNode(
  definition: WorkflowDefinition,
  problems: readonly Problem[],
): ReadonlyMap<string, readonly Problem[]> {
  return Map.groupBy(problems, ({ path }) => stepOfProblem(definition, path) ?? TRIGGER_STOP)
}
