import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HAVING_OPERATORS } from '../../../contract/operators.ts'
import { DATE_BUCKETS, MEASURE_OPS, RELATIVE_DATES } from '../../../contract/report-states.ts'
import type { ReportDefinition } from '../../../contract/reports.ts'
import { cases } from '../../test/dose.ts'
import { plan } from './plan.fixture.ts'

type Definition = Omit<ReportDefinition, 'name'>

const deals = { objectId: 'deals', alias: 'deal' }
const count = { key: 'deals', op: 'count' } as const
const company = { alias: 'company', via: 'deal.company' }

const problemsOf = (definition: Definition) => {
  const planned = plan(definition)
  return 'problems' in planned ? planned.problems.map(({ path, code }) => `${path} ${code}`) : []
}

const filtering = (filters: Record<string, unknown>): Definition => ({
  source: deals,
  measures: [count],
  filters,
})
const leaf = (field: string, operator: string, value: unknown) => ({ field, operator, value })
const deep = (depth: number): Record<string, unknown> =>
  depth === 0 ? leaf('deal.name', 'isEmpty', 'true') : { and: [deep(depth - 1)] }

const WRONG: [string, Definition, string][] = [
  [
    'no such object',
    { source: { objectId: 'nope', alias: 'a' }, measures: [count] },
    'source.objectId unknown_object',
  ],
  ['nothing to show', { source: deals }, 'measures required'],
  [
    'columns and measures',
    { source: deals, measures: [count], columns: [{ key: 'n', field: 'deal.name' }] },
    'columns ambiguous',
  ],
  [
    'an alias twice',
    {
      source: deals,
      joins: [{ alias: 'deal', via: 'deal.company', objectId: 'companies' }],
      measures: [count],
    },
    'joins[0].alias duplicate',
  ],
  [
    'a join along a text',
    { source: deals, joins: [{ alias: 'company', via: 'deal.name' }], measures: [count] },
    'joins[0].via not_a_reference',
  ],
  [
    'a join from nowhere',
    { source: deals, joins: [{ alias: 'company', via: 'other.company' }], measures: [count] },
    'joins[0].via unknown_alias',
  ],
  [
    'a backward join without its object',
    { source: deals, joins: [{ alias: 'person', via: 'person.company' }], measures: [count] },
    'joins[0].objectId required',
  ],
  [
    'a backward join to what is not there',
    {
      source: deals,
      joins: [{ alias: 'person', via: 'person.company', objectId: 'people' }],
      measures: [count],
    },
    'joins[0].to ambiguous',
  ],
  [
    'a backward join to one of two',
    {
      source: deals,
      joins: [
        company,
        { alias: 'partner', via: 'deal.partners' },
        { alias: 'person', via: 'person.company', objectId: 'people' },
      ],
      measures: [count],
    },
    'joins[2].to ambiguous',
  ],
  [
    'a fourth hop',
    {
      source: deals,
      joins: [
        company,
        { alias: 'b', via: 'company.parent' },
        { alias: 'c', via: 'b.parent' },
        { alias: 'd', via: 'c.parent' },
      ],
      measures: [count],
    },
    'joins[3].via too_far',
  ],
  ['a key twice', { source: deals, measures: [count, count] }, 'measures[1].key duplicate'],
  [
    'an unknown field',
    { source: deals, groupBy: [{ key: 'x', field: 'deal.nope' }] },
    'groupBy[0].field unknown_attribute',
  ],
  [
    'an unknown alias',
    { source: deals, groupBy: [{ key: 'x', field: 'nope.name' }] },
    'groupBy[0].field unknown_alias',
  ],
  [
    'a field of no form',
    { source: deals, groupBy: [{ key: 'x', field: 'name' }] },
    'groupBy[0].field invalid_field',
  ],
  [
    'groups of amounts',
    { source: deals, groupBy: [{ key: 'x', field: 'deal.amount' }] },
    'groupBy[0].field wrong_type',
  ],
  [
    'the number of an amount, which would be added across currencies',
    { source: deals, measures: [{ key: 'x', op: 'sum', field: 'deal.amount.amount' }] },
    'measures[0].field unknown_part',
  ],
  [
    'buckets of texts',
    { source: deals, groupBy: [{ key: 'x', field: 'deal.name', bucket: 'month', fill: true }] },
    'groupBy[0].bucket wrong_type',
  ],
  [
    'a time zone that is none',
    { source: deals, groupBy: [{ key: 'x', field: 'deal.created_at', timezone: 'Mars/Olympus' }] },
    'groupBy[0].timezone invalid_time_zone',
  ],
  [
    'a sum of texts',
    { source: deals, measures: [{ key: 'x', op: 'sum', field: 'deal.name' }] },
    'measures[0].field wrong_type',
  ],
  ['a sum of nothing', { source: deals, measures: [{ key: 'x', op: 'sum' }] }, 'measures[0].field required'],
  [
    'different lists',
    { source: deals, measures: [{ key: 'x', op: 'countDistinct', field: 'deal.tags' }] },
    'measures[0].field wrong_type',
  ],
  ['an unknown sort', { source: deals, measures: [count], sort: [{ key: 'x' }] }, 'sort[0].key unknown_key'],
  [
    'an unknown axis',
    { source: deals, measures: [count], chart: { type: 'bar', x: 'x' } },
    'chart.x unknown_key',
  ],
  [
    'having with an unknown measure',
    { source: deals, measures: [count], having: { key: 'x', operator: 'equals', value: 1 } },
    'having.key unknown_key',
  ],
  [
    'having with a text',
    { source: deals, measures: [count], having: { key: 'deals', operator: 'equals', value: 'x' } },
    'having.value wrong_operand',
  ],
  ['an unknown operator', filtering(leaf('deal.name', 'like', 'x')), 'filters.operator unknown_operator'],
  [
    'an operator of other types',
    filtering(leaf('deal.stage', 'greaterThan', 'x')),
    'filters.operator operator_not_defined',
  ],
  [
    'an invalid operand',
    filtering({ or: [leaf('deal.size', 'equals', 'x')] }),
    'filters.or[0].value wrong_operand',
  ],
  [
    'relative days for a text',
    filtering(leaf('deal.name', 'equals', { relative: 'today' })),
    'filters.value wrong_operand',
  ],
  [
    'unknown relative days',
    filtering(leaf('deal.closed', 'equals', { relative: 'last_eon' })),
    'filters.value wrong_operand',
  ],
  [
    'a path to nothing',
    filtering(leaf('deal.company.nope', 'equals', 'x')),
    'filters.field unknown_attribute',
  ],
  [
    'a part that the end of a path lacks',
    filtering(leaf('deal.company.address.town', 'equals', 'x')),
    'filters.field unknown_part',
  ],
  [
    'a path along three references',
    filtering(leaf('deal.company.parent.parent.name', 'equals', 'x')),
    'filters.field too_deep',
  ],
  [
    'an operator that the end of a path lacks',
    filtering({ or: [leaf('deal.company.name', 'greaterThan', 'x')] }),
    'filters.or[0].operator operator_not_defined',
  ],
  [
    'an operand that the end of a path does not take',
    filtering(leaf('deal.company.created_at', 'equals', 'x')),
    'filters.value wrong_operand',
  ],
  [
    'groups along a reference',
    { source: deals, groupBy: [{ key: 'x', field: 'deal.company.name' }] },
    'groupBy[0].field unknown_part',
  ],
  [
    'columns along two references',
    { source: deals, columns: [{ key: 'x', field: 'deal.company.parent.name' }] },
    'columns[0].field unknown_part',
  ],
  ['a tree too deep', filtering(deep(6)), 'filters.and[0].and[0].and[0].and[0].and[0].and[0] too_deep'],
  ['an empty group', filtering({ and: [] }), 'filters.and invalid_group'],
]

