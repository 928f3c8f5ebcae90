// Workflows that set each other off: who led to what, and where it ends.
import { CHAIN_DEPTH_MAX } from '../../../contract/workflow-states.ts'
import type { WorkflowDefinition } from '../../../contract/workflows.ts'
import type { ChainLink } from '../engine/new-runs-store.ts'
import type { Candidate } from './candidates-store.ts'

export interface Cause {
  /** How many runs led to this one. */
  depth: number
  /** Those runs, the first of them first. */
  chain: readonly ChainLink[]
}

type Caused = Pick<Candidate, 'causeRun' | 'causeWorkflow' | 'causeSubject' | 'depth' | 'chain'>

export function causeOf({ causeRun, causeWorkflow, causeSubject, depth, chain }: Caused): Cause {
  if (causeRun === null || causeWorkflow === null) return { depth: 0, chain: [] }
  const earlier = JSON.parse(chain ?? '[]') as ChainLink[]
  return { depth: (depth ?? 0) + 1, chain: [...earlier, { workflow: causeWorkflow, subject: causeSubject }] }
}

/** Whether the change is the work of an earlier run of the same workflow on the same record. */
export const isReentry = (
  { allowReentry }: Pick<WorkflowDefinition, 'allowReentry'>,
  { chain }: Cause,
  link: ChainLink,
): boolean =>
  !allowReentry &&
  chain.some(({ workflow, subject }) => workflow === link.workflow && subject === link.subject)

export const LOOP_PROTECTION = `Not started: ${CHAIN_DEPTH_MAX + 1} runs have triggered each other in a row, which looks like a loop. Check the run that caused this one, and narrow the trigger of one of these workflows.`

export const isTooDeep = ({ depth }: Cause): boolean => depth > CHAIN_DEPTH_MAX
