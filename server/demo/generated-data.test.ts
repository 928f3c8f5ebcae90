import { expect, test } from 'vitest'
import { ATTRIBUTE_TYPES, type AttributeType, NEVER_UNIQUE } from '../../contract/attribute-types.ts'
import type { ModelAttribute } from '../model/attributes/models.ts'
import { checkData } from '../records/validation/values.ts'
import { type Blueprint, generatedData } from './generated-data.ts'

const OPTIONS = Array.from({ length: 500 }, (_, index) => `Option ${index}`)
const TARGETS = Array.from(
  { length: 500 },
  (_, index) => `0198c0de-0000-7000-8000-${String(index).padStart(12, '0')}`,
)

const attributeOf = (type: AttributeType, flags: Partial<ModelAttribute> = {}): ModelAttribute => ({
  attr: 1,
  id: type,
  name: type,
  slug: type,
  type,
  isRequired: true,
  isUnique: false,
  isList: false,
  isNaming: false,
  config:
    type === 'select'
      ? { options: OPTIONS }
      : type === 'reference'
        ? { allowed_object_id: TARGETS[0] ?? '' }
        : null,
  targetObj: null,
  ...flags,
})

const blueprintOf = (attributes: ModelAttribute[], token = ''): Blueprint => ({
  objectSlug: 'things',
  attributes,
  seed: 1,
  token,
  targets: new Map(attributes.map(({ slug }) => [slug, TARGETS])),
  currency: 'EUR',
  today: new Date('2026-11-20T10:00:00.000Z'),
})

/** The data of each record after the same checks as for a request. */
function checkAll(blueprint: Blueprint, count: number) {
  const attributes = new Map(blueprint.attributes.map((attribute) => [attribute.slug, attribute]))
  return Array.from({ length: count }, (_, index) => {
    const checked = checkData('create', generatedData(blueprint, index + 1), attributes, {
      country: 'US',
      currency: 'EUR',
    })
    if ('problems' in checked) throw new Error(JSON.stringify(checked.problems))
    return checked
  })
}

const cases = ATTRIBUTE_TYPES.flatMap((type) => [
  [type, { isList: false }] as const,
  [type, { isList: true }] as const,
])

test.each(cases)('generates valid data for %s %j', (type, flags) => {
  expect(checkAll(blueprintOf([attributeOf(type, flags)]), 200)).toHaveLength(200)
})

const unique = cases.filter(([type]) => !NEVER_UNIQUE.has(type))

test.each(unique)('generates unique values for %s %j', (type, flags) => {
  const attributes = [attributeOf(type, { ...flags, isUnique: true })]
  for (const token of ['', 'mwptwz7i']) {
    const values = checkAll(blueprintOf(attributes, token), 500).flatMap(({ uniques }) => uniques)
    expect(new Set(values.map(({ value }) => value)).size).toBe(500)
  }
})

test('makes the same records from the same seed, and others from another seed', () => {
  const blueprint = blueprintOf(ATTRIBUTE_TYPES.map((type) => attributeOf(type, { isRequired: false })))
  expect(generatedData(blueprint, 7)).toEqual(generatedData(blueprint, 7))
  expect(generatedData(blueprint, 8)).not.toEqual(generatedData(blueprint, 7))
  expect(generatedData({ ...blueprint, seed: 2 }, 7)).not.toEqual(generatedData(blueprint, 7))
})

test('leaves out a reference if there is no record to refer to', () => {
  const blueprint = { ...blueprintOf([attributeOf('reference')]), targets: new Map() }
  expect(generatedData(blueprint, 1)).toEqual({})
})