describe('a problem is reported with its path', () => {
  test.each(WRONG)('%s', (_, definition, expected) => {
    expect(problemsOf(definition)).toContain(expected)
  })

  test('a tree of depth 5 has no problem', () => {
    expect(problemsOf(filtering(deep(5)))).toEqual([])
  })
})

/** Marks texts of a definition, so that the test finds them in the SQL. */
const MARK = 'zqx'
const mark = fc
  .string({ unit: fc.constantFrom('a', '_', "'", '"', ';', '$', '\\', '-', ' ', '.'), maxLength: 8 })
  .map((text) => `${MARK}${text}${MARK}`)
/** Mostly valid values, so that there is SQL to check; sometimes a marked text. */
const orMark = <Value>(...values: Value[]) =>
  fc.oneof({ weight: 30, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: mark })
const few = <Value>(one: fc.Arbitrary<Value>) => fc.array(one, { minLength: 1, maxLength: 2 })
const keyed = <Value extends object>(letter: string, list: fc.Arbitrary<Value[]>) =>
  list.map((values) => values.map((value, index) => ({ key: `${MARK}${letter}${index}`, ...value })))

const groupField = orMark(
  ...['name', 'size', 'stage', 'closed', 'tags', 'company', 'id', 'amount.currency'].map(
    (field) => `zqxdeal.${field}`,
  ),
  'zqxcompany.address.city',
)
const dateField = orMark('zqxdeal.closed', 'zqxdeal.created_at', 'zqxcompany.updated_at')
const treeOf = (leafOf: fc.Arbitrary<Record<string, unknown>>) =>
  fc.oneof(leafOf, fc.record({ and: few(leafOf) }), fc.record({ or: few(leafOf) }))
