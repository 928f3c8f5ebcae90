// Workflow templates for deals.
import type { WorkflowTemplate } from '../../../contract/workflow-dashboard.ts'

const ENDPOINT = {
  key: 'endpoint',
  label: 'Webhook endpoint',
  description: 'One of the webhook endpoints in the settings',
  kind: 'endpoint',
} as const
const EMAIL = { key: 'email', label: 'Send to', description: 'An email address', kind: 'email' } as const
const amount = (fallback: number) =>
  ({
    key: 'amount',
    label: 'Minimum amount',
    description: 'Compared with the amount of the deal, in any currency',
    kind: 'number',
    default: fallback,
  }) as const

const theDeal = [{ objectId: 'deals', recordId: '{{trigger.recordId}}' }]
const isAtLeastAmount = { attributeSlug: 'amount', operator: 'greaterThanOrEqual', value: '[[amount]]' }
const isStage = (stage: string) => ({ attributeSlug: 'stage', operator: 'equals', value: stage })

const newBigDeal: WorkflowTemplate = {
  id: 'new-big-deal',
  name: 'Announce new large deals',
  description:
    'When a large deal is created, adds a note to the deal and sends a message to a webhook endpoint.',
  inputs: [amount(10_000), ENDPOINT],
  definition: {
    trigger: 'record/created',
    triggerConfig: { objectId: 'deals', filter: { and: [isAtLeastAmount] } },
    steps: [
      {
        key: 'note',
        name: 'Add a note to the deal',
        type: 'create_activity',
        config: {
          title: 'Large deal: {{trigger.data.name}}',
          summary: 'Created with {{trigger.data.amount | money}}.',
          linkedRecords: theDeal,
        },
      },
      {
        key: 'announce',
        name: 'Send the message',
        type: 'send_webhook',
        config: {
          endpointId: '[[endpoint]]',
          data: {
            dealId: '{{trigger.recordId}}',
            name: '{{trigger.data.name}}',
            amount: '{{trigger.data.amount}}',
            stage: '{{trigger.data.stage}}',
          },
        },
      },
    ],
  },
}

const bigDealAlert: WorkflowTemplate = {
  id: 'big-deal-alert',
  name: 'Alert when a deal grows large',
  description: 'Sends an email when the amount of a deal rises above a limit.',
  inputs: [amount(50_000), EMAIL],
  definition: {
    trigger: 'record/updated',
    triggerConfig: { objectId: 'deals', watch: ['amount'], filter: { and: [isAtLeastAmount] } },
    steps: [
      {
        key: 'alert',
        name: 'Send email',
        type: 'send_email',
        config: {
          to: '[[email]]',
          subject: '{{trigger.data.name}} is now at {{trigger.data.amount | money}}',
          text: [
            'The deal "{{trigger.data.name}}" was changed.',
            '',
            "Before: {{trigger.changes.amount.from | money | default 'no amount'}}",
            'Now: {{trigger.data.amount | money}}',
            "Stage: {{trigger.data.stage | default 'none'}}",
          ].join('\n'),
        },
      },
    ],
  },
}

const wonOnboarding: WorkflowTemplate = {
  id: 'won-onboarding',
  name: 'Onboard the contacts of a won deal',
  description: 'When a deal is won, creates a task to welcome each contact of its company.',
  inputs: [],
  definition: {
    trigger: 'record/updated',
    triggerConfig: { objectId: 'deals', watch: ['stage'], filter: { and: [isStage('Won')] } },
    steps: [
      {
        key: 'hasCompany',
        name: 'Only with a company',
        type: 'condition',
        config: { when: { left: '{{trigger.data.company}}', operator: 'isNotEmpty' } },
      },
      {
        key: 'contacts',
        name: 'Find its contacts',
        type: 'find_records',
        config: {
          object: 'people',
          filter: {
            and: [{ attributeSlug: 'company', operator: 'equals', value: '{{trigger.data.company}}' }],
          },
          limit: 100,
        },
      },
      {
        key: 'each',
        name: 'For each contact',
        type: 'for_each',
        config: {
          items: '{{steps.contacts.records}}',
          as: 'person',
          steps: [
            {
              key: 'welcome',
              name: 'Add a task',
              type: 'create_activity',
              config: {
                type: 'task',
                title: 'Welcome {{person.data.name}}',
                summary: 'New customer: {{trigger.data.name}} was won.',
                activityDate: '{{now | addDays 3}}',
                linkedRecords: [{ objectId: 'people', recordId: '{{person.id}}' }, ...theDeal],
              },
            },
          ],
        },
      },
    ],
  },
}

