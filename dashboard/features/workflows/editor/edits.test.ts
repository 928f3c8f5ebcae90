import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { WorkflowDefinition, WorkflowStep } from '../../../../contract/workflows.ts'
import { begin, commit, type History, redo, undo } from '../../../shared/editing/history.ts'
import {
  changeField,
  changeStep,
  type Direction,
  duplicateStep,
  type Edited,
  insertStep,
  isFreeKey,
  moveStep,
  removeStep,
  renameKey,
  shiftStep,
  wrapStep,
} from './edits.ts'
import { EMPTY_DEFINITION } from './new-step.ts'
import {
  allSteps,
  isInside,
  listAt,
  listsOf,
  rootList,
  runPathOf,
  stepAt,
  stepOfProblem,
} from './step-tree.ts'

const step = (key: string, config: Record<string, unknown> = {}): WorkflowStep => ({
  key,
  type: 'create_activity',
  config,
})

/** Two steps before and after a branch with two lists. The first list contains a loop. */
const SAMPLE: WorkflowDefinition = {
  trigger: 'record/updated',
  steps: [
    step('contacts', { title: 'x' }),
    {
      key: 'isBig',
      type: 'branch',
      config: {
        branches: [
          {
            name: 'big',
            when: { left: '{{steps.contacts.count}}', operator: 'greaterThan', right: 1 },
            steps: [
              {
                key: 'each',
                type: 'for_each',
                config: {
                  items: '{{steps.contacts.records}}',
                  as: 'person',
                  steps: [step('note', { title: 'Thanks to {{person.data.name | upper}} and {{personal}}' })],
                },
              },
            ],
          },
        ],
        else: [step('small', { title: '{{steps.note.id}} "steps.note"' })],
      },
    },
    step('last', {
      title: '{{ steps.contacts.count | join "steps.contacts" }}, not {{steps.contacts2.count}}',
    }),
  ],
}

const BIG = 'steps[1].config.branches[0].steps'
const ELSE = 'steps[1].config.else'
const keys = (definition: WorkflowDefinition) => allSteps(definition).map((placed) => placed.step.key)
/** Keys as a tree: `[contacts, isBig(big: [each(each: [note])], else: [small]), last]`. */
function outline(definition: WorkflowDefinition): string {
  const list = (steps: readonly WorkflowStep[], path: string): string =>
    steps
      .map((one, index) => {
        const inner = listsOf(one, `${path}[${index}]`).map((at) => `${at.slot}: ${list(at.steps, at.path)}`)
        return inner.length > 0 ? `${one.key}(${inner.join('; ')})` : one.key
      })
      .join(' ')
  return list(definition.steps, 'steps')
}
const WHOLE = 'contacts isBig(big: each(each: note); else: small) last'

test('finds steps in the tree, and converts their paths for runs and problems', () => {
  expect(outline(SAMPLE)).toBe(WHOLE)
  expect(allSteps(SAMPLE).find(({ path }) => path === `${BIG}[0].config.steps[0]`)).toMatchObject({
    step: { key: 'note' },
    within: [{ key: 'isBig' }, { key: 'each' }],
  })
  expect(runPathOf(SAMPLE, `${BIG}[0].config.steps[0]`, 3)).toBe('steps[1].big.steps[0].items[3].steps[0]')
  expect(runPathOf(SAMPLE, `${ELSE}[0]`)).toBe('steps[1].else.steps[0]')
  expect(stepOfProblem(SAMPLE, `${BIG}[0].config.items`)).toBe(`${BIG}[0]`)
  expect(stepOfProblem(SAMPLE, 'steps[1].config.branches[0].when.left')).toBe('steps[1]')
  expect(stepOfProblem(SAMPLE, 'triggerConfig.cron')).toBe(undefined)
})

