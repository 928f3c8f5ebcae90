// The rules for saving a definition, complete or not: the builder can show it, and its size is limited.
import type { Problem } from '../../../contract/errors.ts'
import {
  DEFINITION_BYTES_MAX,
  DEFINITION_DEPTH_MAX,
  DEFINITION_STEPS_MAX,
} from '../../../contract/workflow-states.ts'
import { isStorable, NOT_STORABLE } from '../../http/storable.ts'
import { isPlainObject } from '../interpreter/values.ts'
import { CheckReport, under } from './report.ts'
import { checkDefinitionShape, checkStepShape } from './shapes.ts'

/** Lists of steps inside a step, with their paths. */
export function listsInside(step: unknown, path: string): { path: string; steps: readonly unknown[] }[] {
  if (!isPlainObject(step) || !isPlainObject(step['config'])) return []
  const { branches, else: otherwise, steps } = step['config']
  const lists: { path: string; steps: unknown }[] = []
  if (step['type'] === 'branch' && Array.isArray(branches))
    for (const [index, branch] of branches.entries())
      if (isPlainObject(branch))
        lists.push({ path: `${path}.config.branches[${index}].steps`, steps: branch['steps'] })
  if (step['type'] === 'branch') lists.push({ path: `${path}.config.else`, steps: otherwise })
  if (step['type'] === 'for_each') lists.push({ path: `${path}.config.steps`, steps })
  return lists.flatMap((list) => (Array.isArray(list.steps) ? [{ ...list, steps: list.steps }] : []))
}

class Walk {
  readonly report = new CheckReport()
  #steps = 0

  list({ path, steps }: { path: string; steps: readonly unknown[] }, depth: number) {
    if (depth > DEFINITION_DEPTH_MAX && steps.length > 0)
      return this.report.add(
        path,
        'too_deep',
        `must be nested at most ${DEFINITION_DEPTH_MAX} levels deep: move steps out`,
      )
    for (const [index, step] of steps.entries()) {
      if (++this.#steps > DEFINITION_STEPS_MAX)
        return this.report.add(
          'steps',
          'too_many_steps',
          `must have at most ${DEFINITION_STEPS_MAX} steps in total: remove some`,
        )
      const at = `${path}[${index}]`
      // The shape of the definition includes the outermost steps.
      if (depth > 1) checkStepShape(step, at, this.report)
      for (const list of listsInside(step, at)) this.list(list, depth + 1)
    }
  }

  texts(value: unknown, path: string): void {
    if (typeof value === 'string' && !isStorable(value)) this.report.add(path, 'invalid_text', NOT_STORABLE)
    if (Array.isArray(value)) for (const [index, one] of value.entries()) this.texts(one, `${path}[${index}]`)
    if (!isPlainObject(value)) return
    for (const [key, inner] of Object.entries(value)) {
      if (!isStorable(key))
        this.report.add(
          path,
          'invalid_text',
          'must not have keys with the character U+0000 or unpaired surrogates: leave them out',
        )
      this.texts(inner, under(path, key))
    }
  }
}

/**
 * The problems that prevent saving a definition as a draft. `checkDefinition` finds the others.
 * @param input any JSON, as parsed by parseJson: at most 200 levels deep
 */
export function structureProblems(input: unknown): Problem[] {
  const walk = new Walk()
  if (Buffer.byteLength(JSON.stringify(input ?? null)) > DEFINITION_BYTES_MAX)
    walk.report.add(
      '',
      'too_large',
      `The definition must have at most ${DEFINITION_BYTES_MAX} bytes: shorten its texts`,
    )
  else {
    checkDefinitionShape(input, walk.report)
    if (isPlainObject(input) && Array.isArray(input['steps']))
      walk.list({ path: 'steps', steps: input['steps'] }, 1)
    walk.texts(input, '')
  }
  return walk.report.problems
}
