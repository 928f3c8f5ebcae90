// Checks steps that read and write records: the object, its attributes, and values without templates.
import { isUuid } from '../../../contract/common.ts'
import { insteadTold, sentName } from '../../base/suggestions.ts'
import { toldNames } from '../../base/told-names.ts'
import { checkData } from '../../records/validation/values.ts'
import type { Accepted, Locale, Refusal } from '../../records/values/attribute.ts'
import { isReferenceValue, referenceKey } from '../../records/values/reference-value.ts'
import { readReference } from '../../records/write/read-reference.ts'
import { emptyTextAsNull, isPlainObject } from '../interpreter/values.ts'
import { findObject, type Known, type KnownObject } from './known.ts'
import type { CheckReport } from './report.ts'
import { isLiteral } from './template-check.ts'

export interface StepCheck {
  config: Readonly<Record<string, unknown>>
  /** The path of the config. */
  path: string
  known: Known
  report: CheckReport
}

/** @returns the object, if it exists */
export function checkObject(
  ref: unknown,
  path: string,
  { known, report }: Pick<StepCheck, 'known' | 'report'>,
) {
  if (typeof ref !== 'string') return undefined
  const object = findObject(known, ref)
  if (!object) {
    const slugs = known.objects.map(({ slug }) => slug)
    const said = insteadTold(ref, toldNames(known.locale, 'objects', slugs), 'send the id or slug of one')
    report.add(path, 'unknown_object', `must be an object, not ${sentName(ref)}: ${said}`)
  }
  return object
}

/** Checks an id that is written in the definition. */
export function checkRecordId(id: unknown, path: string, report: CheckReport): void {
  if (isLiteral(id) && !isUuid(id))
    report.add(
      path,
      'invalid_id',
      'must be the id of a record, usually {{trigger.recordId}} or the id from a step',
    )
}

/** @returns the object, if its records can be written */
export function writableObject(check: StepCheck): KnownObject | undefined {
  const path = `${check.path}.object`
  const object = checkObject(check.config['object'], path, check)
  if (object?.isActive !== false) return object
  check.report.add(
    path,
    'object_inactive',
    `must be an active object: records of ${object.slug} cannot be written`,
  )
  return undefined
}

const hasTemplate = (value: unknown): boolean =>
  typeof value === 'string'
    ? !isLiteral(value)
    : typeof value === 'object' && value !== null && Object.values(value).some(hasTemplate)

/** The results of references by value: their records are looked up when the step runs. */
function referencesIn(
  object: KnownObject,
  values: Readonly<Record<string, unknown>>,
  known: Known,
): NonNullable<Locale['references']> {
  const references = new Map<string, Accepted | Refusal>()
  for (const { slug, type, config } of object.attributes) {
    const ref = type === 'reference' && config && 'allowed_object_id' in config && config.allowed_object_id
    const target = ref ? findObject(known, ref) : undefined
    for (const value of [values[slug]].flat().filter(isReferenceValue)) {
      const read = readReference(target?.attributes ?? [], known.locale, value)
      const result = read.code === undefined ? { value: ANY_RECORD } : read
      references.set(referenceKey(slug, value), result)
    }
  }
  return references
}

const ANY_RECORD = '00000000-0000-0000-0000-000000000000'

/** Checks values without templates. */
function checkValues(object: KnownObject, data: Readonly<Record<string, unknown>>, check: StepCheck): void {
  const attributes = new Map(object.attributes.map((attribute) => [attribute.slug, attribute]))
  // The results of templates are not known yet. Unknown attributes are reported also for templates.
  const literal = Object.entries(data).filter(([slug, value]) => !attributes.has(slug) || !hasTemplate(value))
  const values = emptyTextAsNull(Object.fromEntries(literal))
  const { known } = check
  const locale = { ...known.locale, references: referencesIn(object, values, known) }
  const checked = checkData('patch', values, attributes, locale)
  if (!('problems' in checked)) return
  for (const { path, code, message } of checked.problems)
    check.report.add(`${check.path}.${path}`, code, message)
}

export function checkDataOf(object: KnownObject | undefined, check: StepCheck): void {
  const { data } = check.config
  if (object && isPlainObject(data)) checkValues(object, data, check)
}
