import { describe, expect, it, test } from 'vitest'
import type { Attribute } from '../../../../contract/attributes.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import type { ReportDefinition } from '../../../../contract/reports.ts'
import { REPORT_TEMPLATES } from '../../../../server/reports/templates/report-templates.ts'
import { definitionWords } from './definition-words.ts'
import { comparedRecords } from './filter-words.ts'
import { objectsOf, type ReportModel } from './named-objects.ts'

type Made = readonly [slug: string, name: string, type: Attribute['type'], target?: string]

function objectOf(slug: string, singularName: string, attributes: readonly Made[]): ObjectWithAttributes {
  const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' }
  return {
    ...{ id: `${slug} id`, slug, singularName, type: 'standard', isActive: true, ...times },
    pluralName: slug.slice(0, 1).toUpperCase() + slug.slice(1),
    attributes: attributes.map(([name, label, type, target], displayOrder) => ({
      ...{ id: `${slug} ${name}`, objectId: `${slug} id`, slug: name, name: label, type, displayOrder },
      ...{ isRequired: false, isUnique: false, isList: false, isActive: true, ...times },
      config: target === undefined ? null : { allowed_object_id: `${target} id` },
    })),
  } as ObjectWithAttributes
}

const OBJECTS = [
  objectOf('deals', 'Deal', [
    ['name', 'Name', 'text'],
    ['amount', 'Amount', 'currency'],
    ['stage', 'Stage', 'select'],
    ['close_date', 'Close date', 'date'],
    ['company', 'Company', 'reference', 'companies'],
    ['partner', 'Partner', 'reference', 'companies'],
    ['contact', 'Contact', 'reference', 'people'],
  ]),
  objectOf('companies', 'Company', [
    ['industry', 'Industry', 'select'],
    ['employees', 'Employees', 'number'],
    ['address', 'Address', 'address'],
  ]),
  objectOf('people', 'Person', [
    ['email', 'Email', 'email'],
    ['company', 'Company', 'reference', 'companies'],
  ]),
]

const model: ReportModel = new Map(
  OBJECTS.flatMap((object) => [
    [object.slug, object],
    [object.id, object],
  ]),
)

const said = (definition: Omit<ReportDefinition, 'name'>, known = model, names = new Map<string, string>()) =>
  definitionWords({ name: 'Test', ...definition }, known, names).map(
    ({ label, words }) => `${label} ${words}`,
  )

const source = { objectId: 'deals', alias: 'deal' }
const count = { key: 'n', op: 'count' } as const

const WORDS: Readonly<Record<string, readonly string[]>> = {
  pipeline: ['Show the number of deals and the sum of amount', 'By stage'],
  'won-by-month': [
    'Show the sum of amount and the number of deals',
    'Where stage is Won',
    'By closing month, including empty months',
  ],
  'best-customers': [
    'Show the sum of amount and the number of deals',
    'Where stage is Won',
    'By company; sorted by the sum of amount, descending; at most 20 rows',
  ],
  'won-and-lost': [
    'Show the share of deals and the number of deals',
    'Where stage is any of Won, Lost',
    'By stage',
  ],
  expected: [
    'Show the sum of amount and the number of deals',
    'Where stage is any of Lead, Qualified, Proposal and close date is in the next 90 days',
    'By closing month, then stage',
  ],
  'deals-by-industry': [
    'Show the number of deals, the average of amount, and the median of amount',
    'Joined with the company of each deal',
    'By company’s industry; sorted by the number of deals, descending',
  ],
  'deals-without-contact': [
    'Show name, company, stage, and amount of deals',
    'Where stage is any of Lead, Qualified, Proposal and contact is empty',
    'Sorted by stage, descending, then name',
  ],
  'companies-by-industry': [
    'Show the number of companies and the average of employees',
    'By industry; sorted by the number of companies, descending',
  ],
  'people-by-company': [
    'Show the number of people and the number of people with email',
    'Joined with the people whose company is the company, leaving out companies without any',
    'By company; sorted by the number of people, descending; at most 20 rows',
  ],
  'new-people': [
    'Show the number of people',
    'Where creation date is in the last 90 days',
    'By creation week, including empty weeks',
  ],
}

test.each(REPORT_TEMPLATES)('describes the template $key', ({ key, definition }) => {
  expect(said(definition)).toEqual(WORDS[key])
})

