import { describe, expect, test } from 'vitest'
import { LOOP_ITEMS_MAX } from '../../../contract/workflow-states.ts'
import type { WorkflowStep } from '../../../contract/workflows.ts'
import { begin } from './advance.ts'
import { NOW, step, TestRun, workflow } from './run.fixture.ts'
import type { Advance } from './state.ts'

const note = (title: unknown, key = 'note') => step('create_activity', { title }, { key })
const when = (left: unknown, operator: string, right?: unknown) => ({
  left,
  operator,
  ...(right !== undefined && { right }),
})
const seconds = (count: number) => new Date(NOW.getTime() + count * 1000)

/** Performs every step until the run ends or waits. Returns the performed steps. */
function playOut(run: TestRun, output: (path: string) => unknown = () => ({})) {
  const performed: { path: string; input: Record<string, unknown> }[] = []
  let advanced: Advance = run.go()
  while (advanced.next.kind === 'perform') {
    const { path, input } = advanced.next
    performed.push({ path, input })
    advanced = run.succeed(output(path))
  }
  return { performed, next: advanced.next }
}
const titles = (played: ReturnType<typeof playOut>) => played.performed.map(({ input }) => input['title'])

describe('a list of steps', () => {
  test('completes the run when it is empty', () => {
    expect(new TestRun(workflow([])).go()).toEqual({
      state: { ...begin(), position: [] },
      writes: {},
      stepLog: [],
      next: { kind: 'end', status: 'completed' },
    })
  })

  test('performs each step with its templates filled in; later steps can read its output', () => {
    const run = new TestRun(
      workflow([note('{{trigger.data.name}}', 'first'), note('{{steps.first.id}}', 'second')]),
    )
    const first = run.go()
    expect(first.next).toMatchObject({
      kind: 'perform',
      path: 'steps[0]',
      input: { title: { firstName: 'Ada', lastName: 'Lovelace' } },
      attempt: 1,
    })
    expect(first.stepLog).toMatchObject([{ place: 0, path: 'steps[0]', status: 'running', attempts: 1 }])

    const second = run.succeed({ id: 'a1' })
    expect(second.writes).toEqual({ 'steps.first': { id: 'a1' } })
    expect(second.next).toMatchObject({ kind: 'perform', path: 'steps[1]', input: { title: 'a1' } })
    expect(second.stepLog).toMatchObject([
      { place: 0, key: 'first', status: 'completed', output: { id: 'a1' } },
      { place: 1, key: 'second', status: 'running' },
    ])
    expect(run.succeed({}).next).toEqual({ kind: 'end', status: 'completed' })
    expect(run.state).toMatchObject({ position: [], executed: 2 })
  })

  test('fails a step whose output is too long', () => {
    const run = new TestRun(workflow([note('x')]))
    run.go()
    expect(run.succeed({ text: 'x'.repeat(1024 * 1024) }).next).toMatchObject({
      status: 'failed',
      failure: 'step_failed',
    })
  })

  test('masks secrets, which only http_request can read', () => {
    const config = { url: 'https://x.org/{{secrets.KEY}}', body: { key: '{{secrets.KEY}}' } }
    const run = new TestRun(workflow([step('http_request', config), note('{{secrets.KEY}}')]))
    expect(run.go().next).toMatchObject({ input: { url: 'https://x.org/••••', body: { key: '••••' } } })
    expect(run.succeed({}).next).toMatchObject({ input: { title: null } })
  })
})

describe('condition', () => {
  const gate = (left: unknown) => step('condition', { when: when(left, 'isTrue') }, { key: 'gate' })

  test('continues the run when it is met', () => {
    expect(titles(playOut(new TestRun(workflow([gate(true), note('after')]))))).toEqual(['after'])
  })

  test('completes the run when it is not met', () => {
    const run = new TestRun(workflow([gate(false), note('after')]))
    const { next, stepLog, writes } = run.go()
    expect(next).toEqual({ kind: 'end', status: 'completed' })
    expect(stepLog).toMatchObject([{ key: 'gate', status: 'completed', output: { met: false } }])
    expect(writes).toEqual({ 'steps.gate': { met: false } })
  })

  test('continues with the next item when it is not met in a loop, also inside a branch', () => {
    const inBranch = step('branch', {
      branches: [{ name: 'all', when: when(1, 'equals', 1), steps: [gate('{{one.ok}}')] }],
    })
    const loop = step('for_each', {
      items: [{ ok: true }, { ok: false }, { ok: true }],
      as: 'one',
      steps: [inBranch, note('{{loop.number}} of {{loop.count}}')],
    })
    expect(titles(playOut(new TestRun(workflow([loop, note('end', 'end')]))))).toEqual([
      '1 of 3',
      '3 of 3',
      'end',
    ])
  })
})

