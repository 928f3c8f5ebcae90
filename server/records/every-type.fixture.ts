// An object with an attribute of every type, single and list, and random values for each.
import fc from 'fast-check'
import { ATTRIBUTE_TYPES, type AttributeType, ID_TYPES } from '../../contract/attribute-types.ts'
import type { Org } from '../test/factories.ts'

export interface TestAttribute {
  slug: string
  type: AttributeType
  isList: boolean
}

const OPTIONS = ['Lead', 'Qualified', 'Won', 'Lost 100%']
const SINGLE = ATTRIBUTE_TYPES.filter((type) => type !== 'list')

export const TEST_ATTRIBUTES: TestAttribute[] = [
  ...SINGLE.map((type) => ({ slug: `a_${type}`, type, isList: false })),
  { slug: 'a_list', type: 'list' as const, isList: false },
  ...SINGLE.map((type) => ({ slug: `many_${type}`, type, isList: true })),
]

/** The ids that random values may contain. */
export interface Named {
  /** Ids of records that references may point to. */
  targets: readonly string[]
  /** User ids of members. */
  members: readonly string[]
}

export interface EveryType extends Named {
  id: string
}

/** Makes the object `things` in the organization, and five records of it that others may refer to. */
export async function buildEveryType(
  org: Org,
  beforeRecords?: (objectId: string) => Promise<void>,
): Promise<EveryType> {
  const { body } = await org.post<{ id: string }>('/objects', { pluralName: 'Things', singularName: 'Thing' })
  const config = (type: AttributeType) =>
    type === 'select'
      ? { options: OPTIONS }
      : type === 'reference'
        ? { allowed_object_id: body.id }
        : undefined
  for (const { slug, type, isList } of TEST_ATTRIBUTES) {
    const reply = await org.post('/objects/things/attributes', {
      name: slug,
      slug,
      type,
      isList,
      config: config(type),
    })
    if (reply.status !== 201) throw new Error(JSON.stringify(reply.body))
  }
  await beforeRecords?.(body.id)
  const made = await org.post<{ results: { id: string }[] }>('/objects/things/records/bulk', {
    records: Array.from({ length: 5 }, () => ({ data: {} })),
  })
  const { userId } = await org.member('member')
  return { id: body.id, targets: made.body.results.map(({ id }) => id), members: [org.userId, userId] }
}

/** Texts of about the maximum length of an index key, all with the same beginning. */
const LONG = [199, 200, 201, 230].map((length) => 'aBЖé '.repeat(50).slice(0, length))
const word = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...LONG) },
  {
    weight: 12,
    arbitrary: fc.string({
      unit: fc.constantFrom('a', 'B', 'é', '%', '_', '\\', ' ', 'Ж', '👍'),
      minLength: 1,
      maxLength: 4,
    }),
  },
)
const solid = fc.string({ unit: fc.constantFrom('a', 'B', 'c'), minLength: 1, maxLength: 3 })
const day = fc.constantFrom('2024-02-29', '2025-01-01', '2025-12-31', '2026-06-15', '0999-01-01')
const decimal = fc.constantFrom(0, 1, -1, 2.5, -2.5, 10, 1e6, 0.0001, 99999999999.5)

type RandomValue = (named: Named) => fc.Arbitrary<unknown>

/** Values in canonical form, from a small set so that filters often match. */
const RANDOM_VALUES: Readonly<Record<AttributeType, RandomValue>> = {
  text: () => word,
  email: () => fc.tuple(solid, fc.constantFrom('x.org', 'Example.com')).map((parts) => parts.join('@')),
  number: () => decimal,
  phone_number: () =>
    fc.constantFrom('+1 555 867 5309', '(555) 867-5310', '+44 20 7946 0958', '+1 555 222 3333'),
  checkbox: () => fc.boolean(),
  name: () =>
    fc.oneof(
      fc.record({ firstName: solid, lastName: solid }),
      fc.record({ firstName: solid }),
      fc.record({ lastName: solid }),
    ),
  address: () =>
    fc.record(
      { line1: solid, city: solid, country: fc.constantFrom('US', 'DE') },
      { requiredKeys: ['city'] },
    ),
  currency: () => fc.record({ amount: decimal, currency: fc.constantFrom('USD', 'EUR') }),
  date: () => day,
  select: () => fc.constantFrom(...OPTIONS),
  list: () => fc.uniqueArray(solid, { maxLength: 3 }),
  reference: ({ targets }) => fc.constantFrom(...targets),
  url: () =>
    fc
      .tuple(
        fc.constantFrom('https://x.org', 'http://www.example.com:8080'),
        fc.constantFrom('', '/A', '/b?c=%25#d'),
      )
      .map((parts) => parts.join('')),
  member: ({ members }) => fc.constantFrom(...members),
  domain: () =>
    fc.constantFrom(
      'acme.com',
      'https://www.Acme.com/about',
      'WWW.x.org',
      'shop.x.org/',
      'bücher.example',
      'example.com:8080',
    ),
}

export const randomValue = (type: AttributeType, named: Named): fc.Arbitrary<unknown> =>
  RANDOM_VALUES[type](named)

/** Data of one record; each attribute is optional. */
export function dataOf(named: Named): fc.Arbitrary<Record<string, unknown>> {
  const entries = TEST_ATTRIBUTES.map(({ slug, type, isList }) => {
    const one = randomValue(type, named)
    const elements = ID_TYPES.has(type) ? fc.uniqueArray : fc.array
    const many = elements(one, { maxLength: 3 })
    return [slug, isList ? many : one] as const
  })
  return fc.record(Object.fromEntries(entries), { requiredKeys: [] })
}