describe('a step', () => {
  test.each<[string, Edited, string, string | undefined]>([
    [
      'is added to an empty branch',
      insertStep(removeStep(SAMPLE, `${ELSE}[0]`).definition, { list: ELSE, index: 0 }, 'delay'),
      'contacts isBig(big: each(each: note); else: wait) last',
      `${ELSE}[0]`,
    ],
    [
      'is added between two others with a free key',
      insertStep(SAMPLE, { list: 'steps', index: 1 }, 'for_each'),
      'contacts each2(each: ) isBig(big: each(each: note); else: small) last',
      'steps[1]',
    ],
    [
      'is removed, and the next step is selected',
      removeStep(SAMPLE, 'steps[1]'),
      'contacts last',
      'steps[1]',
    ],
    [
      'is removed as the last of its list, and the containing step is selected',
      removeStep(SAMPLE, `${ELSE}[0]`),
      'contacts isBig(big: each(each: note); else: ) last',
      'steps[1]',
    ],
    [
      'is copied with its inner steps',
      duplicateStep(SAMPLE, 'steps[1]'),
      'contacts isBig(big: each(each: note); else: small) isBig2(big: each2(each: note2); else: small2) last',
      'steps[2]',
    ],
    [
      'is moved out of a loop, after later steps',
      moveStep(SAMPLE, `${BIG}[0].config.steps[0]`, { list: 'steps', index: 3 }),
      'contacts isBig(big: each(each: ); else: small) last note',
      'steps[3]',
    ],
    [
      'is moved into a later branch, whose path changes',
      moveStep(SAMPLE, 'steps[0]', { list: `${BIG}[0].config.steps`, index: 1 }),
      'isBig(big: each(each: note contacts); else: small) last',
      'steps[0].config.branches[0].steps[0].config.steps[1]',
    ],
    ['is not moved into itself', moveStep(SAMPLE, 'steps[1]', { list: ELSE, index: 0 }), WHOLE, 'steps[1]'],
    [
      'is wrapped in a loop',
      wrapStep(SAMPLE, 'steps[2]', 'for_each'),
      'contacts isBig(big: each(each: note); else: small) each2(each: last)',
      'steps[2]',
    ],
    [
      'is wrapped in a branch',
      wrapStep(SAMPLE, 'steps[0]', 'branch'),
      'branch(yes: contacts; else: ) isBig(big: each(each: note); else: small) last',
      'steps[0]',
    ],
  ])('%s', (_, { definition, selected }, expected, path) => {
    expect(outline(definition)).toBe(expected)
    expect(selected).toBe(path)
  })

  test.each<[string, Direction, string]>([
    ['steps[2]', 'up', 'contacts last isBig(big: each(each: note); else: small)'],
    ['steps[0]', 'down', 'isBig(big: each(each: note); else: small) contacts last'],
    ['steps[0]', 'up', WHOLE],
    ['steps[2]', 'down', WHOLE],
    [`${ELSE}[0]`, 'up', 'contacts small isBig(big: each(each: note); else: ) last'],
    [`${ELSE}[0]`, 'down', 'contacts isBig(big: each(each: note); else: ) small last'],
    [`${ELSE}[0]`, 'left', 'contacts isBig(big: small each(each: note); else: ) last'],
    [`${BIG}[0]`, 'right', 'contacts isBig(big: ; else: each(each: note) small) last'],
    ['steps[2]', 'right', 'contacts isBig(big: each(each: note) last; else: small)'],
    [`${BIG}[0].config.steps[0]`, 'left', 'contacts isBig(big: each(each: ) note; else: small) last'],
    ['steps[0]', 'left', WHOLE],
    ['steps[0]', 'right', WHOLE],
  ])('at %s is moved %s', (path, direction, expected) => {
    const { definition, selected } = shiftStep(SAMPLE, path, direction)
    expect(outline(definition)).toBe(expected)
    expect(stepAt(definition, selected ?? '')?.key).toBe(stepAt(SAMPLE, path)?.key)
  })

  test('is renamed together with its references only', () => {
    const { definition } = renameKey(SAMPLE, 'steps[0]', 'people')
    expect(keys(definition)).toEqual(keys(SAMPLE).with(0, 'people'))
    expect(stepAt(definition, `${BIG}[0]`)?.config['items']).toBe('{{steps.people.records}}')
    expect(definition.steps[2]?.config['title']).toBe(
      '{{ steps.people.count | join "steps.contacts" }}, not {{steps.contacts2.count}}',
    )
    expect(stepAt(definition, `${ELSE}[0]`)?.config['title']).toBe('{{steps.note.id}} "steps.note"')
  })

  test.each(['last', '', '9lives', 'with space'])('does not accept the key %j', (key) => {
    expect(isFreeKey(SAMPLE, 'steps[0]', key)).toBe(false)
    expect(renameKey(SAMPLE, 'steps[0]', key).definition).toBe(SAMPLE)
  })

  test('in a copy refers to the copied steps', () => {
    const inner = { ...step('b'), config: { title: '{{steps.a.id}} {{steps.c.id}}' } }
    const loop: WorkflowStep = {
      key: 'loop',
      type: 'for_each',
      config: { items: '', as: 'x', steps: [step('a'), inner] },
    }
    const { definition } = duplicateStep({ trigger: 'manual', steps: [loop] }, 'steps[0]')
    expect(stepAt(definition, 'steps[1].config.steps[1]')).toMatchObject({
      key: 'b2',
      config: { title: '{{steps.a2.id}} {{steps.c.id}}' },
    })
  })

  test('that is a loop renames its item in the inner steps', () => {
    const { definition } = changeField(SAMPLE, `${BIG}[0]`, 'as', 'contact')
    expect(stepAt(definition, `${BIG}[0].config.steps[0]`)?.config['title']).toBe(
      'Thanks to {{contact.data.name | upper}} and {{personal}}',
    )
  })

  test('gets and loses fields without other changes', () => {
    const named = changeStep(SAMPLE, 'steps[0]', { name: 'Contacts', onError: 'continue' }).definition
    expect(named.steps[0]).toEqual({ ...SAMPLE.steps[0], name: 'Contacts', onError: 'continue' })
    const cleared = changeStep(named, 'steps[0]', { name: undefined, onError: undefined }).definition
    expect(cleared).toEqual(SAMPLE)
    const sorted = changeField(SAMPLE, 'steps[0]', 'sort.field', 'name').definition
    expect(sorted.steps[0]?.config).toEqual({ title: 'x', sort: { field: 'name' } })
    expect(changeField(sorted, 'steps[0]', 'sort', undefined).definition).toEqual(SAMPLE)
    expect(sorted.steps[1]).toBe(SAMPLE.steps[1])
  })
})

