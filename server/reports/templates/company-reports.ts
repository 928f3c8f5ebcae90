// Report templates for companies and people.
import type { ReportTemplate } from '../../../contract/report-administration.ts'

const source = { objectId: 'companies', alias: 'company' }

export const COMPANY_REPORTS: readonly ReportTemplate[] = [
  {
    key: 'companies-by-industry',
    description: 'How many companies there are in each industry, and how large they are',
    definition: {
      name: 'Companies by industry',
      source,
      groupBy: [{ key: 'industry', field: 'company.industry' }],
      measures: [
        { key: 'companies', op: 'count' },
        { key: 'employees', op: 'avg', field: 'company.employees' },
      ],
      sort: [{ key: 'companies', order: 'desc' }],
      chart: { type: 'pie', x: 'industry', y: ['companies'] },
    },
  },
  {
    key: 'people-by-company',
    description: 'The twenty companies with the most people, and how many of those have an email address',
    definition: {
      name: 'People by company',
      source,
      joins: [{ alias: 'person', objectId: 'people', via: 'person.company', type: 'inner' }],
      groupBy: [{ key: 'company', field: 'company.id' }],
      measures: [
        { key: 'people', op: 'count', field: 'person.id' },
        { key: 'reachable', op: 'countNotEmpty', field: 'person.email' },
      ],
      sort: [{ key: 'people', order: 'desc' }],
      limit: 20,
      chart: { type: 'bar', x: 'company', y: ['people', 'reachable'] },
    },
  },
  {
    key: 'new-people',
    description: 'People added in each week of the last 90 days',
    definition: {
      name: 'New people by week',
      source: { objectId: 'people', alias: 'person' },
      filters: { field: 'person.created_at', operator: 'equals', value: { relative: 'last_90_days' } },
      groupBy: [{ key: 'week', field: 'person.created_at', bucket: 'week', fill: true }],
      measures: [{ key: 'people', op: 'count' }],
      chart: { type: 'line', x: 'week', y: ['people'] },
    },
  },
]
