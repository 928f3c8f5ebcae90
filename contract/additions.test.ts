// In the API document, exactly the fields that the specification's tables do not have are marked with (+).
import { expect, test } from 'vitest'
import { Activity } from './activities.ts'
import { select } from './attribute-types/select.ts'
import { ATTRIBUTE_TYPES } from './attribute-types.ts'
import { Attribute, AttributeType } from './attributes.ts'
import { Member } from './members.ts'
import { CrmObject } from './objects.ts'
import { CrmRecord, ReadRecord } from './records.ts'
import { Report, ReportRun } from './reports.ts'
import { RunStarted, Workflow, WorkflowRun } from './workflows.ts'

/** The specification's section "Resources and their fields". */
const SPECIFIED: readonly [string, { properties: object }, string][] = [
  ['Object', CrmObject, 'id type pluralName singularName description slug isActive createdAt updatedAt'],
  [
    'Attribute',
    Attribute,
    'id objectId name slug type isRequired isUnique isList isActive displayOrder config createdAt updatedAt',
  ],
  ['select config', select.config.schema, 'options'],
  ['Record', CrmRecord, 'id objectId data createdAt updatedAt'],
  ['Record that is read', ReadRecord, 'id objectId data createdAt updatedAt'],
  [
    'Activity',
    Activity,
    'id title summary activityDate linkedRecords participants createdBy createdAt updatedAt',
  ],
  ['Member', Member, 'id role createdAt user'],
  ['Report', Report, 'id name description lastRunAt createdAt creator'],
  ['Report run', ReportRun, 'id status resultCount startedAt completedAt'],
  ['Workflow', Workflow, 'id name description trigger enabled createdAt object createdBy'],
  ['Workflow run', WorkflowRun, 'id status title triggerEvent error startedAt completedAt createdAt'],
  ['started run', RunStarted, 'message workflowId workflowName'],
]

test.each(SPECIFIED)('%s marks the fields beyond the specification', (_, { properties }, specified) => {
  const fields: [string, { description?: string }][] = Object.entries(properties)
  const added = fields.filter(([, { description = '' }]) => description.startsWith('(+) '))
  const others = fields.map(([name]) => name).filter((name) => !specified.split(' ').includes(name))
  expect(added.map(([name]) => name)).toEqual(others)
})

test('attribute types beyond the specification are marked', () => {
  const { description = '' } = AttributeType as { description?: string }
  const added = [...description.matchAll(/\(\+\) (\w+):/g)].map(([, name]) => name)
  const specified =
    'text email number phone_number checkbox name address currency date select list reference'.split(' ')
  expect(added).toEqual(ATTRIBUTE_TYPES.filter((type) => !specified.includes(type)))
})
