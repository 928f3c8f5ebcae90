// Each operator on each type gives the same result as one model in plain JavaScript: in search with every kind of
// index, in reports, in triggers of workflows, which match in memory, and in conditions of workflows.
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { TYPE_CONTRACTS } from '../../../contract/attribute-types.ts'
import { type FilterOperator, OPERATOR_SHAPES } from '../../../contract/operators.ts'
import { resultsOf } from '../../reports/reports.fixture.ts'
import { buildTestService } from '../../test/build-app.ts'
import { cases, everyOther } from '../../test/dose.ts'
import { evaluate } from '../../workflows/interpreter/conditions.ts'
import { type Named, randomValue, TEST_ATTRIBUTES, type TestAttribute } from '../every-type.fixture.ts'
import { allFound, type Filled, fillEveryType, STORES } from './filled.fixture.ts'
import { matchesFilter, valueAt } from './matches.ts'
import { hostPart, matchesModel } from './model.fixture.ts'

const service = await buildTestService()
const locale = { country: 'US', currency: 'USD' }

const operandText = (type: string, value: unknown): string => {
  if (type === 'name') return Object.values(value as Record<string, string>).join(' ')
  if (type === 'address') return Object.values(value as Record<string, string>).join(', ')
  if (type === 'currency') return String((value as { amount: number }).amount)
  return String(value)
}

type Value = Readonly<Record<string, unknown>>

/** The value of a path in a record: of an attribute, of its part, or of the referenced records. */
function heldAt(stored: Filled['stored'], data: Value, path: string): unknown {
  const [slug = '', ...rest] = path.split('.')
  const value = data[slug]
  const [part] = rest
  if (part === undefined || value === undefined) return value
  if (slug.endsWith('_reference'))
    return [value].flat().flatMap((id) => heldAt(stored, stored.get(String(id)) ?? {}, rest.join('.')) ?? [])
  return Array.isArray(value) ? value.flatMap((one: Value) => one[part] ?? []) : (value as Value)[part]
}

const PARTS: readonly TestAttribute[] = ['a', 'many'].flatMap((prefix) => [
  ...['name.firstName', 'name.lastName', 'address.city', 'address.country', 'currency.currency'].map(
    (path) => ({ slug: `${prefix}_${path}`, type: 'text' as const, isList: prefix === 'many' }),
  ),
  { slug: `${prefix}_currency.amount`, type: 'number' as const, isList: prefix === 'many' },
])

const PATHS: readonly TestAttribute[] = [
  'a_reference.a_text',
  'many_reference.a_number',
  'a_reference.a_select',
  'a_reference.many_email',
  'many_reference.a_checkbox',
  'a_reference.a_date',
  'a_reference.a_phone_number',
  'many_reference.a_address.city',
  'a_reference.a_reference.a_name',
  'many_reference.many_reference.a_domain',
  'a_reference.a_reference',
  'a_reference.a_member',
].map((slug) => {
  const end = slug.split('.').findLast((one) => one.includes('_'))
  const type = TEST_ATTRIBUTES.find((one) => one.slug === end)?.type ?? 'text'
  return { slug, type: slug.endsWith('.city') ? 'text' : type, isList: true }
})

const PHONE_PARTS = [
  '555',
  '(555) 867',
  '1 555',
  '020 7946',
  '020 7946 0958',
  '20 7946',
  '+44 (0)20',
  '+44',
  '0958',
  '5309',
  '0',
]

/** The end or the beginning of a text, unchanged or in capitals. */
function piece([text, cut, isEnd, isUpper]: [string, number, boolean, boolean]): string {
  const letters = [...text]
  const at = cut % letters.length
  const part = (isEnd ? letters.slice(at) : letters.slice(0, at + 1)).join('')
  return isUpper ? part.toUpperCase() : part
}

/** The part of a random value; 3 or Z if the value does not have the part. */
function partOperand(path: string, named: Named): fc.Arbitrary<string> {
  const [slug, part = ''] = path.split('.').slice(-2)
  const type = TEST_ATTRIBUTES.find((one) => one.slug === slug)?.type ?? 'text'
  return randomValue(type, named).map((value) =>
    String((value as Value)[part] ?? (part === 'amount' ? 3 : 'Z')),
  )
}

