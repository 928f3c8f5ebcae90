import { describe, expect, test } from 'vitest'
import { RUN_VALUES_BYTES_MAX } from '../../../contract/workflow-states.ts'
import { step, TestRun, workflow } from './run.fixture.ts'
import type { Advance } from './state.ts'

const when = (left: unknown, operator: string, right: unknown) => ({ left, operator, right })

describe('the size of the values of a run', () => {
  const big = '{{trigger.parameters.big}}'
  const trigger = { parameters: { big: 'x'.repeat(1_000_000) } }
  const knownBytes = ({ state }: Advance) => JSON.stringify(state.values).length

  test('is limited for all steps together, not only for each', () => {
    const steps = Array.from({ length: 20 }, (_, nr) =>
      step('set_variables', { variables: { [`v${nr}`]: big } }, { key: `k${nr}` }),
    )
    const advanced = new TestRun(workflow(steps), { trigger }).go()
    expect(advanced.next).toMatchObject({
      kind: 'end',
      status: 'failed',
      failure: 'step_failed',
      error: expect.stringContaining(`more than ${RUN_VALUES_BYTES_MAX} bytes, the maximum`),
    })
    expect(knownBytes(advanced)).toBeLessThan(RUN_VALUES_BYTES_MAX)
  })

  test('does not grow with failed steps that are ignored', () => {
    const inner = [step('set_variables', { variables: { v: big } }, { key: 'v', onError: 'continue' })]
    const loop = (nr: number) =>
      step(
        'for_each',
        { items: [[big]], as: `item${nr}`, steps: inner.map((one) => ({ ...one, key: `v${nr}` })) },
        { key: `loop${nr}`, onError: 'continue' },
      )
    const advanced = new TestRun(workflow(Array.from({ length: 30 }, (_, nr) => loop(nr))), { trigger }).go()
    expect(advanced.next).toEqual({ kind: 'end', status: 'completed' })
    expect(knownBytes(advanced)).toBeLessThan(RUN_VALUES_BYTES_MAX)
  })
})

describe('the time of one call', () => {
  test('ends after the current step when it is used up, and the next call continues', () => {
    const steps = ['a', 'b', 'c'].map((key) => step('set_variables', { variables: { [key]: 1 } }, { key }))
    const run = new TestRun(workflow(steps), { hasTime: () => false })
    expect([run.go(), run.go(), run.go()].map(({ next, state }) => [next.kind, state.executed])).toEqual([
      ['pause', 1],
      ['pause', 2],
      ['end', 3],
    ])
  })

  test.each(["'a' | join trigger.parameters.list", "'a' | replace trigger.parameters.list 'x'"])(
    'is limited for {{%s}} with long values in many templates',
    (template) => {
      const parameters = { list: Array.from({ length: 50_000 }, (_, nr) => nr) }
      const text = `{{${template}}}`.repeat(2500)
      const { next } = new TestRun(workflow([step('stop', { message: text })]), {
        trigger: { parameters },
      }).go()
      expect(next).toMatchObject({
        status: 'failed',
        error: expect.stringContaining('process too much data'),
      })
    },
  )

  test('is limited for comparisons of two long lists', () => {
    const list = Array.from({ length: 15_000 }, (_, nr) => nr)
    const numbers = { parameters: { list, other: list.map((nr) => -1 - nr), text: 'x'.repeat(500_000) } }
    const compare = (operator: string, right: string) =>
      step('condition', { when: when('{{trigger.parameters.list}}', operator, right) })
    for (const one of [
      compare('notIn', '{{trigger.parameters.other}}'),
      compare('equals', '{{trigger.parameters.other}}'),
      compare('contains', '{{trigger.parameters.text}}'),
    ]) {
      const { next } = new TestRun(workflow([one]), { trigger: numbers }).go()
      expect(next).toMatchObject({
        status: 'failed',
        error: expect.stringContaining('compares too much data'),
      })
    }
    const short = { parameters: { list: list.slice(0, 1000), other: list.slice(0, 1000) } }
    expect(
      new TestRun(workflow([compare('in', '{{trigger.parameters.other}}')]), { trigger: short }).go().next,
    ).toEqual({
      kind: 'end',
      status: 'completed',
    })
  })
})
