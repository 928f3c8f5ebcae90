import { describe, expect, test } from 'vitest'
import type { WorkflowDefinition, WorkflowStep } from '../../../../contract/workflows.ts'
import { difference, isSame } from './difference.ts'
import { changeField, changeStep, insertStep, moveStep, removeStep, renameKey } from './edits.ts'

const note = (key: string): WorkflowStep => ({ key, type: 'create_activity', config: { title: key } })
const BEFORE: WorkflowDefinition = {
  trigger: 'record/created',
  triggerConfig: { objectId: 'deals' },
  steps: [
    note('a'),
    note('b'),
    {
      key: 'way',
      type: 'branch',
      config: {
        branches: [{ name: 'big', when: { left: '1', operator: 'equals', right: '1' }, steps: [note('c')] }],
        else: [note('d')],
      },
    },
    note('e'),
  ],
}

/** `changed c: title; moved a` */
function told(after: WorkflowDefinition): string {
  const { whole, steps } = difference(BEFORE, after)
  const fields = (list: readonly { field: string }[]) => list.map(({ field }) => field).join(', ')
  const lines = steps.map(({ kind, step, isMoved, fields: own }) =>
    [`${isMoved ? 'moved' : kind} ${step.key}`, ...(own.length > 0 ? [fields(own)] : [])].join(': '),
  )
  return [...(whole.length > 0 ? [fields(whole)] : []), ...lines].join('; ')
}

const BIG = 'steps[2].config.branches[0].steps'

describe('difference', () => {
  test.each<[string, WorkflowDefinition, string]>([
    ['no change', structuredClone(BEFORE), ''],
    ['a changed field', changeField(BEFORE, 'steps[0]', 'title', 'x').definition, 'changed a: title'],
    [
      'a changed name and error handling',
      changeStep(BEFORE, 'steps[0]', { name: 'A', onError: 'continue' }).definition,
      'changed a: name, onError',
    ],
    [
      'a changed condition, without the steps of its branch',
      changeField(BEFORE, 'steps[2]', 'branches[0].when.right', '2').definition,
      'changed way: branches[0].when.right',
    ],
    ['a changed inner step', changeField(BEFORE, `${BIG}[0]`, 'title', 'x').definition, 'changed c: title'],
    ['a new step', insertStep(BEFORE, { list: 'steps', index: 0 }, 'delay').definition, 'added wait'],
    ['a removed branch', removeStep(BEFORE, 'steps[2]').definition, 'removed way; removed c; removed d'],
    ['a moved step', moveStep(BEFORE, 'steps[0]', { list: 'steps', index: 4 }).definition, 'moved a'],
    [
      'a step moved to another list',
      moveStep(BEFORE, 'steps[3]', { list: BIG, index: 0 }).definition,
      'moved e',
    ],
    [
      'a step moved to another branch',
      moveStep(BEFORE, `${BIG}[0]`, { list: 'steps[2].config.else', index: 0 }).definition,
      'moved c',
    ],
    ['a renamed key', renameKey(BEFORE, 'steps[0]', 'first').definition, 'added first; removed a'],
    [
      'a changed trigger',
      { ...BEFORE, trigger: 'record/updated', triggerConfig: { objectId: 'deals', watch: ['stage'] } },
      'trigger, triggerConfig.watch',
    ],
  ])('describes %s', (_, after, expected) => {
    expect(told(after)).toBe(expected)
    expect(isSame(difference(BEFORE, after))).toBe(expected === '')
  })

  test('contains the values before and after', () => {
    const after = changeField(BEFORE, 'steps[0]', 'title', 'x').definition
    expect(difference(BEFORE, after).steps[0]?.fields).toEqual([{ field: 'title', before: 'a', after: 'x' }])
  })
})
