// Finds template paths that lead beyond the values of a record: along references, and to parts of list values.
import { STEP_CONTRACTS } from '../../../contract/workflow-steps.ts'
import type { WorkflowDefinition, WorkflowStep } from '../../../contract/workflows.ts'
import { branchesOf, ELSE, stepsInside } from './positions.ts'
import { parseTemplate, type Segment, type TemplateOperand } from './template-syntax.ts'
import { isPlainObject } from './values.ts'

/** A record that templates read. */
export interface FollowedRecord {
  /** Path of its data: `['trigger', 'data']`, `['steps', 'deal', 'record', 'data']`. */
  root: readonly string[]
  /** Id or slug of its object; undefined: the object of the trigger. */
  object: string | undefined
  /** Paths inside its data, such as `company.industry`, with the index of the last outermost step that reads each. */
  paths: ReadonlyMap<string, number>
}

interface Root {
  root: readonly string[]
  step: WorkflowStep | undefined
}

/** The path of the record data that a template path leads into, and the step that returns the record. */
export function rootOf(path: readonly string[], stepOf: (key: string) => WorkflowStep | undefined) {
  const [first, key = '', output = ''] = path
  if (first === 'trigger') return key === 'data' ? { root: path.slice(0, 2), step: undefined } : undefined
  const step = first === 'steps' ? stepOf(key) : undefined
  const kind = step && STEP_CONTRACTS[step.type]?.outputs[output]
  if (kind === 'values') return { root: path.slice(0, 3), step }
  return kind === 'record' && path[3] === 'data' ? { root: path.slice(0, 4), step } : undefined
}

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* textsIn(inner)
}

const pathsIn = (operand: TemplateOperand) => ('path' in operand ? [operand.path] : [])

const templatePaths = (text: string): (readonly Segment[])[] =>
  (parseTemplate(text).pieces ?? []).flatMap((piece) =>
    typeof piece === 'string'
      ? []
      : [piece.head, ...piece.calls.flatMap(({ args }) => args)].flatMap(pathsIn),
  )

/** Definitions of runs may be unchecked. */
const isStep = (step: unknown): step is WorkflowStep => isPlainObject(step) && isPlainObject(step['config'])

const stepsIn = (steps: readonly WorkflowStep[]): WorkflowStep[] =>
  steps.filter(isStep).flatMap((step) => {
    const branches = [ELSE, ...branchesOf(step).map(({ name }) => String(name))].map((branch) => ({ branch }))
    return [step, ...[{}, ...branches].flatMap((inside) => stepsIn(stepsInside(step, inside)))]
  })

const isName = (segment: Segment): segment is string => typeof segment === 'string' && !segment.includes('.')

function read({ steps }: WorkflowDefinition): FollowedRecord[] {
  const byKey = new Map(stepsIn(steps).map((step) => [step.key, step]))
  const found = new Map<string, Root & { paths: Map<string, number> }>()
  for (const [place, step] of steps.entries())
    for (const text of textsIn(step)) {
      if (!text.includes('{{')) continue
      for (const path of templatePaths(text)) {
        const of = path.every(isName) ? rootOf(path, (key) => byKey.get(key)) : undefined
        if (!of || path.length < of.root.length + 2) continue
        const key = of.root.join('.')
        const record = found.get(key) ?? { ...of, paths: new Map<string, number>() }
        found.set(key, record)
        record.paths.set(path.slice(of.root.length).join('.'), place)
      }
    }
  return [...found.values()].map(({ root, step, paths }) => {
    const object = step?.config['object']
    return { root, object: typeof object === 'string' ? object : undefined, paths }
  })
}

const known = new WeakMap<WorkflowDefinition, readonly FollowedRecord[]>()

/** @returns the records that templates of `definition` read, each once */
export function followedRecords(definition: WorkflowDefinition): readonly FollowedRecord[] {
  const records = known.get(definition) ?? read(definition)
  known.set(definition, records)
  return records
}