describe('branch', () => {
  const branching = (value: unknown, rest: Record<string, unknown> = {}): WorkflowStep =>
    step('branch', {
      branches: [
        { name: 'big', when: when(value, 'greaterThan', 1000), steps: [note('big')] },
        { name: 'medium', when: when(value, 'greaterThan', 100), steps: [note('medium')] },
      ],
      ...rest,
    })

  test.each([
    [5000, 'big', 'steps[0].big.steps[0]'],
    [500, 'medium', 'steps[0].medium.steps[0]'],
    [5, 'else', 'steps[0].else.steps[0]'],
  ])('with %s takes %s, the first branch whose condition holds', (value, name, path) => {
    const run = new TestRun(workflow([branching(value, { else: [note('small')] }), note('after', 'after')]))
    const { performed } = playOut(run)
    expect(performed.map((one) => one.path)).toEqual([path, 'steps[1]'])
    expect(run.state.values['steps.branch']).toEqual({ branch: name })
  })

  test('is skipped when no condition holds and there is no else', () => {
    const run = new TestRun(workflow([branching(5), note('after', 'after')]))
    expect(titles(playOut(run))).toEqual(['after'])
    expect(run.state.values['steps.branch']).toEqual({ branch: null })
  })
})

describe('for_each', () => {
  const each = (items: unknown, steps: WorkflowStep[] = [note('{{one}}')], more = {}) =>
    step('for_each', { items, as: 'one', steps }, { key: 'each', ...more })

  test('executes its steps for each item in order, then continues after the loop', () => {
    const run = new TestRun(workflow([each('{{trigger.data.tags}}'), note('{{steps.each.count}}', 'end')]))
    const { performed } = playOut(run)
    expect(performed.map(({ path, input }) => [path, input['title']])).toEqual([
      ['steps[0].items[0].steps[0]', 'vip'],
      ['steps[0].items[1].steps[0]', 'eu'],
      ['steps[1]', 2],
    ])
    expect(run.state.values['items.each']).toEqual([])
  })

  test('inside another loop has its own items, and `loop` is the innermost loop', () => {
    const inner = step(
      'for_each',
      { items: '{{one}}', as: 'two', steps: [note('{{two}}{{loop.index}}')] },
      { key: 'inner' },
    )
    expect(titles(playOut(new TestRun(workflow([each([['a', 'b'], [], ['c']], [inner])]))))).toEqual([
      'a0',
      'b1',
      'c0',
    ])
  })

  test.each([[[]], [null], ['{{trigger.data.nothing}}']])('is skipped without items (%j)', (items) => {
    expect(titles(playOut(new TestRun(workflow([each(items), note('end', 'end')]))))).toEqual(['end'])
  })

  test('is skipped without steps', () => {
    expect(playOut(new TestRun(workflow([each([1, 2], [])]))).next).toMatchObject({ status: 'completed' })
  })

  test.each([
    ['a text', 'abc'],
    ['an object', { a: 1 }],
    ['too many', Array(LOOP_ITEMS_MAX + 1).fill(1)],
  ])('over %s fails', (_, items) => {
    expect(new TestRun(workflow([each(items)])).go().next).toMatchObject({
      status: 'failed',
      failure: 'step_failed',
    })
  })

  test('that fails with onError continue is skipped', () => {
    const run = new TestRun(workflow([each('abc', [], { onError: 'continue' }), note('end', 'end')]))
    expect(titles(playOut(run))).toEqual(['end'])
    expect(run.state.values['steps.each']).toEqual({ error: 'The items are not a list.' })
  })
})