const lostDeal: WorkflowTemplate = {
  id: 'lost-deal',
  name: 'Follow up on lost deals',
  description: 'When a deal is lost, creates a task to ask again some weeks later.',
  inputs: [{ key: 'days', label: 'Days until the task is due', kind: 'number', default: 30 }],
  definition: {
    trigger: 'record/updated',
    triggerConfig: { objectId: 'deals', watch: ['stage'], filter: { and: [isStage('Lost')] } },
    steps: [
      {
        key: 'task',
        name: 'Add a task',
        type: 'create_activity',
        config: {
          type: 'task',
          title: 'Ask again: {{trigger.data.name}}',
          summary: 'It was lost on {{now | date "D MMMM YYYY"}}.',
          activityDate: '{{now | addDays [[days]]}}',
          linkedRecords: theDeal,
        },
      },
    ],
  },
}

const quietDeal: WorkflowTemplate = {
  id: 'quiet-deal',
  name: 'Remind about inactive deals',
  description:
    'Creates a task when an open deal has not changed for some days. Every change restarts the wait.',
  inputs: [
    {
      key: 'days',
      label: 'Days without a change',
      description: 'At most 29',
      kind: 'number',
      default: 14,
    },
  ],
  definition: {
    trigger: 'record/updated',
    triggerConfig: {
      objectId: 'deals',
      filter: { and: [{ attributeSlug: 'stage', operator: 'notIn', value: ['Won', 'Lost'] }] },
    },
    concurrency: { key: 'record', limit: 1, onConflict: 'restart' },
    steps: [
      { key: 'wait', name: 'Wait', type: 'delay', config: { until: '{{now | addDays [[days]]}}' } },
      {
        key: 'deal',
        name: 'Get the deal again',
        type: 'get_record',
        config: { object: 'deals', recordId: '{{trigger.recordId}}' },
      },
      {
        key: 'isThere',
        name: 'Only if it still exists',
        type: 'condition',
        config: { when: { left: '{{steps.deal.found}}', operator: 'isTrue' } },
      },
      {
        key: 'remind',
        name: 'Add a task',
        type: 'create_activity',
        config: {
          type: 'task',
          title: 'No activity: {{steps.deal.record.data.name}}',
          summary: "Stage: {{steps.deal.record.data.stage | default 'none'}}. Call, or close the deal.",
          linkedRecords: theDeal,
        },
      },
    ],
  },
}

const weeklyDeals: WorkflowTemplate = {
  id: 'weekly-deals',
  name: 'Send a weekly list of open deals',
  description: 'Every Monday at nine, sends the open deals by email, largest first.',
  inputs: [EMAIL],
  definition: {
    trigger: 'schedule',
    triggerConfig: { cron: '0 9 * * 1' },
    steps: [
      {
        key: 'deals',
        name: 'Find open deals',
        type: 'find_records',
        config: {
          object: 'deals',
          filter: { and: [{ attributeSlug: 'stage', operator: 'notIn', value: ['Won', 'Lost'] }] },
          sort: { field: 'amount', order: 'desc' },
          limit: 100,
        },
      },
      {
        key: 'mail',
        name: 'Send the list',
        type: 'send_email',
        config: {
          to: '[[email]]',
          subject: '{{steps.deals.count}} open deals on {{now | date "D MMMM YYYY"}}',
          text: [
            "Total: {{steps.deals.records | sum 'data.amount' | money | default 'in several currencies'}}",
            '',
            "{{steps.deals.records | pluck 'data.name' | join '\\n'}}",
          ].join('\n'),
        },
      },
    ],
  },
}

export const DEAL_TEMPLATES: readonly WorkflowTemplate[] = [
  newBigDeal,
  wonOnboarding,
  weeklyDeals,
  quietDeal,
  lostDeal,
  bigDealAlert,
]