/** Operands from values of records, pieces of values for operators on parts, and some operands that no record has. */
function operandOf(
  { type, slug }: TestAttribute,
  operator: FilterOperator,
  named: Named,
): fc.Arbitrary<string | string[]> {
  const { takes, isPart } = OPERATOR_SHAPES[operator]
  const single =
    type === 'list'
      ? fc.constantFrom('a', 'B', 'ac', 'x')
      : PARTS.some((one) => one.slug === slug.split('.').slice(-2).join('.'))
        ? partOperand(slug, named)
        : randomValue(type, named).map((value) => operandText(type, value))
  if (takes === 'nothing') return fc.constant('true')
  if (takes === 'two') return fc.array(single, { minLength: 2, maxLength: 2 })
  if (takes === 'many') return fc.array(single, { minLength: 1, maxLength: 4 })
  if (type === 'phone_number' && isPart) return fc.oneof(single, fc.constantFrom(...PHONE_PARTS))
  return type !== 'list' && isPart
    ? fc.tuple(single, fc.nat(3), fc.boolean(), fc.boolean()).map(piece)
    : single
}

/** The host part of an operand. An operand without a host part is compared unchanged. */
function hostOperand(operand: string | string[]) {
  return Array.isArray(operand) ? operand.map(hostPart) : hostPart(operand) || operand
}

/** Operands of phone numbers are compared as E.164, whole or by digits. The model gets that form. */
function modelOperand(type: string, operator: FilterOperator, operand: string | string[]) {
  if (type === 'domain') return hostOperand(operand)
  if (type !== 'phone_number') return operand
  const digits = (text: string) => text.replaceAll(/\D/g, '')
  if (OPERATOR_SHAPES[operator].isPart)
    return String(operand).startsWith('+')
      ? `+${digits(String(operand).replace('(0)', ''))}`
      : digits(String(operand))
  const whole = (text: string) => (digits(text).length === 10 ? `+1${digits(text)}` : `+${digits(text)}`)
  return Array.isArray(operand) ? operand.map(whole) : whole(operand)
}

interface Asked {
  attribute: TestAttribute
  operator: FilterOperator
  value: string | string[]
  /** Whether the filter is negated. */
  isNegated: boolean
}

const filterOf = ({ attribute, operator, value }: Asked) => ({
  attributeSlug: attribute.slug,
  operator,
  value,
})

const treeOf = <Leaf>({ isNegated }: Asked, leaf: Leaf) => (isNegated ? { not: leaf } : leaf)

const idsWhere = ({ stored }: Filled, isMet: (data: Record<string, unknown>) => boolean): string[] =>
  [...stored].flatMap(([id, data]) => (isMet(data) ? id : [])).toSorted()

function expectedIds(
  filled: Filled,
  { attribute: { slug, type, isList }, operator, value, isNegated }: Asked,
): string[] {
  const model = { type, isList, operator, operand: modelOperand(type, operator, value) }
  return idsWhere(filled, (data) => matchesModel(model, heldAt(filled.stored, data, slug)) !== isNegated)
}

async function reportedIds({ org }: Filled, asked: Asked): Promise<string[]> {
  const { attribute, operator, value } = asked
  const { rows } = await resultsOf(service.ctx, org, {
    source: { objectId: 'things', alias: 'thing' },
    columns: [{ key: 'thing', field: 'thing.id' }],
    filters: treeOf(asked, { field: `thing.${attribute.slug}`, operator, value }),
  })
  return rows.map((row) => (row['thing'] as { id: string }).id).toSorted()
}

const attributes = new Map(TEST_ATTRIBUTES.map((one) => [one.slug, { ...one, targetObj: 1 }]))

const targetsOf = ({ stored }: Filled) => ({
  attributes: new Map([[1, attributes]]),
  records: new Map([...stored].map(([id, data]) => [id, { data }])),
})

const matchedIds = (filled: Filled, asked: Asked): string[] => {
  const targets = targetsOf(filled)
  return idsWhere(filled, (data) =>
    matchesFilter(treeOf(asked, filterOf(asked)), { data, attributes, locale, targets }),
  )
}

