// What a step works on: its config with templates filled in.
import { STEP_CONTRACTS } from '../../../contract/workflow-steps.ts'
import type { WorkflowStep } from '../../../contract/workflows.ts'
import { branchesOf } from './positions.ts'
import { type Scope, type Secrets, withSecrets } from './scope.ts'
import { resolve } from './templates.ts'

/** Without the steps inside: those have templates of their own, for later. */
function ownConfig(step: WorkflowStep): Record<string, unknown> {
  if (step.type === 'branch') return { branches: branchesOf(step).map(({ name, when }) => ({ name, when })) }
  if (step.type !== 'for_each') return step.config
  const { steps: _, ...config } = step.config
  return config
}

/**
 * The config of a step as it is performed; of branches and loops, without the steps inside.
 * @param secrets for steps that read them; left out, masks stand in their place
 * @throws TemplateError
 */
export function resolveConfig(step: WorkflowStep, scope: Scope, secrets?: Secrets): Record<string, unknown> {
  const readable = STEP_CONTRACTS[step.type]?.readsSecrets ? withSecrets(scope, secrets) : scope
  return resolve(ownConfig(step), readable) as Record<string, unknown>
}
