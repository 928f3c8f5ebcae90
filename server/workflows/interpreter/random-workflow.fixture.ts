// Random valid workflows: the same seed returns the same workflow.
import { STEP_TYPES, type StepType } from '../../../contract/workflow-steps.ts'
import type { WorkflowDefinition, WorkflowStep } from '../../../contract/workflows.ts'
import { STEPS } from '../steps/steps.ts'

export type Random = () => number

/** Numbers from 0 to 1 that look random: mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const pick = <T>(random: Random, from: readonly [T, ...T[]]): T =>
  from[Math.floor(random() * from.length)] ?? from[0]

const DEPTH_MAX = 3

type Types = readonly [StepType, ...StepType[]]
/** All types except those that end runs or contain steps. */
const DATA = STEP_TYPES.filter(
  (type) => !['condition', 'branch', 'for_each', 'stop', 'fail'].includes(type),
) as unknown as Types
/** The last three types can end a run. They are rare, so that most runs continue. */
const LEAVES: Types = [...DATA, ...DATA, ...DATA, 'create_record', 'condition', 'stop', 'fail']
const WITH_STEPS: Types = [...LEAVES, 'branch', 'branch', 'branch', 'for_each', 'for_each', 'for_each']

const VALUES = [
  'plain',
  '{{trigger.data.n}}',
  '{{trigger.data.n | plus 1}}',
  '{{now}} {{trigger.data.title}}',
  '{{run.id}}',
  "{{trigger.data.list | join '-'}}",
] as const

/** Values of earlier steps that templates can read. */
interface Seen {
  steps: string[]
  lists: string[]
  vars: string[]
  items: string[]
}

class Author {
  readonly #random: Random
  #keys = 0

  constructor(random: Random) {
    this.#random = random
  }

  steps(depth: number, seen: Seen): WorkflowStep[] {
    const count = depth === 0 ? 2 + Math.floor(this.#random() * 6) : Math.floor(this.#random() * 4)
    return Array.from({ length: count }, () => this.#step(depth, seen))
  }

  #pick = <T>(from: readonly [T, ...T[]]): T => pick(this.#random, from)
  #chance = (share: number) => this.#random() < share

  #step(depth: number, seen: Seen): WorkflowStep {
    const type = this.#pick(depth < DEPTH_MAX ? WITH_STEPS : LEAVES)
    const key = `k${++this.#keys}`
    const config = this.#config(type, { depth, key, seen })
    seen.steps.push(key)
    if (type === 'find_records') seen.lists.push(`steps.${key}.records`)
    return {
      key,
      type,
      config,
      ...(this.#chance(0.85) && { onError: 'continue' as const }),
      ...(this.#chance(0.2) && { retry: { max: Math.floor(this.#random() * 3) } }),
    }
  }

  #value(seen: Seen): string {
    const seenValues = [
      ...seen.vars.map((name) => `{{vars.${name}}}`),
      ...seen.items.map((name) => `{{${name}.id | default loop.number}}`),
      ...seen.steps.map((key) => `{{steps.${key}}}`),
    ]
    return this.#pick([...VALUES, ...seenValues])
  }

  #recordId(seen: Seen): string {
    const items = seen.items.map((name) => `{{${name}.id}}`)
    const first = seen.lists.map((list) => `{{${list}[0].id}}`)
    return this.#pick(['{{trigger.recordId}}', ...items, ...first])
  }

  #condition(seen: Seen): unknown {
    const leaf = () => ({
      left: this.#value(seen),
      operator: this.#pick(['isNotEmpty', 'isEmpty', 'greaterThan', 'notEquals', 'contains']),
      right: this.#pick<unknown>([1, 'a', '{{trigger.data.n}}']),
    })
    return this.#chance(0.3) ? { [this.#pick(['and', 'or'])]: [leaf(), leaf()] } : leaf()
  }

  #config(type: StepType, at: { depth: number; key: string; seen: Seen }): Readonly<Record<string, unknown>> {
    const { seen } = at
    const data = () => ({ title: `${at.key} ${this.#value(seen)}` })
    switch (type) {
      case 'find_records':
        return { object: 'things', limit: 1 + Math.floor(this.#random() * 3) }
      case 'create_record':
        return { object: 'things', data: data() }
      case 'upsert_record':
        return { object: 'things', matchOn: 'code', data: { ...data(), code: this.#pick(['a', 'b']) } }
      case 'update_record':
        return { object: 'things', recordId: this.#recordId(seen), data: data() }
      case 'get_record':
      case 'delete_record':
        return { object: 'things', recordId: this.#recordId(seen) }
      case 'create_activity':
      case 'fail':
      case 'stop':
        return type === 'create_activity' ? data() : { message: this.#value(seen) || 'x' }
      default:
        return this.#otherConfig(type, at)
    }
  }

  #otherConfig(
    type: StepType,
    at: { depth: number; key: string; seen: Seen },
  ): Readonly<Record<string, unknown>> {
    const { seen, key } = at
    switch (type) {
      case 'condition':
        return { when: this.#condition(seen) }
      case 'set_variables': {
        const name = this.#pick(['x', 'y'])
        const variables = { [name]: this.#value(seen) }
        seen.vars.push(name)
        return { variables }
      }
      case 'delay':
        return this.#pick<Record<string, unknown>>([
          { seconds: Math.floor(this.#random() * 90_000) },
          { timeOfDay: '09:30' },
          { until: '2026-11-21', timeOfDay: '12:00' },
        ])
      case 'http_request':
        return { url: 'https://x.org/{{run.id}}', body: { value: this.#value(seen) } }
      case 'send_webhook':
        return { endpointId: STEPS.send_webhook.example['endpointId'], data: { value: this.#value(seen) } }
      case 'send_email':
        return { to: 'ada@example.com', subject: key, text: `x ${this.#value(seen)}` }
      case 'branch':
      case 'for_each':
        return this.#nest(type, at)
      default:
        return STEPS[type].example
    }
  }

  /** Inner steps can read earlier values. Later steps can read the same values, but not values of inner steps. */
  #nest(
    type: StepType,
    { depth, key, seen }: { depth: number; key: string; seen: Seen },
  ): Record<string, unknown> {
    const inside = (items: string[] = []) =>
      this.steps(depth + 1, {
        steps: [...seen.steps],
        lists: [...seen.lists],
        vars: [...seen.vars],
        items: [...seen.items, ...items],
      })
    if (type === 'for_each') {
      const items = this.#pick<unknown>([
        [],
        ['a', 'b', 'c'],
        '{{trigger.data.list}}',
        '{{trigger.data.title}}',
        ...seen.lists.map((list) => `{{${list}}}`),
      ])
      return { items, as: `item${key}`, steps: inside([`item${key}`]) }
    }
    const branch = (name: string) => ({ name, when: this.#condition(seen), steps: inside() })
    return {
      branches: this.#chance(0.5) ? [branch('one')] : [branch('one'), branch('two')],
      ...(this.#chance(0.5) && { else: inside() }),
    }
  }
}

export const randomWorkflow = (random: Random): WorkflowDefinition => ({
  trigger: 'record/updated',
  triggerConfig: { objectId: 'things' },
  steps: new Author(random).steps(0, { steps: [], lists: [], vars: [], items: [] }),
})
