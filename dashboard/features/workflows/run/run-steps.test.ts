import { describe, expect, it } from 'vitest'
import type { StepStatus } from '../../../../contract/workflow-states.ts'
import type { RunStep } from '../api/workflow-runs.ts'
import { durationWords, runDuration, startWords } from '../run-words.ts'
import { firstLook, itemsIn, nodePath, pathOf, stepState, trailOf } from './run-steps.ts'
import { recordsOf, subjectOf, truncatedText } from './step-records.ts'

const step = (path: string, status: StepStatus = 'completed'): RunStep => ({
  path,
  key: path,
  type: 'create_activity',
  status,
  attempts: 1,
  startedAt: '2026-11-20T10:00:00.000Z',
  durationMs: 1,
  resumeAt: null,
  input: {},
  output: {},
  error: null,
})

const loop = [
  step('steps[0]'),
  step('steps[1]', 'running'),
  step('steps[1].items[0].steps[0]'),
  step('steps[1].items[0].steps[1].items[0].steps[0]'),
  step('steps[1].items[10].steps[0]', 'running'),
  step('steps[1].items[2].steps[0]'),
  step('steps[1].items[2].steps[1].items[3].steps[0]', 'failed'),
]

describe('a run over its definition', () => {
  it('parses items from a path, and returns the path of the node', () => {
    expect(itemsIn('steps[1].items[2].steps[1].items[3].steps[0]')).toEqual({
      'steps[1]': 2,
      'steps[1].items[2].steps[1]': 3,
    })
    expect(nodePath('steps[1].items[2].steps[1].items[3].steps[0]')).toBe(
      'steps[1].items[*].steps[1].items[*].steps[0]',
    )
    expect(nodePath('steps[1].items[2]')).toBe('steps[1]')
    expect(nodePath('steps[0].big.steps[4]')).toBe('steps[0].big.steps[4]')
  })

  it('lists the items of a loop in order, each with its most important state', () => {
    expect(trailOf(loop).itemsOf('steps[1]')).toEqual([
      { index: 0, state: 'completed' },
      { index: 2, state: 'failed' },
      { index: 10, state: 'running' },
    ])
    expect(trailOf(loop).itemsOf('steps[0]')).toEqual([])
  })

  it('shows the chosen item, else the failed one, else the last', () => {
    const trail = trailOf(loop)
    const inner = 'steps[1].items[*].steps[1].items[*].steps[0]'
    expect(pathOf('steps[0]', trail, {})).toBe('steps[0]')
    expect(pathOf(inner, trail, {})).toBe('steps[1].items[2].steps[1].items[3].steps[0]')
    expect(pathOf(inner, trail, { 'steps[1]': 0 })).toBe('steps[1].items[0].steps[1].items[0].steps[0]')
    expect(pathOf('steps[1].items[*].steps[0]', trailOf(loop.slice(0, 5)), {})).toBe(
      'steps[1].items[10].steps[0]',
    )
    expect(pathOf('steps[1].items[*].steps[0]', trailOf([]), {})).toBe('steps[1].items[0].steps[0]')
  })

  it.each([
    [step('steps[0]', 'waiting'), 'waiting', 'waiting'],
    [step('steps[0]', 'running'), 'cancelled', 'missed'],
    [undefined, 'running', undefined],
    [undefined, 'failed', 'missed'],
    [step('steps[0]', 'skipped'), 'completed', 'skipped'],
  ] as const)('returns the state of a step: case %#', (line, status, state) => {
    expect(stepState(line, status)).toBe(state)
  })

  it('initially shows the failed or waiting step', () => {
    expect(firstLook({ steps: loop })).toBe('steps[1].items[2].steps[1].items[3].steps[0]')
    expect(firstLook({ steps: loop.slice(0, 3) })).toBeUndefined()
  })
})

describe('the records of a step', () => {
  const record = { id: 'r1', objectId: 'o1', data: {} }
  const ref = { objectId: 'o1', recordId: 'r1' }
  it.each([
    ['find_records', { count: 1, records: [record, null] }, [ref]],
    ['get_record', { found: true, record }, [ref]],
    ['get_record', { found: false, record: null }, []],
    ['upsert_record', record, [ref]],
    ['delete_record', { id: 'r1', deleted: true }, []],
    ['create_activity', { id: 'a', linkedRecords: [{ objectId: 'o1', recordId: 'r1' }] }, [ref]],
    ['http_request', { id: 'r1', objectId: 'o1' }, []],
    ['create_record', { truncated: true, text: '{"id":' }, []],
  ] as const)('are found in the output of %s', (type, output, refs) => {
    expect(recordsOf({ type, output })).toEqual(refs)
  })

  it('include the record of the trigger', () => {
    expect(subjectOf({ event: 'record/created', ...ref })).toEqual([ref])
    expect(subjectOf({ event: 'schedule' })).toEqual([])
  })

  it('are not found in truncated output, whose text is returned', () => {
    expect(truncatedText({ truncated: true, text: 'a' })).toBe('a')
    expect(truncatedText({ truncated: 'yes', text: 'a' })).toBeUndefined()
  })
})

it('describes the duration and the start of a run', () => {
  expect(
    runDuration({ startedAt: '2026-11-20T10:00:00.000Z', completedAt: '2026-11-20T10:03:05.000Z' }),
  ).toBe(185_000)
  expect(runDuration({ startedAt: null, completedAt: '2026-11-20T10:03:05.000Z' })).toBeUndefined()
  expect(durationWords(185_000)).toBe('3 minutes 5 seconds')
  expect(durationWords(1200)).toBe('1.2 s')
  expect([startWords('api'), startWords('record/updated'), startWords('x/y')]).toEqual([
    'API',
    'Record updated',
    'x/y',
  ])
})
