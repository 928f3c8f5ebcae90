// Reads what templates follow references to, before a run goes on: the interpreter reads nothing itself.

import { formatCount } from '../../../contract/counted.ts'
import type { WorkflowDefinition, WorkflowStep } from '../../../contract/workflows.ts'
import type { ModelContext, ObjectModel } from '../../model/attributes/models.ts'
import { valueAt } from '../../records/filters/matches.ts'
import { currentModel, PATHS_MAX } from '../../records/filters/referenced.ts'
import { type FollowedRecord, followedRecords } from '../interpreter/followed-paths.ts'
import { lookupIn } from '../interpreter/scope.ts'
import type { RunFacts, StepEvent, StepPosition, Values } from '../interpreter/state.ts'
import { TemplateError } from '../interpreter/template-error.ts'
import { isPlainObject, own } from '../interpreter/values.ts'
import { loadTargets } from '../triggers/targets.ts'

interface Reader {
  org: number
  definition: WorkflowDefinition
  facts: Pick<RunFacts, 'trigger'>
  values: Values
  position: StepPosition
}

/** The record's values as templates read them; undefined: there is no such record in this run, or not yet. */
function dataOf({ root }: FollowedRecord, { facts: { trigger }, values }: Reader) {
  const [first, key = '', ...rest] = root
  const data = first === 'trigger' ? lookupIn(trigger, root.slice(1)) : lookupIn(values[`steps.${key}`], rest)
  return isPlainObject(data) ? data : undefined
}

/** What a path leads to is held in memory, and lists may lead along lists. */
const RECORDS_MAX = 1000

const tooMany = (path: string): TemplateError =>
  new TemplateError(
    `{{${path}}} leads to more than ${formatCount(RECORDS_MAX)} records, the maximum: get them by the step Find records.`,
  )

/** Paths of the steps ahead that lead further than the values of the record: parts of a value are found in it. */
function pathsToRead(
  data: Readonly<Record<string, unknown>>,
  { paths }: FollowedRecord,
  [outermost]: StepPosition,
): string[] {
  const here = outermost?.index ?? Number.POSITIVE_INFINITY
  const isFurther = (path: string) => !isPlainObject(own(data, path.slice(0, path.indexOf('.'))))
  return [...paths].flatMap(([path, last]) => (last >= here && isFurther(path) ? [path] : []))
}

interface Asked {
  root: readonly string[]
  data: Readonly<Record<string, unknown>>
  paths: readonly string[]
}

async function valuesAt(ctx: ModelContext, model: ObjectModel, { root, data, paths }: Asked) {
  const filter = paths.map((path) => ({ attributeSlug: path, operator: 'isNotEmpty' }))
  const targets = await loadTargets(ctx, model, { filter, data: [data], max: RECORDS_MAX })
  const context = { data, attributes: model.attributes, ...(targets && { targets }) }
  return paths.map((path) => {
    const whole = [...root, path].join('.')
    return [whole, targets?.tooMany.has(path) ? tooMany(whole) : valueAt(path, context)] as const
  })
}

async function followOne(ctx: ModelContext, record: FollowedRecord, reader: Reader) {
  const data = dataOf(record, reader)
  const object = record.object ?? reader.facts.trigger['objectId']
  const paths = data ? pathsToRead(data, record, reader.position) : []
  if (!data || paths.length === 0 || typeof object !== 'string') return []
  const model = await currentModel(ctx, reader.org, object)
  const found: (readonly [string, unknown])[] = []
  for (let at = 0; model && at < paths.length; at += PATHS_MAX) {
    const part = paths.slice(at, at + PATHS_MAX)
    found.push(...(await valuesAt(ctx, model, { root: record.root, data, paths: part })))
  }
  return found
}

/** The values of steps once the step at the position has succeeded. */
export const valuesAfter = (values: Values, { key }: Pick<WorkflowStep, 'key'>, event: StepEvent): Values =>
  event.kind === 'succeeded' ? { ...values, [`steps.${key}`]: event.output } : values

/** @returns values by the whole path of the template, or why there is none; undefined: templates follow nothing */
export async function followPaths(
  ctx: ModelContext,
  reader: Reader,
): Promise<ReadonlyMap<string, unknown> | undefined> {
  const records = followedRecords(reader.definition)
  if (records.length === 0) return undefined
  const found = new Map<string, unknown>()
  for (const record of records)
    for (const [path, value] of await followOne(ctx, record, reader)) found.set(path, value)
  return found
}
