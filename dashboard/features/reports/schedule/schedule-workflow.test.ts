import { expect, test } from 'vitest'
import { BEGINNING } from '../../workflows/cron-presets.ts'
import { scheduleName, scheduleWorkflow } from './schedule-workflow.ts'

const report = { id: 'r', name: 'Won {{by}} month', url: 'https://crm.example/o/acme/reports/r' }
const schedule = { ...BEGINNING, time: '07:30' }

test('creates a workflow that runs the report on a schedule and sends the results', () => {
  const { trigger, triggerConfig, steps } = scheduleWorkflow(report, {
    ...{ schedule, timezone: 'Europe/Berlin', to: ['ada@example.com'] },
  })
  expect({ trigger, triggerConfig }).toEqual({
    trigger: 'schedule',
    triggerConfig: { cron: '30 7 * * 1', timezone: 'Europe/Berlin' },
  })
  expect(steps.map(({ key, type }) => [key, type])).toEqual([
    ['report', 'run_report'],
    ['mail', 'send_email'],
  ])
  expect(steps[1]?.config).toMatchObject({
    to: ['ada@example.com'],
    subject: 'Won { {by}} month, {{now | date "D MMMM YYYY"}}',
    text: expect.stringContaining(`${report.url}?run={{steps.report.runId}}`),
  })
})

test.each([
  ['{{x}}', '{ {x}}'],
  ['{{{x}}', '{ { {x}}'],
  ['{{{{x}}', '{ { { {x}}'],
  ['{x}', '{x}'],
])('escapes braces in the name %s', (name, text) => {
  const wanted = { schedule, timezone: undefined, to: ['ada@example.com'] }
  const { steps } = scheduleWorkflow({ ...report, name }, wanted)
  expect(steps[1]?.config['subject']).toBe(`${text}, {{now | date "D MMMM YYYY"}}`)
})

test('without addresses only runs the report, in the time zone of the organization', () => {
  const { triggerConfig, steps } = scheduleWorkflow(report, { schedule, timezone: undefined, to: [] })
  expect(triggerConfig).toEqual({ cron: '30 7 * * 1' })
  expect(steps).toHaveLength(1)
})

test('distributes many addresses over several steps', () => {
  const to = Array.from({ length: 21 }, (_, index) => `${index}@example.com`)
  const { steps } = scheduleWorkflow(report, { schedule, timezone: undefined, to })
  expect(steps.map(({ key }) => key)).toEqual(['report', 'mail', 'mail2', 'mail3'])
  expect(steps.flatMap(({ config }) => config['to'] ?? [])).toEqual(to)
})

test('names the workflow after the report and its times', () => {
  expect(scheduleName({ name: 'Pipeline' }, { schedule })).toBe('Pipeline, every Monday at 07:30')
  expect(scheduleName({ name: 'x'.repeat(300) }, { schedule })).toHaveLength(200)
})
