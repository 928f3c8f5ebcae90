// The limits of a run: the size of its values, the number of its steps, and how long it can be open.
import {
  RUN_DAYS_MAX,
  RUN_VALUES_BYTES_MAX,
  STEP_OUTPUT_BYTES_MAX,
} from '../../../contract/workflow-states.ts'
import type { Next, RunFacts, Values } from './state.ts'
import { sizeOf } from './values.ts'

const DAY_MS = 86_400_000

const isTooLarge = (output: unknown): boolean => {
  const text = JSON.stringify(output ?? null)
  return text.length > STEP_OUTPUT_BYTES_MAX || Buffer.byteLength(text) > STEP_OUTPUT_BYTES_MAX
}

/** Caches sizes: values of a run are replaced, but never changed. */
const sizes = new WeakMap<object, number>()

function knownSize(value: unknown): number {
  if (typeof value !== 'object' || value === null) return sizeOf(value, RUN_VALUES_BYTES_MAX)
  const known = sizes.get(value)
  if (known !== undefined) return known
  const size = sizeOf(value, RUN_VALUES_BYTES_MAX)
  sizes.set(value, size)
  return size
}

const isTooMuch = (values: Values): boolean =>
  Object.values(values).reduce<number>((sum, value) => sum + knownSize(value), 0) > RUN_VALUES_BYTES_MAX

/**
 * @param values all values of the run, including the output
 * @returns why the run cannot store the output of a step; undefined: it can
 */
export function outputProblem(output: unknown, values: Values): string | undefined {
  if (isTooLarge(output))
    return `Its output has more than ${STEP_OUTPUT_BYTES_MAX} bytes, the maximum: request less.`
  if (isTooMuch(values))
    return `With it, the outputs of this run would have more than ${RUN_VALUES_BYTES_MAX} bytes, the maximum: request less in this step or in earlier ones.`
  return undefined
}

type Failed = Extract<Next, { status: 'failed' }>

/** @returns the end of a run that has reached a limit */
export function endByLimit(
  executed: number,
  { stepsMax, run }: Pick<RunFacts, 'stepsMax' | 'run'>,
  now: Date,
): Failed | undefined {
  const end = (failure: 'too_many_steps' | 'too_old', error: string): Failed => ({
    kind: 'end',
    status: 'failed',
    failure,
    error,
  })
  if (executed >= stepsMax)
    return end('too_many_steps', `The run executed ${stepsMax} steps, the maximum for a run.`)
  if (now.getTime() - Date.parse(run.startedAt) > RUN_DAYS_MAX * DAY_MS)
    return end('too_old', `The run was open for more than ${RUN_DAYS_MAX} days, the maximum for a run.`)
  return undefined
}
