import { describe, expect, test } from 'vitest'
import type { WorkflowDefinition } from '../../../../contract/workflows.ts'
import { BEGINNING, cronOf, type Schedule, scheduleOf } from '../cron-presets.ts'
import { TRIGGER_GROUPS, withObject, withPart, withSetting, withTrigger } from './triggers.ts'

const WON: WorkflowDefinition = {
  trigger: 'record/updated',
  triggerConfig: {
    objectId: 'deals',
    watch: ['stage'],
    filter: { attributeSlug: 'stage', operator: 'equals', value: 'Won' },
  },
  allowReentry: true,
  steps: [],
}

describe('changing the trigger', () => {
  const { filter } = WON.triggerConfig ?? {}
  test.each([
    ['record/created', { triggerConfig: { objectId: 'deals', filter }, allowReentry: true }],
    ['activity/created', { triggerConfig: { objectId: 'deals' }, allowReentry: true }],
    ['manual', { triggerConfig: { objectId: 'deals' } }],
    ['schedule', { triggerConfig: { cron: '0 9 * * 1' } }],
  ] as const)('to %s keeps applicable settings', (trigger, rest) => {
    expect(withTrigger(WON, trigger)).toEqual({ trigger, steps: [], ...rest })
  })
})

test('changing the object removes settings with attributes of the old object', () => {
  expect(withObject(WON, 'people').triggerConfig).toEqual({ objectId: 'people' })
  expect(withObject(WON, undefined).triggerConfig).toBeUndefined()
})

test('removes empty settings', () => {
  expect(withSetting(WON, 'watch', undefined).triggerConfig).not.toHaveProperty('watch')
  expect(withPart(WON, 'parameters', [])).not.toHaveProperty('parameters')
  expect(withPart(WON, 'allowReentry', false)).not.toHaveProperty('allowReentry')
})

test('offers every trigger once', () => {
  expect(TRIGGER_GROUPS.flatMap(({ items }) => items)).toHaveLength(8)
})

describe('schedules', () => {
  const schedule = (part: Partial<Schedule>): Schedule => ({ ...BEGINNING, ...part })
  test.each([
    ['0 9 * * 1', schedule({})],
    ['30 17 * * 1,3,5', schedule({ time: '17:30', days: [1, 3, 5] })],
    ['0 9 * * 1-5', schedule({ every: 'weekday' })],
    ['15 6 * * *', schedule({ every: 'day', time: '06:15' })],
    ['20 * * * *', schedule({ every: 'hour', time: '00:20' })],
    ['0 0 31 * *', schedule({ every: 'month', time: '00:00', date: 31 })],
  ])('convert %s to a preset and back', (cron, words) => {
    expect(scheduleOf(cron)).toEqual(words)
    expect(cronOf(words)).toBe(cron)
  })

  test('accept names of days, and 7 for Sunday', () => {
    expect(scheduleOf('0 9 * * MON,sun,7')?.days).toEqual([0, 1])
  })

  test.each([
    '*/5 * * * *',
    '0 9 1 * 1',
    '0 9 * 1 *',
    '0 25 * * *',
    '60 9 * * *',
    '0 9 * * 8',
    '0 9 32 * *',
    '@daily',
    '0 0 9 * * 1',
    '',
  ])('have no preset for %s', (cron) => {
    expect(scheduleOf(cron)).toBeUndefined()
  })
})
