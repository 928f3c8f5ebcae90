// The workflow guide documents every trigger, step setting, function and limit.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { WORKFLOW_FUNCTIONS } from './workflow-functions.ts'
import {
  CHAIN_DEPTH_MAX,
  DEFINITION_DEPTH_MAX,
  DEFINITION_STEPS_MAX,
  HISTORY_DAYS,
  HISTORY_RUNS_MAX,
  LOOP_ITEMS_MAX,
  ORG_RUNNING_MAX,
  RUN_DAYS_MAX,
  RUN_STEPS_MAX,
  SECRETS_MAX,
  WORKFLOW_TRIGGERS,
  WORKFLOWS_MAX,
} from './workflow-states.ts'
import { STEP_CONTRACTS, STEP_TYPES } from './workflow-steps.ts'

const guide = readFileSync(new URL('../docs/guide/workflows.md', import.meta.url), 'utf8')
const rowOf = (name: string) => guide.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? ''
const escaped = (text: string) => text.replaceAll('|', '\\|')

test.each(STEP_TYPES)('documents all settings of %s', (type) => {
  for (const name of Object.keys(STEP_CONTRACTS[type].config.properties))
    expect(rowOf(type)).toContain(`\`${name}\``)
})

test.each(Object.entries(WORKFLOW_FUNCTIONS))(
  'documents the function %s',
  (name, { description, example, yields }) => {
    expect(rowOf(name)).toContain(escaped(description))
    expect(rowOf(name)).toContain(`\`${escaped(example)}\` → \`${escaped(JSON.stringify(yields))}\``)
  },
)

test.each(WORKFLOW_TRIGGERS)('documents the trigger %s', (name) => {
  expect(guide).toContain(`\`${name}\``)
})

test.each([
  [CHAIN_DEPTH_MAX, 'workflows that trigger each other'],
  [RUN_STEPS_MAX, 'executed steps'],
  [RUN_DAYS_MAX, 'executed steps'],
  [ORG_RUNNING_MAX, 'concurrent runs'],
  [DEFINITION_STEPS_MAX, 'steps in a definition'],
  [DEFINITION_DEPTH_MAX, 'steps in a definition'],
  [HISTORY_DAYS, 'history'],
  [HISTORY_RUNS_MAX, 'history'],
  [WORKFLOWS_MAX, 'workflows, secrets'],
  [SECRETS_MAX, 'workflows, secrets'],
  [LOOP_ITEMS_MAX, '`for_each`'],
])('documents the limit %i of "%s"', (limit, label) => {
  const row = guide.split('\n').find((line) => line.startsWith(`| ${label}`))
  expect(row).toMatch(new RegExp(`\\b${limit.toLocaleString('en')}\\b`))
})
