// Reads the values behind references in templates before a run continues. The interpreter itself reads no data.

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

/** The values of the record in this run; undefined: it has no such record, or not yet. */
function dataOf({ root }: FollowedRecord, { facts: { trigger }, values }: Reader) {
  const [first, key = '', ...rest] = root
  const data = first === 'trigger' ? lookupIn(trigger, root.slice(1)) : lookupIn(values[`steps.${key}`], rest)
  return isPlainObject(data) ? data : undefined
}

/** The records of a path are kept in memory. Lists of references that lead along further lists can be many records. */
const RECORDS_MAX = 1000

const tooMany = (path: string): TemplateError =>
  new TemplateError(
    `{{${path}}} leads to more than ${formatCount(RECORDS_MAX)} records, the maximum: get them by the step Find records.`,
  )

/** Paths of the current and later steps that need other records. Parts of a value are in the record itself. */
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

/** The values after the step at the position has succeeded. */
export const valuesAfter = (values: Values, { key }: Pick<WorkflowStep, 'key'>, event: StepEvent): Values =>
  event.kind === 'succeeded' ? { ...values, [`steps.${key}`]: event.output } : values

/** @returns values or errors by the full template path; undefined: no template follows a reference */
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
