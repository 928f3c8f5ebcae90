// Import reads what export writes back as equal data: for every type, as single values and as lists.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ATTRIBUTE_TYPES, type AttributeType } from '../../../contract/attribute-types.ts'
import { toCsv } from '../../../contract/csv-text.ts'
import { type JsonValue, parseJson } from '../../base/json.ts'
import { PLAIN_FORMAT } from '../../imports/content.ts'
import { readCsv } from '../../imports/csv/read.ts'
import { plainCells } from '../../imports/local-format.ts'
import type { ModelAttribute, ObjectModel } from '../../model/attributes/models.ts'
import { cases } from '../../test/dose.ts'
import { randomValue } from '../every-type.fixture.ts'
import { rowData } from '../import/cells.ts'
import { mapColumns } from '../import/columns.ts'
import { checkData } from '../validation/values.ts'
import { exportColumns } from './cells.ts'

const OPTIONS = ['Lead', ' spaced ', 'a;b', '[x]', 'with "quotes"', 'with, comma']
const LOCALE = { country: 'US', currency: 'USD' }

const attributeOf = (slug: string, type: AttributeType, isList: boolean): ModelAttribute => ({
  attr: 1,
  id: slug,
  name: slug,
  slug,
  type,
  isRequired: false,
  isUnique: false,
  isList,
  isNaming: false,
  config: type === 'select' ? { options: OPTIONS } : null,
  targetObj: null,
})

const attributes = ATTRIBUTE_TYPES.flatMap((type) => [
  attributeOf(type, type, false),
  attributeOf(`${type}_list`, type, true),
])
const model: ObjectModel = {
  org: 1,
  obj: 1,
  id: 'x',
  slug: 'things',
  type: 'custom',
  isActive: true,
  version: 1,
  index: undefined,
  hiddenSlugs: [],
  renaming: null,
  attributes: new Map(attributes.map((attribute) => [attribute.slug, attribute])),
}

const awkward = fc.constantFrom(
  ' ',
  '  a',
  'a;b',
  '[1]',
  '{"a":1}',
  '"',
  'a\r',
  '\n',
  '=1+1',
  ';',
  '[',
  'a,b',
  'true',
)
const text = fc
  .oneof(fc.string({ minLength: 1, unit: 'grapheme' }), awkward)
  .filter((one) => one !== '' && !one.includes('\0') && one.isWellFormed())
const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,14})(\.\d{1,14})?$/)
const amount = fc.stringMatching(/^-?(0|[1-9]\d{0,20})(\.\d{1,4})?$/)
/** More unusual values than those of every-type.fixture.ts, which are used for the types that are not listed here. */
const values: Partial<Record<AttributeType, fc.Arbitrary<unknown>>> = {
  text,
  email: fc.emailAddress(),
  number: digits,
  phone_number: fc.constantFrom(
    '+1 202-555-0123',
    ' +44 20 7946 0018 ',
    '(202) 555-0199 ext. 7',
    '+12025550100 ',
  ),
  checkbox: fc.boolean(),
  name: fc.oneof(
    fc.record({ firstName: text, lastName: text }),
    fc.record({ lastName: text }),
    fc.record({ firstName: text }),
  ),
  address: fc.record({ line1: text, city: text, postalCode: text, country: fc.constant('DE') }),
  currency: fc.record({ amount, currency: fc.constantFrom('USD', 'EUR') }),
  date: fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((day) => day.toISOString().slice(0, 10)),
  select: fc.constantFrom(...OPTIONS),
  list: text,
  reference: fc.uuid(),
  member: fc.uuid(),
}

const anyData = fc.record(
  Object.fromEntries(
    attributes.map(({ slug, type, isList }) => {
      const value = values[type] ?? randomValue(type, { targets: [], members: [] })
      return [slug, isList || type === 'list' ? fc.array(value, { minLength: 1, maxLength: 4 }) : value]
    }),
  ),
  { requiredKeys: [] },
)

/** The data as a record stores it; undefined when a generated value is invalid. */
function stored(data: unknown): Record<string, JsonValue> | undefined {
  const checked = checkData('create', data, model.attributes, LOCALE)
  if ('problems' in checked) return undefined
  return parseJson(JSON.stringify(checked.set)) as Record<string, JsonValue>
}

async function throughCsv(data: Record<string, JsonValue>): Promise<unknown> {
  const columns = exportColumns(model)
  const rows = [columns.map(({ header }) => header), columns.map(({ cellOf }) => cellOf(data))]
  async function* text() {
    yield toCsv(rows.map((row) => ['x', ...row]))
  }
  const read: string[][] = []
  for await (const { cells, error } of readCsv(text())) {
    expect(error).toBeUndefined()
    read.push(cells)
  }
  const [headers = [], cells = []] = read
  const { columns: filled } = mapColumns(model, headers)
  return stored(rowData(filled, plainCells(cells, filled, PLAIN_FORMAT)))
}

test('import reads any exported data back as equal data', async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(anyData, async (generated) => {
      const data = stored(generated)
      fc.pre(data !== undefined)
      compared++
      expect(await throughCsv(data)).toEqual(data)
    }),
    { numRuns: cases(300) },
  )
  expect(compared).toBe(cases(300))
})
