// Replaces options of one attribute in reports and workflows. Pure.

import { isObject } from '../base/json.ts'
import {
  endsAt,
  type References,
  type RenamedAttribute,
  renamedFilter,
  renamedTree,
  renamedValues,
  successorOf,
} from './renamed-filters.ts'

type Json = Record<string, unknown>

const itemsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** The object of each alias of a report, by id or slug. */
function aliasesOf(definition: Json, target: References): Map<string, unknown> {
  const source = isObject(definition['source']) ? definition['source'] : {}
  const objects = new Map<string, unknown>([[String(source['alias']), source['objectId']]])
  for (const { alias, via, objectId } of itemsOf(definition['joins'])) {
    const [from = '', slug = ''] = String(via).split('.')
    objects.set(String(alias), objectId ?? target(objects.get(from), slug))
  }
  return objects
}

/** Returns the same object if nothing changes. */
export function renamedReport(definition: Json, attribute: RenamedAttribute, target: References): Json {
  const objects = aliasesOf(definition, target)
  const isAtEnd = endsAt(attribute, target)
  const isAbout = ({ field }: Json) => {
    const [alias = '', ...path] = String(field).split('.')
    return isAtEnd(objects.get(alias), path)
  }
  const filters = renamedTree(definition['filters'], { operand: 'value', isAbout }, attribute.names)
  return filters === definition['filters'] ? definition : { ...definition, filters }
}

/** Replaces fields of an object. Returns the same object if no field changes. */
function withFields(object: Json, fields: Json): Json {
  const changed = Object.entries(fields).filter(([key, value]) => value !== object[key])
  return changed.length === 0 ? object : { ...object, ...Object.fromEntries(changed) }
}

/** Replaces options in values for records. A cleared option becomes null. */
function renamedData(data: unknown, { slug, names }: RenamedAttribute): unknown {
  if (!isObject(data) || !Object.hasOwn(data, slug)) return data
  const value = data[slug]
  const next = Array.isArray(value) ? renamedValues(value, names) : successorOf(value, names)
  return next === undefined ? data : withFields(data, { [slug]: next })
}

/** Matches a template in a condition: the root, and the attribute or the path to it. */
const TEMPLATE =
  /^\{\{\s*(trigger|steps\.[A-Za-z0-9_]+|[A-Za-z][A-Za-z0-9_]*)(?:\.record|\.records\[\d+\])?\.(?:data\.([a-z0-9_.]+)|changes\.([a-z0-9_]+)\.(?:from|to))\s*(?:\||\}\})/

/** Processes the steps in order, and keeps the object of each name that holds a record. */
class Workflow {
  readonly #attribute: RenamedAttribute
  readonly #filter: ReturnType<typeof renamedFilter>
  readonly #endsAt: ReturnType<typeof endsAt>
  readonly #objects = new Map<string, unknown>()

  constructor(attribute: RenamedAttribute, target: References, triggerObject: unknown) {
    this.#attribute = attribute
    this.#filter = renamedFilter(attribute, target)
    this.#endsAt = endsAt(attribute, target)
    this.#objects.set('trigger', triggerObject)
  }

  steps(steps: unknown): unknown {
    if (!Array.isArray(steps)) return steps
    const renamed = steps.map((step) => (isObject(step) ? this.#step(step) : step))
    return renamed.every((step, place) => step === steps[place]) ? steps : renamed
  }

  #step(step: Json): Json {
    const { config, key } = step
    if (!isObject(config)) return step
    if (config['object'] !== undefined) this.#objects.set(`steps.${key}`, config['object'])
    const items = /^\{\{\s*(steps\.[A-Za-z0-9_]+)\.records\s*\}\}$/.exec(String(config['items']))?.[1]
    if (items) this.#objects.set(String(config['as']), this.#objects.get(items))
    return withFields(step, { config: this.#config(config) })
  }

  #config(config: Json): Json {
    const isHere = this.#attribute.isObject(config['object'])
    return withFields(config, {
      filter: this.#filter(config['filter'], config['object']),
      ...(isHere && { data: renamedData(config['data'], this.#attribute) }),
      when: this.#condition(config['when']),
      branches: this.#branches(config['branches']),
      steps: this.steps(config['steps']),
      else: this.steps(config['else']),
    })
  }

  #condition(when: unknown): unknown {
    const isAbout = ({ left }: Json) => {
      const [, root = '', data, changed] = TEMPLATE.exec(String(left)) ?? []
      return this.#endsAt(this.#objects.get(root), (data ?? changed ?? '').split('.'))
    }
    return renamedTree(when, { operand: 'right', isAbout }, this.#attribute.names)
  }

  #branches(branches: unknown): unknown {
    if (!Array.isArray(branches)) return branches
    const renamed = branches.map((branch) =>
      isObject(branch)
        ? withFields(branch, { when: this.#condition(branch['when']), steps: this.steps(branch['steps']) })
        : branch,
    )
    return renamed.every((branch, place) => branch === branches[place]) ? branches : renamed
  }
}

/** Returns the same object if nothing changes. */
export function renamedWorkflow(definition: Json, attribute: RenamedAttribute, target: References): Json {
  const trigger = isObject(definition['triggerConfig']) ? definition['triggerConfig'] : {}
  const workflow = new Workflow(attribute, target, trigger['objectId'])
  const filter = renamedFilter(attribute, target)(trigger['filter'], trigger['objectId'])
  const triggerConfig = withFields(trigger, { filter })
  return withFields(definition, {
    ...(triggerConfig !== trigger && { triggerConfig }),
    steps: workflow.steps(definition['steps']),
  })
}
