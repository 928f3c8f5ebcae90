// Performs data and network steps.
import type { StepType } from '../../../contract/workflow-steps.ts'
import { StepFailure } from './failure.ts'
import type { NetworkWork, StepWork } from './step.ts'
import { STEPS } from './steps.ts'

export const isNetworkStep = (type: StepType): boolean => STEPS[type].kind === 'network'

export function isReadingStep(type: StepType): boolean {
  const step = STEPS[type]
  return step.kind === 'data' && step.isReading === true
}

const unknownType = (type: string) => new StepFailure(`Steps of type ${type} cannot be performed.`)

/** @throws as `perform` of a DataStep */
export async function performData(work: StepWork): Promise<unknown> {
  const step = STEPS[work.type]
  if (step.kind !== 'data') throw unknownType(work.type)
  return step.perform(work)
}

/** As performData. */
export async function performNetwork(work: NetworkWork): Promise<unknown> {
  const step = STEPS[work.type]
  if (step.kind !== 'network') throw unknownType(work.type)
  return step.perform(work)
}

/**
 * Performs a step of a dry run, in a transaction (`work.ctx.db`) that will be rolled back. For outgoing requests and
 * messages it returns `{wouldSend: …}`.
 */
export function performDry(work: StepWork): Promise<unknown> {
  const dry = { ...work, isDry: true }
  if (!isNetworkStep(work.type)) return performData(dry)
  return performNetwork({ ...dry, config: {}, real: () => dry.input })
}
