// The values that templates of a step can read.
import type { WorkflowDefinition } from '../../../contract/workflows.ts'
import { itemsAt, loopsOf } from './positions.ts'
import type { RunFacts, RunState } from './state.ts'
import { TemplateError } from './template-error.ts'
import type { Segment } from './template-syntax.ts'
import { isPlainObject, own } from './values.ts'

/** Values by root. Has no prototype. */
export interface TemplateScope {
  readonly roots: Readonly<Record<string, unknown>>
  /** Values by path, used when the roots have none; a TemplateError: the value could not be read. */
  readonly followed?: RunFacts['followed']
  /** The time zone for dates without one. */
  readonly timeZone: string
  /** Returns `secrets.<NAME>`; undefined for steps that cannot read secrets. */
  readonly secretOf?: (name: string) => string | undefined
  /** Called with the result of each template that reads a secret, because a part of a secret must be masked too. */
  readonly onSecretResult?: (result: unknown) => void
}

/** Replaces the value of a secret in everything that users can read. */
const MASK = '••••'

/** The value of a name or an index in `value`; undefined if there is none. */
const step = (value: unknown, segment: Segment): unknown => {
  if (Array.isArray(value)) return typeof segment === 'number' ? value[segment] : undefined
  return isPlainObject(value) ? own(value, String(segment)) : undefined
}

/** The value at the end of a path; null if there is none. */
export function lookupIn(value: unknown, path: readonly Segment[]): unknown {
  let found = value
  for (const segment of path) {
    if (found === undefined || found === null) return null
    found = step(found, segment)
  }
  return found ?? null
}

/** @throws TemplateError when the value could not be read */
export function lookup({ roots, followed, secretOf }: TemplateScope, path: readonly Segment[]): unknown {
  if (path[0] === 'secrets') return path.length === 2 ? (secretOf?.(String(path[1])) ?? null) : null
  const found = lookupIn(roots, path) ?? followed?.get(path.join('.'))
  if (found instanceof TemplateError) throw found
  return found ?? null
}

const withoutPrototype = (): Record<string, unknown> => Object.create(null)

/** `steps.<key>` and `vars.<name>`, as objects. */
function groupsOf(values: RunState['values']) {
  const groups = { steps: withoutPrototype(), vars: withoutPrototype() }
  for (const [key, value] of Object.entries(values)) {
    if (key.startsWith('steps.')) groups.steps[key.slice(6)] = value
    else if (key.startsWith('vars.')) groups.vars[key.slice(5)] = value
  }
  return groups
}

/** @param definition contains the names of loop items @param state contains the position of the step */
export function scopeOf(
  definition: WorkflowDefinition,
  facts: RunFacts,
  { position, values }: Pick<RunState, 'position' | 'values'>,
  now: Date,
): TemplateScope {
  const roots = withoutPrototype()
  for (const { as, key, item } of loopsOf(definition, position)) {
    const items = itemsAt(values, key)
    roots[as] = items[item] ?? null
    roots['loop'] = { index: item, number: item + 1, count: items.length }
  }
  const { run, workflow, organization, trigger, followed } = facts
  Object.assign(roots, groupsOf(values), { run, workflow, organization, trigger, now: now.toISOString() })
  return { roots, followed, timeZone: organization.timeZone }
}

export interface Secrets {
  values: Readonly<Record<string, string>>
  onResult: (result: unknown) => void
}

/** The scope with the given secrets, or with masks in place of them. */
export const withSecrets = (scope: TemplateScope, secrets: Secrets | undefined): TemplateScope =>
  secrets
    ? {
        ...scope,
        secretOf: (name) => (Object.hasOwn(secrets.values, name) ? secrets.values[name] : undefined),
        onSecretResult: secrets.onResult,
      }
    : { ...scope, secretOf: () => MASK }