describe('set_variables, stop and fail', () => {
  test('set_variables sets variables that later steps can read and change', () => {
    const set = (key: string, variables: Record<string, unknown>) =>
      step('set_variables', { variables }, { key })
    const run = new TestRun(
      workflow([set('a', { n: 1 }), set('b', { n: '{{vars.n | plus 1}}' }), note('{{vars.n}}')]),
    )
    const { next, writes } = run.go()
    expect(writes).toEqual({ 'vars.n': 2, 'steps.a': { n: 1 }, 'steps.b': { n: 2 } })
    expect(next).toMatchObject({ input: { title: 2 } })
  })

  test('stop completes the run, also inside a loop', () => {
    const stop = step('stop', { message: 'Enough {{one}}' })
    const loop = step('for_each', { items: [1, 2], as: 'one', steps: [stop] })
    const { next, stepLog } = new TestRun(workflow([loop, note('after')])).go()
    expect(next).toEqual({ kind: 'end', status: 'completed' })
    expect(stepLog.at(-1)).toMatchObject({ key: 'stop', output: { message: 'Enough 1' } })
  })

  test('fail ends the run as failed with its message, for any onError', () => {
    const failing = step('fail', { message: 'No {{trigger.event}}' }, { onError: 'continue' })
    const { next, stepLog } = new TestRun(workflow([failing])).go()
    expect(next).toEqual({
      kind: 'end',
      status: 'failed',
      failure: 'failed_by_step',
      error: 'No record/updated',
    })
    expect(stepLog).toMatchObject([{ status: 'failed', error: 'No record/updated' }])
  })
})

describe('a step that fails', () => {
  test('with a permanent error fails the run, whose position stays at the step', () => {
    const run = new TestRun(workflow([note('a', 'a'), note('b', 'b')]))
    run.go()
    run.succeed({})
    const { next, stepLog } = run.fail('broken')
    expect(next).toEqual({ kind: 'end', status: 'failed', failure: 'step_failed', error: 'b: broken' })
    expect(stepLog).toMatchObject([{ place: 1, status: 'failed', attempts: 1, error: 'broken' }])
    // As a retry of the run does.
    expect(run.go().next).toMatchObject({ kind: 'perform', path: 'steps[1]', attempt: 1 })
  })

  test('with a temporary error is retried after 5, 30 and 120 seconds, in the same history line', () => {
    const run = new TestRun(workflow([note('a')]))
    run.go()
    let at = 0
    for (const [index, pause] of [5, 30, 120].entries()) {
      const failed = run.fail('busy', true)
      at += pause
      expect(failed.next).toEqual({ kind: 'wait', until: seconds(at), reason: 'retry' })
      expect(failed.stepLog).toMatchObject([
        {
          place: 0,
          status: 'waiting',
          attempts: index + 1,
          resumeAt: seconds(at).toISOString(),
          error: 'busy',
        },
      ])
      expect(run.go()).toMatchObject({ next: { kind: 'wait', until: seconds(at) }, stepLog: [] })
      run.now = seconds(at)
      expect(run.go().next).toMatchObject({ kind: 'perform', attempt: index + 2 })
    }
    expect(run.fail('busy', true).next).toMatchObject({ status: 'failed', failure: 'step_failed' })
  })

  test('is not retried with retry.max 0; with retry.max 5, the last pause repeats', () => {
    const never = new TestRun(workflow([{ ...note('a'), retry: { max: 0 } }]))
    never.go()
    expect(never.fail('busy', true).next).toMatchObject({ kind: 'end' })

    const often = new TestRun(workflow([{ ...note('a'), retry: { max: 5 } }]))
    for (const pause of [5, 30, 120, 120, 120]) {
      often.go()
      expect(often.fail('busy', true).next).toMatchObject({
        until: new Date(often.now.getTime() + pause * 1000),
      })
      often.now = new Date(often.now.getTime() + pause * 1000)
    }
    often.go()
    expect(often.fail('busy', true).next).toMatchObject({ kind: 'end' })
  })

  test('does not affect the attempt count of the next step', () => {
    const run = new TestRun(workflow([note('a', 'a'), note('b', 'b')]))
    run.go()
    run.fail('busy', true)
    run.now = seconds(60)
    run.go()
    expect(run.succeed({}).next).toMatchObject({ path: 'steps[1]', attempt: 1 })
  })

  test('with onError continue shows its error to later steps', () => {
    const run = new TestRun(
      workflow([{ ...note('a', 'a'), onError: 'continue' }, note('{{steps.a.error}}', 'b')]),
    )
    run.go()
    expect(run.fail('broken').next).toMatchObject({ kind: 'perform', input: { title: 'broken' } })
  })

  test('has an error that is truncated and can be stored', () => {
    const run = new TestRun(workflow([note('a')]))
    run.go()
    const { stepLog } = run.fail(`\0${'x'.repeat(3000)}`)
    expect(stepLog[0]?.error).toBe('x'.repeat(1999))
  })

  test('fails when its templates produce too much text', () => {
    const long = 'x'.repeat(600_000)
    const run = new TestRun(
      workflow([step('set_variables', { variables: { long } }), note('{{vars.long}}{{vars.long}}')]),
    )
    expect(run.go().next).toMatchObject({ status: 'failed', failure: 'step_failed' })
  })
})

