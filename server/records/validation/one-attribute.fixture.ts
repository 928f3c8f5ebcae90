// Tests only: one attribute of any type, and its value checked in isolation.
import type { AttributeType } from '../../../contract/attribute-types.ts'
import type { Locale, ValueAttribute } from '../values/attribute.ts'
import { type CheckedData, checkData } from './values.ts'

export const locale: Locale = { country: 'US', currency: 'EUR' }
export const ID = '0198c0de-0000-7000-8000-00000000abcd'
export const OPTIONS = ['Lead', 'Qualified', 'Won', 'Lost', 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'constructor']

export function attribute(type: AttributeType, flags: Partial<ValueAttribute> = {}): ValueAttribute {
  const config =
    type === 'select' ? { options: OPTIONS } : type === 'reference' ? { allowed_object_id: ID } : null
  return {
    slug: 'v',
    name: 'Value',
    type,
    isList: false,
    isRequired: false,
    isUnique: false,
    config,
    ...flags,
  }
}

export const bySlug = (...attributes: ValueAttribute[]) =>
  new Map(attributes.map((each) => [each.slug, each]))

type Result = ReturnType<typeof checkData>

export const check = (type: AttributeType, value: unknown, flags: Partial<ValueAttribute> = {}): Result =>
  checkData('create', { v: value }, bySlug(attribute(type, flags)), locale)

export function accept(result: Result): CheckedData {
  if ('problems' in result) throw new Error(JSON.stringify(result.problems))
  return result
}

export const codesOf = (result: Result): string[] =>
  'problems' in result ? result.problems.map(({ path, code }) => `${path} ${code}`) : []
