import { expect, test } from 'vitest'
import { fillTemplate } from './workflow-templates.ts'
import type { WorkflowDefinition } from './workflows.ts'

const withConfig = (config: Record<string, unknown>): WorkflowDefinition => ({
  trigger: 'manual',
  steps: [{ key: 'a', type: 'stop', config }],
})

test.each([
  ['the whole text keeps the type', '[[days]]', 3],
  ['several inside a text', 'in [[days]] days for [[who]]', 'in 3 days for Ada'],
  ['inside a template', '{{now | addDays [[days]]}}', '{{now | addDays 3}}'],
  ['one without a value', '[[open]] and [[who]]', '[[open]] and Ada'],
  ['only one without a value', '[[open]]', '[[open]]'],
  ['what is none', '[who] [[Who]] {{who}}', '[who] [[Who]] {{who}}'],
  ['what is inherited', '[[constructor]] [[toString]]', '[[constructor]] [[toString]]'],
  ['in lists and objects', [{ to: ['[[who]]'], n: 1, no: null }], [{ to: ['Ada'], n: 1, no: null }]],
])('fills placeholders: %s', (_, value, filled) => {
  expect(fillTemplate(withConfig({ value }), { days: 3, who: 'Ada' })).toEqual(withConfig({ value: filled }))
})

test('does not change the template', () => {
  const template = withConfig({ value: '[[days]]' })
  fillTemplate(template, { days: 3 })
  expect(template).toEqual(withConfig({ value: '[[days]]' }))
})