/** Conditions of workflows have no types. They give other results for types that are not compared by their text. */
const isUntyped = ({ attribute: { type }, operator }: Asked) =>
  ['phone_number', 'list', 'domain'].includes(type) || (type === 'email' && !OPERATOR_SHAPES[operator].isPart)

/** Templates in conditions read parts of lists and referenced values as `valueAt` does. */
const metIds = (filled: Filled, asked: Asked): string[] => {
  const { attribute, operator, value } = asked
  const targets = targetsOf(filled)
  return idsWhere(filled, (data) => {
    const left = valueAt(attribute.slug, { data, attributes, targets })
    return evaluate(treeOf(asked, { left, operator, right: value }))
  })
}

const CASES = TEST_ATTRIBUTES.flatMap((attribute) =>
  TYPE_CONTRACTS[attribute.type].operators.map((operator) => ({ attribute, operator })),
)

describe.each(STORES)('every operator on every type it is defined for: $name', (store) => {
  const { as } = store
  let filled: Filled

  beforeAll(async () => {
    filled = await fillEveryType(service, { as, records: 90 })
  })

  /** Every second question is negated. */
  const questionsOf = (one: Pick<Asked, 'attribute' | 'operator'>): Asked[] =>
    fc
      .sample(operandOf(one.attribute, one.operator, filled.named), {
        numRuns: OPERATOR_SHAPES[one.operator].takes === 'nothing' ? 2 : cases(as ? 3 : 8),
      })
      .map((value, index) => ({ ...one, value, isNegated: index % 2 === 1 }))

  /** One question for each operator. */
  const partQuestions = (attribute: TestAttribute): Asked[] =>
    TYPE_CONTRACTS[attribute.type].operators.flatMap((operator, index) =>
      fc
        .sample(operandOf(attribute, operator, filled.named), 1)
        .map((value) => ({ attribute, operator, value, isNegated: index % 2 === 1 })),
    )

  async function expectFound(asked: Asked): Promise<void> {
    const expected = expectedIds(filled, asked)
    const leaf = filterOf(asked)
    const search = asked.isNegated ? { filter: { not: leaf } } : { filters: [leaf] }
    const { ids, totals } = await allFound(filled.org, search)
    expect(ids.toSorted(), JSON.stringify(search)).toEqual(expected)
    expect(new Set(totals)).toEqual(new Set([expected.length]))
  }

  test.each(CASES)('$attribute.slug $operator finds the same records as plain JavaScript', async (one) => {
    for (const asked of questionsOf(one)) await expectFound(asked)
  })

  test.each([...PARTS, ...PATHS])(
    'every operator on $slug finds the same records as plain JavaScript',
    async (part) => {
      const questions = partQuestions(part)
      const turn = STORES.indexOf(store)
      for (const asked of as ? everyOther(questions, turn) : questions) await expectFound(asked)
    },
  )

  if (as) return

  /** Reports take longest, so only some of the questions are tested with them. */
  async function expectElsewhere(questions: readonly Asked[], reported: readonly Asked[]): Promise<void> {
    for (const asked of questions) {
      const expected = expectedIds(filled, asked)
      const said = JSON.stringify(filterOf(asked))
      expect(matchedIds(filled, asked), said).toEqual(expected)
      if (!isUntyped(asked)) expect(metIds(filled, asked), said).toEqual(expected)
      if (reported.includes(asked)) expect(await reportedIds(filled, asked), said).toEqual(expected)
    }
  }

  test.each(CASES)('reports, triggers and conditions agree on $attribute.slug $operator', async (one) => {
    const questions = questionsOf(one)
    await expectElsewhere(questions, everyOther(questions.slice(0, 2), CASES.indexOf(one)))
  })

  test.each([...PARTS, ...PATHS])(
    'reports, triggers and conditions agree on every operator on $slug',
    async (part) => {
      const questions = partQuestions(part)
      const isPath = PATHS.includes(part)
      await expectElsewhere(
        questions,
        isPath ? everyOther(questions, PATHS.indexOf(part)) : questions.filter((_, place) => place % 3 === 0),
      )
    },
  )
})