const TYPES = ['delay', 'branch', 'for_each', 'create_record'] as const
const DIRECTIONS = ['up', 'down', 'left', 'right'] as const
type Move = (definition: WorkflowDefinition) => Edited

/** A random edit of a random existing step. */
const anyMove: fc.Arbitrary<Move> = fc
  .record({
    kind: fc.constantFrom('insert', 'remove', 'duplicate', 'move', 'shift', 'wrap', 'rename'),
    step: fc.nat(1000),
    target: fc.nat(1000),
    type: fc.constantFrom(...TYPES),
    direction: fc.constantFrom(...DIRECTIONS),
  })
  .map(({ kind, step: which, target, type, direction }) => (definition) => {
    const steps = allSteps(definition)
    const lists = [rootList(definition), ...steps.flatMap((one) => listsOf(one.step, one.path))]
    const list = lists[target % lists.length] ?? rootList(definition)
    const location = { list: list.path, index: target % (list.steps.length + 1) }
    const { path } = steps[which % steps.length] ?? { path: 'steps[0]' }
    if (kind === 'insert' || steps.length === 0) return insertStep(definition, location, type)
    if (kind === 'remove') return removeStep(definition, path)
    if (kind === 'duplicate') return duplicateStep(definition, path)
    if (kind === 'move') return moveStep(definition, path, location)
    if (kind === 'wrap') return wrapStep(definition, path, type === 'branch' ? 'branch' : 'for_each')
    if (kind === 'rename') return renameKey(definition, path, `renamed${target}`)
    return shiftStep(definition, path, direction)
  })

describe('any sequence of edits', () => {
  test('keeps keys unique, loses no steps, and selects existing steps', () => {
    fc.assert(
      fc.property(fc.array(anyMove, { maxLength: 25 }), (moves) => {
        let definition = EMPTY_DEFINITION
        for (const move of moves) {
          const edited = move(definition)
          const found = keys(edited.definition)
          expect(new Set(found).size).toBe(found.length)
          if (edited.selected !== undefined) expect(stepAt(edited.definition, edited.selected)).toBeDefined()
          for (const { path, step: one } of allSteps(edited.definition))
            for (const { path: list } of listsOf(one, path)) {
              expect(isInside(list, path)).toBe(true)
              expect(listAt(edited.definition, list)).toBeInstanceOf(Array)
            }
          definition = edited.definition
          if (found.length > 60) break
        }
      }),
      { numRuns: 300 },
    )
  })

  test('keeps every step when moving and shifting', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), (which, target) => {
        const steps = allSteps(SAMPLE)
        const lists = [rootList(SAMPLE), ...steps.flatMap((one) => listsOf(one.step, one.path))]
        const list = lists[target % lists.length] ?? rootList(SAMPLE)
        const { path, step: moved } = steps[which % steps.length] ?? { path: '', step: undefined }
        const location = { list: list.path, index: target % (list.steps.length + 1) }
        const { definition, selected } = moveStep(SAMPLE, path, location)
        expect(keys(definition).toSorted()).toEqual(keys(SAMPLE).toSorted())
        expect(stepAt(definition, selected ?? '')).toEqual(moved)
      }),
    )
  })
})

describe('history', () => {
  type Act = { kind: 'do'; value: number; tag?: string } | { kind: 'undo' } | { kind: 'redo' }
  const acts = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('do' as const), value: fc.integer() }),
      fc.record({ kind: fc.constant('undo' as const) }),
      fc.record({ kind: fc.constant('redo' as const) }),
    ),
  )
  const run = (history: History<number>, act: Act): History<number> => {
    if (act.kind === 'undo') return undo(history)
    return act.kind === 'redo' ? redo(history) : commit(history, act.value, act.tag)
  }

  test('undo restores the state before a change, and redo the state after', () => {
    fc.assert(
      fc.property(acts, fc.integer(), (before, value) => {
        const history = before.reduce(run, begin(0))
        const done = commit(history, value)
        fc.pre(done !== history)
        expect(undo(done).present).toBe(history.present)
        expect(redo(undo(done))).toMatchObject({ past: done.past, present: value, future: [] })
      }),
    )
  })

  test('typing in one field is one change', () => {
    const typed = ['a', 'ab', 'abc'].reduce((history, text) => commit(history, text, 'title'), begin(''))
    expect(typed).toMatchObject({ past: [''], present: 'abc' })
    const other = commit(typed, 'abc!', 'name')
    expect(undo(other).present).toBe('abc')
    // After an undo, the next letter is a separate change.
    expect(commit(undo(other), 'abcd', 'title').past).toEqual(['', 'abc'])
  })
})