describe('limits', () => {
  test('a run fails at the step after the maximum number of steps', () => {
    const loop = step('for_each', { items: [1, 2, 3, 4], as: 'one', steps: [note('a')] })
    const run = new TestRun(workflow([loop]), { stepsMax: 3 })
    const { performed, next } = playOut(run)
    expect(performed).toHaveLength(2)
    expect(next).toMatchObject({ status: 'failed', failure: 'too_many_steps' })
    expect(playOut(new TestRun(workflow([loop]), { stepsMax: 5 })).next).toMatchObject({
      status: 'completed',
    })
  })

  test('a run pauses after the maximum number of steps at a time, and continues', () => {
    const set = step('set_variables', { variables: { last: '{{one}}' } })
    const loop = step('for_each', { items: [1, 2, 3], as: 'one', steps: [set] })
    const run = new TestRun(workflow([loop, note('{{vars.last}}')]), { stepsAtOnce: 2 })
    expect(run.go().next).toEqual({ kind: 'pause' })
    expect(run.go().stepLog).toHaveLength(2)
    expect(run.go().next).toMatchObject({ kind: 'perform', input: { title: 3 } })
    expect(run.succeed({}).next).toMatchObject({ status: 'completed' })
  })

  test('a run older than 30 days fails before the next step', () => {
    const run = new TestRun(workflow([note('a')]))
    run.now = seconds(30 * 86_400 + 1)
    expect(run.go().next).toMatchObject({ status: 'failed', failure: 'too_old' })
  })

  test('a run older than 30 days ends its waiting step as failed', () => {
    const run = new TestRun(workflow([step('delay', { seconds: 30 * 86_400 })]))
    run.go()
    run.now = seconds(30 * 86_400 + 1)
    expect(run.go().stepLog).toMatchObject([{ place: 0, key: 'delay', status: 'failed' }])
  })
})

describe('delay', () => {
  test('waits, returns the same time until it is reached, and then continues', () => {
    const run = new TestRun(workflow([step('delay', { seconds: 60 }), note('after')]))
    const first = run.go()
    expect(first.next).toEqual({ kind: 'wait', until: seconds(60), reason: 'delay' })
    expect(first.stepLog).toMatchObject([{ status: 'waiting', resumeAt: seconds(60).toISOString() }])
    run.now = seconds(59)
    expect(run.go().next).toEqual({ kind: 'wait', until: seconds(60), reason: 'delay' })
    run.now = seconds(60)
    const woken = run.go()
    expect(woken.next).toMatchObject({ kind: 'perform', path: 'steps[1]' })
    expect(woken.stepLog[0]).toMatchObject({
      place: 0,
      status: 'completed',
      output: { until: seconds(60).toISOString() },
    })
    expect(woken.state.wakeAt).toBeNull()
  })

  test('of 0 seconds continues the run immediately', () => {
    expect(new TestRun(workflow([step('delay', { seconds: 0 }), note('a')])).go().next.kind).toBe('perform')
  })
})