describe('sentences', () => {
  it('describe a definition with only a source', () => {
    expect(said({ source })).toEqual(['Show deals'])
  })

  it('use custom labels', () => {
    expect(
      said({
        source,
        groupBy: [{ key: 'm', field: 'deal.close_date', bucket: 'month', label: 'Closed' }],
        measures: [{ key: 'won', op: 'sum', field: 'deal.amount', label: 'Won' }],
        having: { key: 'won', operator: 'greaterThan', value: 100_000 },
        sort: [{ key: 'won', order: 'desc' }, { key: 'm' }],
      }),
    ).toEqual([
      'Show the sum of amount (“Won”) of deals',
      'By closing month (“Closed”); sorted by Won, descending, then Closed',
      'Only groups where Won is more than 100,000',
    ])
  })

  it('describe parts of values, records, time zones and dates', () => {
    expect(
      said({
        source,
        joins: [{ alias: 'c', via: 'deal.company' }],
        filters: {
          or: [
            { field: 'deal.close_date', operator: 'lessThan', value: '2026-02-01' },
            { field: 'deal.created_at', operator: 'equals', value: { relative: 'today' } },
            { field: 'deal.updated_at', operator: 'greaterThan', value: { relative: 'month_to_date' } },
            {
              and: [
                { field: 'c.address.postalCode', operator: 'isEmpty', value: 'true' },
                { field: 'deal.amount', operator: 'between', value: [1, 20_000] },
              ],
            },
          ],
        },
        groupBy: [
          { key: 'c', field: 'c.id' },
          { key: 'd', field: 'deal.created_at', bucket: 'day', timezone: 'America/New_York' },
        ],
        measures: [
          { key: 'first', op: 'min', field: 'deal.close_date' },
          { key: 'large', op: 'max', field: 'deal.amount' },
        ],
      }),
    ).toEqual([
      'Show the earliest close date and the largest amount of deals',
      'Joined with the company of each deal',
      'Where close date is before Feb 1, 2026 or creation date is today or last change is after this month so far or (postal code of company’s address is empty and amount is between 1 and 20,000)',
      'By company, then creation date in America/New York',
    ])
  })

  it.each([
    ['close_date', 'month', 'closing month'],
    ['close_date', 'day', 'close date'],
    ['updated_at', 'quarter', 'quarter of last change'],
  ] as const)('describe the group %s by %s as %s', (slug, bucket, words) => {
    const groupBy = [{ key: 'date', field: `deal.${slug}`, bucket, fill: true }]
    const by = said({ source, groupBy, measures: [count] })[1]
    expect(by).toBe(`By ${words}, including empty ${bucket}s`)
  })

  it('show the names of records', () => {
    const filters = { field: 'deal.company', operator: 'in', value: ['acme', 'missing'] }
    const words = said({ source, filters, measures: [count] }, model, new Map([['acme', 'Acme']]))
    expect(words[1]).toBe('Where company is any of Acme, a certain record')
    expect(comparedRecords({ and: [filters, { field: 'deal.name', operator: 'isEmpty' }] })).toEqual([
      { field: 'deal.company', recordId: 'acme' },
      { field: 'deal.company', recordId: 'missing' },
    ])
  })

  it('name attributes that filters read along references', () => {
    const leaf = (field: string, value: string) => ({ field, operator: 'equals', value })
    const filters = {
      and: [
        leaf('deal.company.industry', 'Media'),
        leaf('deal.contact.company.address.city', 'Rome'),
        leaf('deal.contact.company', 'acme'),
        leaf('deal.company.motto', 'x'),
      ],
    }
    const words = said({ source, filters, measures: [count] }, model, new Map([['acme', 'Acme']]))
    expect(words[1]).toBe(
      'Where company’s industry is Media and city of contact’s company’s address is Rome and contact’s company is Acme and company’s motto (deleted) is x',
    )
    const definition = { name: 'Test', source, filters, measures: [count] }
    expect(objectsOf(definition, model)).toEqual(['deals', 'companies id', 'people id'])
  })

  it('distinguish two joins with the same name', () => {
    const joins = [
      { alias: 'contact', via: 'deal.contact' },
      { alias: 'employer', via: 'contact.company' },
      { alias: 'customer', via: 'deal.company' },
    ]
    const groupBy = [
      { key: 'a', field: 'employer.industry' },
      { key: 'b', field: 'customer.industry' },
    ]
    expect(said({ source, joins, groupBy, measures: [count] })).toEqual([
      'Show the number of deals',
      'Joined with the contact of each deal; the company of each person; the company of each deal',
      'By employer’s industry, then customer’s industry',
    ])
  })

  it('mark deleted objects and attributes', () => {
    const words = said({
      source,
      joins: [
        { alias: 'owner', via: 'deal.account_owner' },
        { alias: 'order', objectId: 'orders', via: 'order.deal', type: 'inner' },
      ],
      filters: { field: 'deal.lead_source', operator: 'equals', value: 'Web' },
      groupBy: [{ key: 'r', field: 'owner.region' }],
      measures: [{ key: 'o', op: 'count', field: 'order.id' }],
    })
    expect(words).toEqual([
      'Show the number of orders (deleted)',
      'Joined with the account owner (deleted) of each deal; the orders (deleted) whose deal (deleted) is the deal, leaving out deals without any',
      'Where lead source (deleted) is Web',
      'By account owner’s region (deleted)',
    ])
    const id = '0198c0de-0000-7000-8000-000000000001'
    expect(said({ source: { objectId: id, alias: 'x' }, measures: [count] })).toEqual([
      'Show the number of records of a deleted object',
    ])
  })
})

test('finds further objects of a definition as the model grows', () => {
  const definition: ReportDefinition = {
    ...{ name: 'Test', source },
    joins: [
      { alias: 'contact', via: 'deal.contact' },
      { alias: 'employer', via: 'contact.company' },
    ],
  }
  expect(objectsOf(definition, new Map())).toEqual(['deals'])
  const known = new Map([...model].filter(([key]) => key === 'deals'))
  expect(objectsOf(definition, known)).toEqual(['deals', 'people id'])
  expect(objectsOf(definition, model)).toEqual(['deals', 'people id', 'companies id'])
})
