// Steps that read and write records: the object, its attributes, and the values that are known already.
import { SORTABLE } from '../../../contract/attribute-types.ts'
import { isUuid } from '../../../contract/common.ts'
import { checkData } from '../../records/values.ts'
import { isObject } from '../interpreter/values.ts'
import { checkFilter } from './filter-check.ts'
import { findAttribute, findObject, type Known, type KnownObject } from './known.ts'
import { type Report, shown } from './report.ts'
import { isLiteral } from './template-check.ts'

export interface StepCheck {
  config: Readonly<Record<string, unknown>>
  /** Of the config. */
  path: string
  known: Known
  report: Report
}

/** @returns the object, when there is one */
export function checkObject(
  ref: unknown,
  path: string,
  { known, report }: Pick<StepCheck, 'known' | 'report'>,
) {
  if (typeof ref !== 'string') return undefined
  const object = findObject(known, ref)
  if (!object) report.add(path, 'unknown_object', `there is no object ${shown(ref)}: choose another`)
  return object
}

/** An id that stands in the definition itself. */
export function checkRecordId(id: unknown, path: string, report: Report): void {
  if (isLiteral(id) && !isUuid(id))
    report.add(
      path,
      'invalid_id',
      'must be the id of a record, mostly {{trigger.recordId}} or the id from a step',
    )
}

/** @returns the object, when records of it can be written */
function writableObject(check: StepCheck): KnownObject | undefined {
  const path = `${check.path}.object`
  const object = checkObject(check.config['object'], path, check)
  if (object?.isActive !== false) return object
  check.report.add(path, 'object_inactive', `${object.slug} is not active: its records cannot be written`)
  return undefined
}

const hasTemplate = (value: unknown): boolean =>
  typeof value === 'string'
    ? !isLiteral(value)
    : typeof value === 'object' && value !== null && Object.values(value).some(hasTemplate)

/** Values without templates are what they are: they can be refused before a run. */
function checkValues(object: KnownObject, data: Readonly<Record<string, unknown>>, check: StepCheck): void {
  const attributes = new Map(object.attributes.map((attribute) => [attribute.slug, attribute]))
  // What templates yield is not known; that an attribute is there is.
  const literal = Object.entries(data).filter(([slug, value]) => !attributes.has(slug) || !hasTemplate(value))
  const checked = checkData('patch', Object.fromEntries(literal), attributes, check.known.locale)
  if (!('problems' in checked)) return
  for (const { path, code, message } of checked.problems)
    check.report.add(`${check.path}.${path}`, code, message)
}

function checkDataOf(object: KnownObject | undefined, check: StepCheck): void {
  const { data } = check.config
  if (object && isObject(data)) checkValues(object, data, check)
}

function checkRequired(object: KnownObject, { config: { data }, path, report }: StepCheck): void {
  if (!isObject(data)) return
  for (const { slug, name, isRequired } of object.attributes)
    if (isRequired && !Object.hasOwn(data, slug))
      report.add(`${path}.data.${slug}`, 'required', `${name} is required: give it a value`)
}

export function checkCreate(check: StepCheck): void {
  const object = writableObject(check)
  checkDataOf(object, check)
  if (object) checkRequired(object, check)
}

export function checkUpdate(check: StepCheck): void {
  checkDataOf(writableObject(check), check)
  checkRecordId(check.config['recordId'], `${check.path}.recordId`, check.report)
}

export function checkUpsert(check: StepCheck): void {
  const object = writableObject(check)
  checkDataOf(object, check)
  const { matchOn, data } = check.config
  if (!object || typeof matchOn !== 'string') return
  const path = `${check.path}.matchOn`
  if (!findAttribute(object, matchOn)?.isUnique)
    check.report.add(path, 'not_unique', `must be a unique attribute of ${object.slug}`)
  else if (isObject(data) && !Object.hasOwn(data, matchOn))
    check.report.add(path, 'required', `must have a value: add ${matchOn} to the values`)
}

export function checkDelete(check: StepCheck): void {
  writableObject(check)
  checkRecordId(check.config['recordId'], `${check.path}.recordId`, check.report)
}

export function checkGet(check: StepCheck): void {
  checkObject(check.config['object'], `${check.path}.object`, check)
  checkRecordId(check.config['recordId'], `${check.path}.recordId`, check.report)
}

function checkSort(object: KnownObject, { config: { sort }, path, report }: StepCheck): void {
  if (!isObject(sort) || sort['field'] === 'created_at' || sort['field'] === 'updated_at') return
  const attribute = findAttribute(object, String(sort['field']))
  if (!attribute || !SORTABLE.has(attribute.type) || attribute.isList)
    report.add(
      `${path}.sort.field`,
      'invalid_sort',
      `must be created_at, updated_at or an attribute of ${object.slug} that can be sorted by`,
    )
}

export function checkFind(check: StepCheck): void {
  const { config, path, known, report } = check
  const object = checkObject(config['object'], `${path}.object`, check)
  if (config['filter'] !== undefined)
    checkFilter(config['filter'], `${path}.filter`, {
      object,
      locale: known.locale,
      report,
      hasTemplates: true,
    })
  if (!object) return
  checkSort(object, check)
  const { fields } = config
  for (const [index, slug] of (Array.isArray(fields) ? fields : []).entries())
    if (!findAttribute(object, String(slug)))
      report.add(
        `${path}.fields[${index}]`,
        'unknown_attribute',
        `${object.slug} has no attribute ${shown(slug)}`,
      )
}
