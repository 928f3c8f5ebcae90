// Each operator on each type, held to one model in plain JavaScript: in search, however records are indexed, in
// reports, in the triggers of workflows, which match in memory, and in their conditions.
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { TYPE_CONTRACTS } from '../../../contract/attribute-types.ts'
import { type FilterOperator, OPERATOR_SHAPES } from '../../../contract/operators.ts'
import { resultsOf } from '../../reports/reports.fixture.ts'
import { buildTestService } from '../../test/build-app.ts'
import { cases } from '../../test/dose.ts'
import { evaluate } from '../../workflows/interpreter/conditions.ts'
import { type Named, randomValue, TEST_ATTRIBUTES, type TestAttribute } from '../every-type.fixture.ts'
import { allFound, type Filled, fillEveryType, STORES } from './filled.fixture.ts'
import { matchesFilter } from './matches.ts'
import { hostPart, matchesModel } from './model.fixture.ts'

const service = await buildTestService()
const locale = { country: 'US', currency: 'USD' }

const operandText = (type: string, value: unknown): string => {
  if (type === 'name') return Object.values(value as Record<string, string>).join(' ')
  if (type === 'address') return Object.values(value as Record<string, string>).join(', ')
  if (type === 'currency') return String((value as { amount: number }).amount)
  return String(value)
}

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

/** The end of a text or its beginning, as it is or in capitals. */
function piece([text, cut, isEnd, isUpper]: [string, number, boolean, boolean]): string {
  const letters = [...text]
  const at = cut % letters.length
  const part = (isEnd ? letters.slice(at) : letters.slice(0, at + 1)).join('')
  return isUpper ? part.toUpperCase() : part
}

/** Operands that are values of records, pieces of them for the searching operators, and some that no record has. */
function operandOf(
  { type }: TestAttribute,
  operator: FilterOperator,
  named: Named,
): fc.Arbitrary<string | string[]> {
  const { takes, isPart } = OPERATOR_SHAPES[operator]
  const single =
    type === 'list'
      ? fc.constantFrom('a', 'B', 'ac', 'x')
      : randomValue(type, named).map((value) => operandText(type, value))
  if (takes === 'nothing') return fc.constant('true')
  if (takes === 'two') return fc.array(single, { minLength: 2, maxLength: 2 })
  if (takes === 'many') return fc.array(single, { minLength: 1, maxLength: 4 })
  if (type === 'phone_number' && isPart) return fc.oneof(single, fc.constantFrom(...PHONE_PARTS))
  return type !== 'list' && isPart
    ? fc.tuple(single, fc.nat(3), fc.boolean(), fc.boolean()).map(piece)
    : single
}

/** A part of an address that no host name has is compared as it is. */
function hostOperand(operand: string | string[]) {
  return Array.isArray(operand) ? operand.map(hostPart) : hostPart(operand) || operand
}

/** Operands of phone numbers are compared as E.164, whole or by digits: the model is given that form. */
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
}

const filterOf = ({ attribute, operator, value }: Asked) => ({
  attributeSlug: attribute.slug,
  operator,
  value,
})

const idsWhere = ({ stored }: Filled, isMet: (data: Record<string, unknown>) => boolean): string[] =>
  [...stored].flatMap(([id, data]) => (isMet(data) ? id : [])).toSorted()

function expectedIds(
  filled: Filled,
  { attribute: { slug, type, isList }, operator, value }: Asked,
): string[] {
  const model = { type, isList, operator, operand: modelOperand(type, operator, value) }
  return idsWhere(filled, (data) => matchesModel(model, data[slug]))
}

async function reportedIds({ org }: Filled, { attribute, operator, value }: Asked): Promise<string[]> {
  const { rows } = await resultsOf(service.ctx, org, {
    source: { objectId: 'things', alias: 'thing' },
    columns: [{ key: 'thing', field: 'thing.id' }],
    filters: { field: `thing.${attribute.slug}`, operator, value },
  })
  return rows.map((row) => (row['thing'] as { id: string }).id).toSorted()
}

const attributes = new Map(TEST_ATTRIBUTES.map((one) => [one.slug, one]))

const matchedIds = (filled: Filled, asked: Asked): string[] =>
  idsWhere(filled, (data) => matchesFilter(filterOf(asked), { data, attributes, locale }))

/** Conditions know no types: where a type is compared otherwise than its text, they are another question. */
const isUntyped = ({ attribute: { type }, operator }: Asked) =>
  ['phone_number', 'list', 'domain'].includes(type) || (type === 'email' && !OPERATOR_SHAPES[operator].isPart)

const metIds = (filled: Filled, { attribute: { slug }, operator, value }: Asked): string[] =>
  idsWhere(filled, (data) => evaluate({ left: data[slug], operator, right: value }))

const CASES = TEST_ATTRIBUTES.flatMap((attribute) =>
  TYPE_CONTRACTS[attribute.type].operators.map((operator) => ({ attribute, operator })),
)

describe.each(STORES)('every operator on every type it is defined for: $name', ({ as }) => {
  let filled: Filled

  beforeAll(async () => {
    filled = await fillEveryType(service, { as, records: 90 })
  })

  const operandsOf = ({ attribute, operator }: Omit<Asked, 'value'>) =>
    fc.sample(operandOf(attribute, operator, filled.named), {
      numRuns: OPERATOR_SHAPES[operator].takes === 'nothing' ? 1 : cases(as ? 3 : 10),
    })

  test.each(CASES)('$attribute.slug $operator finds what plain JavaScript says', async (one) => {
    for (const value of operandsOf(one)) {
      const asked = { ...one, value }
      const expected = expectedIds(filled, asked)
      const { ids, totals } = await allFound(filled.org, { filters: [filterOf(asked)] })
      expect(ids.toSorted(), JSON.stringify(value)).toEqual(expected)
      expect(new Set(totals)).toEqual(new Set([expected.length]))
    }
  })

  if (as) return

  test.each(CASES)('$attribute.slug $operator in reports, triggers and conditions', async (one) => {
    for (const [index, value] of operandsOf(one).entries()) {
      const asked = { ...one, value }
      const expected = expectedIds(filled, asked)
      expect(matchedIds(filled, asked), JSON.stringify(value)).toEqual(expected)
      if (!isUntyped(asked)) expect(metIds(filled, asked), JSON.stringify(value)).toEqual(expected)
      if (index < 2) expect(await reportedIds(filled, asked), JSON.stringify(value)).toEqual(expected)
    }
  })
})