const filterLeaf = fc.oneof(
  fc.record({ field: groupField, operator: orMark('isEmpty', 'isNotEmpty'), value: orMark('true') }),
  fc.record({
    field: fc.constantFrom(
      ...['zqxdeal.name', 'zqxdeal.stage', 'zqxcompany.address', 'zqxcompany.name'],
      ...['zqxdeal.company.name', 'zqxdeal.partners.parent.address.city'],
    ),
    operator: orMark('equals', 'notEquals', 'contains', 'startsWith', 'endsWith'),
    value: mark,
  }),
  fc.record({ field: fc.constant('zqxdeal.name'), operator: fc.constant('in'), value: few(mark) }),
  fc.record({
    field: dateField,
    operator: fc.constantFrom('equals', 'lessThan'),
    value: fc.record({ relative: orMark(...RELATIVE_DATES) }),
  }),
)
const measure = fc.oneof(
  fc.record({
    op: fc.constantFrom('count' as const, 'countEmpty' as const, 'countNotEmpty' as const),
    field: groupField,
    label: mark,
  }),
  fc.record({
    op: fc.constantFrom(...MEASURE_OPS),
    field: orMark('zqxdeal.amount', 'zqxdeal.size'),
    label: mark,
  }),
)
const grouped = fc.record(
  {
    groupBy: keyed(
      'g',
      few(
        fc.oneof(
          fc.record({ field: groupField, label: mark }),
          fc.record({
            field: dateField,
            bucket: fc.constantFrom(...DATE_BUCKETS),
            timezone: orMark('Europe/Berlin'),
            fill: fc.boolean(),
            label: mark,
          }),
        ),
      ),
    ),
    measures: keyed('m', few(measure)),
    having: treeOf(
      fc.record({
        key: orMark('zqxm0'),
        operator: orMark(...HAVING_OPERATORS.filter((one) => !one.startsWith('is') && one !== 'between')),
        value: orMark<unknown>(1, '2.5'),
      }),
    ),
    sort: few(
      fc.record({ key: orMark('zqxg0', 'zqxm0'), order: fc.constantFrom('asc' as const, 'desc' as const) }),
    ),
    chart: fc.record({
      type: fc.constant('bar' as const),
      x: orMark('zqxg0'),
      y: few(orMark('zqxm0')),
      series: orMark('zqxg0'),
    }),
  },
  { requiredKeys: ['groupBy', 'measures'] },
)
const listed = fc.record({ columns: keyed('x', few(fc.record({ field: groupField, label: mark }))) })

const hostile = fc
  .tuple(
    fc.record(
      {
        source: fc.record({ objectId: orMark('deals'), alias: fc.constant('zqxdeal') }),
        joins: fc.constantFrom<NonNullable<Definition['joins']>[]>(
          [{ alias: 'zqxcompany', via: 'zqxdeal.company' }],
          [
            { alias: 'zqxcompany', via: 'zqxdeal.partners', type: 'inner' },
            { alias: 'zqxperson', via: 'zqxperson.company', objectId: 'people', to: 'zqxcompany' },
          ],
        ),
        filters: treeOf(filterLeaf),
        description: mark,
        limit: fc.integer({ min: 1, max: 10_000 }),
      },
      { requiredKeys: ['source', 'joins'] },
    ),
    fc.oneof(grouped, listed),
  )
  .map(([one, other]) => ({ ...one, ...other }) as Definition)

describe('no text of a definition becomes SQL text', () => {
  test('for random contents of its fields', () => {
    let planned = 0
    fc.assert(
      fc.property(hostile, (definition) => {
        const result = plan(definition)
        if ('problems' in result) return
        planned++
        expect(result.plan.statement.text).not.toContain(MARK)
      }),
      { numRuns: cases(5000) },
    )
    expect(planned).toBeGreaterThan(cases(1000))
  })

  test('values, slugs, time zones and options are parameters', () => {
    const result = plan({
      source: deals,
      joins: [company],
      filters: {
        and: [leaf('deal.name', 'contains', 'zqxvalue'), leaf('company.address.city', 'in', ['zqxcity'])],
      },
      groupBy: [
        { key: 'zqxkey', field: 'deal.created_at', bucket: 'week', timezone: 'Europe/Berlin' },
        { key: 'stage', field: 'deal.stage' },
      ],
      measures: [{ key: 'zqxsum', op: 'sum', field: 'deal.amount', label: 'zqxlabel' }],
      having: { key: 'zqxsum', operator: 'greaterThan', value: '12.5' },
      sort: [{ key: 'zqxsum', order: 'desc' }],
    })
    if ('problems' in result) expect.fail(JSON.stringify(result.problems))
    const { text, values } = result.plan.statement
    expect(text).not.toMatch(/zqx|Berlin|amount'?::|'stage'|12\.5|Won/)
    expect(values).toEqual(
      expect.arrayContaining(['zqxvalue', 'zqxcity', 'Europe/Berlin', '12.5', 'amount', ['Lead', 'Won']]),
    )
  })
})
