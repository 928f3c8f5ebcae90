import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFINITION_BYTES_MAX } from '../../../contract/workflow-states.ts'
import type { StepType } from '../../../contract/workflow-steps.ts'
import type { WorkflowStep } from '../../../contract/workflows.ts'
import { cases } from '../../test/dose.ts'
import { step, workflow } from '../interpreter/run.fixture.ts'
import { branching, known, note, RIGHT } from './check.fixture.ts'
import { checkDefinition } from './definition.ts'
import { structureProblems } from './structure.ts'

describe('structureProblems', () => {
  const paths = (input: unknown) => structureProblems(input).map(({ path, code }) => `${path} ${code}`)
  const deep = (levels: number): WorkflowStep[] =>
    levels === 0 ? [] : [step('for_each', { items: [1], as: 'x', steps: deep(levels - 1) })]

  test.each<[string, unknown, string[]]>([
    ['null', null, [' type']],
    ['no steps', { trigger: 'manual' }, ['steps required']],
    ['an unknown trigger', { trigger: 'x', steps: [] }, ['trigger enum']],
    ['an unknown field', { ...workflow([]), foo: 1 }, ['foo unknown_field']],
    ['a wrong step', workflow([{ ...note('x'), type: 'x' as StepType }]), ['steps[0].type enum']],
    [
      'a wrong step inside',
      workflow([branching({ a: [{ ...note('x'), key: 'a b' }] })]),
      ['steps[0].config.branches[0].steps[0].key pattern'],
    ],
    ['no step', workflow([5 as unknown as WorkflowStep]), ['steps[0] type']],
    ['U+0000', workflow([note('a\0')]), ['steps[0].config.title invalid_text']],
    [
      'a half of a pair in a key',
      workflow([step('stop', { '\ud800': 1 })]),
      ['steps[0].config invalid_text'],
    ],
    ['too many steps', workflow(Array(201).fill(note('x'))), ['steps too_many_steps']],
    ['too much text', workflow([note('x'.repeat(DEFINITION_BYTES_MAX))]), [' too_large']],
  ])('rejects %s', (_, input, expected) => expect(paths(input)).toEqual(expected))

  test('rejects steps that are nested too deeply', () => {
    expect(paths(workflow(deep(8)))).toEqual([])
    expect(structureProblems(workflow(deep(9)))).toMatchObject([{ code: 'too_deep' }])
  })

  test('accepts an incomplete definition', () => {
    expect(paths(workflow([step('send_email', {}), step('branch', { branches: 5 })]))).toEqual([])
  })
})

const piece = fc.oneof(
  { depthSize: 'small' },
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    '{{trigger.data.email}}',
    '{{steps.a.x | upper}}',
    '{{',
    'people',
    'else',
    ...Object.keys(RIGHT),
  ),
)
/** Steps whose config has one value replaced or added. */
const odd = fc
  .tuple(fc.constantFrom(...Object.keys(RIGHT)), fc.string({ maxLength: 8 }), piece, fc.nat(10))
  .map(([type, other, value, at]) => {
    const config = RIGHT[type as StepType]
    const key = Object.keys(config)[at] ?? other
    return step(type as StepType, { ...config, [key]: value }, { key: `k${at}` })
  })

test('property: every problem of any definition has a message', () => {
  const inside = (steps: WorkflowStep[]) =>
    branching({ a: steps.map((one, index) => ({ ...one, key: `b${index}` })) })
  fc.assert(
    fc.property(fc.array(odd, { maxLength: 3 }), piece, (steps, value) => {
      expect(Array.isArray(structureProblems({ trigger: 'manual', steps: [...steps, value] }))).toBe(true)
      for (const problem of checkDefinition(workflow([...steps, inside(steps)]), known))
        expect(problem.message).not.toBe('')
    }),
    { numRuns: cases(2000) },
  )
})
