import { expect, test } from 'vitest'
import { plainFacts, plainText } from './plain-facts.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'

test.each([
  ['text', 'text'],
  [ID, ''],
  [true, 'Yes'],
  [12_345, '12,345'],
  [null, ''],
  [['vip', 'eu'], 'vip, eu'],
  [[{ id: ID }, { id: ID }], '2 items'],
  [{ amount: '90000', currency: 'EUR' }, '€90,000'],
  [{ firstName: 'Ada', lastName: 'Lovelace' }, 'Ada Lovelace'],
  [{ from: 'Lead', to: 'Won' }, 'Lead → Won'],
  [{ from: null, to: 'Won' }, 'empty → Won'],
  ['Say thanks to {{person.data.name}}', 'Say thanks to “person’s name”'],
  [{ and: [{ attributeSlug: 'stage', operator: 'equals', value: 'Won' }] }, 'stage is Won'],
])('describes %j as “%s”', (value, text) => {
  expect(plainText(value)).toBe(text)
})

test('lists the input of a run without ids', () => {
  const input = {
    ...{ event: 'record/updated', recordId: ID, objectId: ID, parameters: { reason: 'Asked' } },
    data: { name: 'Acme', stage: 'Won', company: ID, tags: [] },
    changes: { stage: { from: 'Lead', to: 'Won' } },
  }
  expect(plainFacts(input)).toEqual([
    { name: 'Reason', value: 'Asked' },
    { name: 'Name', value: 'Acme' },
    { name: 'Stage', value: 'Won' },
    { name: 'Changes › Stage', value: 'Lead → Won' },
  ])
})

test('lists a response with the path of each value', () => {
  const output = { status: 204, headers: { 'content-type': 'text/plain' }, body: { order: { number: 7 } } }
  expect(plainFacts(output)).toEqual([
    { name: 'Status', value: '204' },
    { name: 'Headers › Content-type', value: 'text/plain' },
    { name: 'Body › Order › Number', value: '7' },
  ])
})

test('gives a single value a name', () => {
  expect(plainFacts('Over')).toEqual([{ name: 'Value', value: 'Over' }])
  expect(plainFacts(ID)).toEqual([])
})
