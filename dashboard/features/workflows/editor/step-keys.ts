// Keys of steps. Templates refer to steps by key, so a new key must be unused, and renaming a key changes templates.
import type { WorkflowDefinition, WorkflowStep } from '../../../../contract/workflows.ts'
import { allSteps, listsOf } from './step-tree.ts'

export const KEY_PATTERN = /^[A-Za-z][A-Za-z0-9_]{0,39}$/
const KEY_MAX = 40

/** The base itself, or with the first unused number. */
export function freeKey(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base
  for (let number = 2; ; number += 1) {
    const key = `${base.slice(0, KEY_MAX - String(number).length)}${number}`
    if (!taken.has(key)) return key
  }
}

export const keysOf = (definition: WorkflowDefinition): Set<string> =>
  new Set(allSteps(definition).map(({ step }) => step.key))

const TEMPLATE = /\{\{[\s\S]*?\}\}/g
/** Matches quoted texts, which are skipped, and whole paths, so that only the root name of a path is compared. */
const QUOTED_OR_NAME = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[A-Za-z_$][\w$]*(?:\.[\w$]+)*/g

type Rename = (path: string) => string

const inTemplate = (template: string, rename: Rename): string =>
  template.replace(QUOTED_OR_NAME, (token) => (/^["']/.test(token) ? token : rename(token)))

const inText = (text: string, rename: Rename): string =>
  text.includes('{{') ? text.replace(TEMPLATE, (template) => inTemplate(template, rename)) : text

/** Renames paths in all templates of the value. Text without templates stays unchanged. */
export function renamePaths<T>(value: T, rename: Rename): T {
  if (typeof value === 'string') return inText(value, rename) as T
  if (Array.isArray(value)) return value.map((item) => renamePaths(item, rename)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, renamePaths(inner, rename)]),
  ) as T
}

/** `steps.old.records` becomes `steps.new.records`. */
export const renameKeyIn =
  (names: ReadonlyMap<string, string>): Rename =>
  (path) => {
    const [root, key, ...rest] = path.split('.')
    const renamed = root === 'steps' && key !== undefined ? names.get(key) : undefined
    return renamed === undefined ? path : ['steps', renamed, ...rest].join('.')
  }

/** `old.data.name` becomes `new.data.name`. */
export const renameRoot =
  (old: string, renamed: string): Rename =>
  (path) =>
    path === old || path.startsWith(`${old}.`) ? renamed + path.slice(old.length) : path

const keysWithin = (step: WorkflowStep): string[] => [
  step.key,
  ...listsOf(step, '').flatMap(({ steps }) => steps.flatMap(keysWithin)),
]

/** A copy in which all steps have new keys, and templates refer to the copied steps. */
export function copyOf(step: WorkflowStep, taken: ReadonlySet<string>): WorkflowStep {
  const used = new Set(taken)
  const names = new Map<string, string>()
  for (const key of keysWithin(step)) {
    const free = freeKey(key, used)
    used.add(free)
    names.set(key, free)
  }
  return renamePaths(rekeyed(step, names), renameKeyIn(names))
}

function rekeyed(step: WorkflowStep, names: ReadonlyMap<string, string>): WorkflowStep {
  const inner = (steps: unknown) =>
    Array.isArray(steps) ? (steps as WorkflowStep[]).map((one) => rekeyed(one, names)) : steps
  const { config } = step
  const key = names.get(step.key) ?? step.key
  if (step.type === 'for_each') return { ...step, key, config: { ...config, steps: inner(config['steps']) } }
  if (step.type !== 'branch') return { ...step, key }
  const branches = Array.isArray(config['branches'])
    ? config['branches'].map((branch) => ({ ...branch, steps: inner(branch.steps) }))
    : config['branches']
  return {
    ...step,
    key,
    config: { ...config, branches, ...(config['else'] !== undefined && { else: inner(config['else']) }) },
  }
}
