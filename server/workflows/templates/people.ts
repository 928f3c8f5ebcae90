// Workflow templates for people, companies and activities.
import type { WorkflowTemplate } from '../../../contract/workflow-dashboard.ts'

/** Domains of private mail providers, which do not identify an employer. */
const PRIVATE_MAIL = [
  'gmail.com',
  'googlemail.com',
  'outlook.com',
  'hotmail.com',
  'live.com',
  'icloud.com',
  'me.com',
  'yahoo.com',
  'gmx.de',
  'gmx.net',
  'web.de',
  'proton.me',
]

const linkTo = (key: string, company: string) => ({
  key,
  name: 'Set their company',
  type: 'update_record' as const,
  config: { object: 'people', recordId: '{{trigger.recordId}}', data: { company } },
})

const personToCompany: WorkflowTemplate = {
  id: 'person-to-company',
  name: 'Link people to companies by email address',
  description:
    'Links a new person to the company with the domain of their email address. Creates the company if there is none.',
  inputs: [],
  definition: {
    trigger: 'record/created',
    triggerConfig: {
      objectId: 'people',
      filter: {
        and: [
          { attributeSlug: 'email', operator: 'isNotEmpty', value: 'true' },
          { attributeSlug: 'company', operator: 'isEmpty', value: 'true' },
        ],
      },
    },
    // One run at a time: runs for two people of a new company would both create it.
    concurrency: { key: 'workflow', limit: 1 },
    steps: [
      {
        key: 'parts',
        name: 'Take the domain',
        type: 'set_variables',
        config: { variables: { domain: "{{trigger.data.email | lower | split '@' | last}}" } },
      },
      {
        key: 'isBusiness',
        name: 'Only company addresses',
        type: 'condition',
        config: { when: { left: '{{vars.domain}}', operator: 'notIn', right: PRIVATE_MAIL } },
      },
      {
        key: 'companies',
        name: 'Find the company',
        type: 'find_records',
        config: {
          object: 'companies',
          filter: { and: [{ attributeSlug: 'domain', operator: 'equals', value: '{{vars.domain}}' }] },
          limit: 1,
        },
      },
      {
        key: 'isKnown',
        name: 'Does it exist?',
        type: 'branch',
        config: {
          branches: [
            {
              name: 'known',
              when: { left: '{{steps.companies.count}}', operator: 'greaterThan', right: 0 },
              steps: [linkTo('linkKnown', '{{steps.companies.records[0].id}}')],
            },
          ],
          else: [
            {
              key: 'company',
              name: 'Create the company',
              type: 'create_record',
              config: { object: 'companies', data: { name: '{{vars.domain}}', domain: '{{vars.domain}}' } },
            },
            linkTo('linkNew', '{{steps.company.id}}'),
          ],
        },
      },
    ],
  },
}

const inboundLead: WorkflowTemplate = {
  id: 'inbound-lead',
  name: 'Capture leads from your website',
  description:
    'Your website runs it through the API. Creates or updates the person, and adds a deal and a note with their message.',
  inputs: [],
  definition: {
    trigger: 'manual',
    parameters: [
      { name: 'email', type: 'text', label: 'Email', required: true },
      { name: 'name', type: 'text', label: 'Name', required: true },
      { name: 'interest', type: 'text', label: 'Interested in', default: 'a call' },
      { name: 'message', type: 'text', label: 'Message' },
    ],
    steps: [
      {
        key: 'person',
        name: 'Create or update the person',
        type: 'upsert_record',
        config: {
          object: 'people',
          matchOn: 'email',
          data: { email: '{{trigger.parameters.email}}', name: '{{trigger.parameters.name}}' },
        },
      },
      {
        key: 'deal',
        name: 'Create a deal',
        type: 'create_record',
        config: {
          object: 'deals',
          data: {
            name: '{{trigger.parameters.name}}: {{trigger.parameters.interest}}',
            stage: 'Lead',
            contact: '{{steps.person.id}}',
          },
        },
      },
      {
        key: 'note',
        name: 'Save their message',
        type: 'create_activity',
        config: {
          title: 'Lead from the website',
          summary: "{{trigger.parameters.message | default 'No message.'}}",
          linkedRecords: [
            { objectId: 'people', recordId: '{{steps.person.id}}' },
            { objectId: 'deals', recordId: '{{steps.deal.id}}' },
          ],
        },
      },
    ],
  },
}

const enrichCompany: WorkflowTemplate = {
  id: 'enrich-company',
  name: 'Look up new companies',
  description: 'Sends the domain of a new company to a service of your choice and saves the response.',
  inputs: [
    {
      key: 'url',
      label: 'URL of the service',
      description: 'Called with ?domain=…; must return JSON with `employees`',
      kind: 'url',
    },
    {
      key: 'secret',
      label: 'Secret with its API key',
      description: 'Sent as Authorization: Bearer',
      kind: 'secret',
    },
  ],
  definition: {
    trigger: 'record/created',
    triggerConfig: {
      objectId: 'companies',
      filter: { and: [{ attributeSlug: 'domain', operator: 'isNotEmpty', value: 'true' }] },
    },
    steps: [
      {
        key: 'lookup',
        name: 'Call the service',
        type: 'http_request',
        config: {
          method: 'GET',
          url: '[[url]]?domain={{trigger.data.domain | urlencode}}',
          headers: { authorization: 'Bearer {{secrets.[[secret]]}}' },
        },
      },
      {
        key: 'isKnown',
        name: 'Only if it knows the company',
        type: 'condition',
        config: { when: { left: '{{steps.lookup.body.employees}}', operator: 'isNotEmpty' } },
      },
      {
        key: 'keep',
        name: 'Save the response',
        type: 'update_record',
        config: {
          object: 'companies',
          recordId: '{{trigger.recordId}}',
          data: { employees: '{{steps.lookup.body.employees}}' },
        },
      },
    ],
  },
}

const meetingFollowUp: WorkflowTemplate = {
  id: 'meeting-follow-up',
  name: 'Follow up after meetings',
  description: 'Creates a task to follow up when a meeting with a person is logged.',
  inputs: [{ key: 'days', label: 'Days until the task is due', kind: 'number', default: 2 }],
  definition: {
    trigger: 'activity/created',
    triggerConfig: { objectId: 'people' },
    steps: [
      {
        key: 'isMeeting',
        name: 'Only meetings',
        type: 'condition',
        config: { when: { left: '{{trigger.activity.type}}', operator: 'equals', right: 'meeting' } },
      },
      {
        key: 'each',
        name: 'For each linked record',
        type: 'for_each',
        config: {
          items: '{{trigger.activity.linkedRecords}}',
          as: 'link',
          steps: [
            {
              key: 'task',
              name: 'Add a task',
              type: 'create_activity',
              config: {
                type: 'task',
                title: 'Follow up: {{trigger.activity.title}}',
                activityDate: '{{now | addDays [[days]]}}',
                linkedRecords: [{ objectId: '{{link.objectId}}', recordId: '{{link.recordId}}' }],
              },
            },
          ],
        },
      },
    ],
  },
}

export const PEOPLE_TEMPLATES: readonly WorkflowTemplate[] = [
  personToCompany,
  inboundLead,
  enrichCompany,
  meetingFollowUp,
]
