// Report templates for deals.
import type { ReportTemplate } from '../../../contract/report-administration.ts'

const source = { objectId: 'deals', alias: 'deal' }
const company = { alias: 'company', via: 'deal.company' }
const won = { field: 'deal.stage', operator: 'equals', value: 'Won' }
const open = { field: 'deal.stage', operator: 'in', value: ['Lead', 'Qualified', 'Proposal'] }
const amount = { op: 'sum', field: 'deal.amount' } as const
const deals = { key: 'deals', op: 'count' } as const

export const DEAL_REPORTS: readonly ReportTemplate[] = [
  {
    key: 'pipeline',
    description: 'The number and value of deals in each stage',
    definition: {
      name: 'Pipeline by stage',
      source,
      groupBy: [{ key: 'stage', field: 'deal.stage' }],
      measures: [deals, { key: 'amount', ...amount }],
      chart: { type: 'bar', x: 'stage', y: ['deals'] },
    },
  },
  {
    key: 'won-by-month',
    description: 'The value of won deals per month, including months without any',
    definition: {
      name: 'Won by month',
      source,
      filters: won,
      groupBy: [{ key: 'month', field: 'deal.close_date', bucket: 'month', fill: true }],
      measures: [{ key: 'won', ...amount }, deals],
      chart: { type: 'bar', x: 'month', y: ['won'] },
    },
  },
  {
    key: 'best-customers',
    description: 'The twenty companies with the highest value of won deals',
    definition: {
      name: 'Best customers',
      source,
      filters: won,
      groupBy: [{ key: 'company', field: 'deal.company' }],
      measures: [{ key: 'won', ...amount }, deals],
      sort: [{ key: 'won', order: 'desc' }],
      limit: 20,
      chart: { type: 'bar', x: 'company', y: ['won'] },
    },
  },
  {
    key: 'won-and-lost',
    description: 'The share of closed deals that were won',
    definition: {
      name: 'Won and lost',
      source,
      filters: { field: 'deal.stage', operator: 'in', value: ['Won', 'Lost'] },
      groupBy: [{ key: 'stage', field: 'deal.stage' }],
      measures: [{ key: 'share', op: 'percentage' }, deals],
      chart: { type: 'donut', x: 'stage', y: ['share'] },
    },
  },
  {
    key: 'expected',
    description: 'Open deals by expected closing month, for the next 90 days',
    definition: {
      name: 'Expected to close',
      source,
      filters: {
        and: [open, { field: 'deal.close_date', operator: 'equals', value: { relative: 'next_90_days' } }],
      },
      groupBy: [
        { key: 'month', field: 'deal.close_date', bucket: 'month' },
        { key: 'stage', field: 'deal.stage' },
      ],
      measures: [{ key: 'amount', ...amount }, deals],
      chart: { type: 'stacked_bar', x: 'month', y: ['amount'], series: 'stage' },
    },
  },
  {
    key: 'deals-by-industry',
    description: 'The number and the size of deals in each industry',
    definition: {
      name: 'Deals by industry',
      source,
      joins: [company],
      groupBy: [{ key: 'industry', field: 'company.industry' }],
      measures: [
        deals,
        { key: 'average', op: 'avg', field: 'deal.amount' },
        { key: 'median', op: 'median', field: 'deal.amount' },
      ],
      sort: [{ key: 'deals', order: 'desc' }],
      chart: { type: 'bar', x: 'industry', y: ['average'] },
    },
  },
  {
    key: 'deals-without-contact',
    description: 'Open deals without a contact',
    definition: {
      name: 'Deals without a contact',
      source,
      filters: { and: [open, { field: 'deal.contact', operator: 'isEmpty', value: 'true' }] },
      columns: [
        { key: 'name', field: 'deal.name' },
        { key: 'company', field: 'deal.company' },
        { key: 'stage', field: 'deal.stage' },
        { key: 'amount', field: 'deal.amount' },
      ],
      sort: [{ key: 'stage', order: 'desc' }, { key: 'name' }],
      chart: { type: 'table' },
    },
  },
]
