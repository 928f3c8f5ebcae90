import { describe, expect, test } from 'vitest'
import type { WorkflowDefinition } from '../../../contract/workflows.ts'
import { step, workflow } from '../interpreter/run.fixture.ts'
import { branching, known, note, PEOPLE, problemsOf } from './check.fixture.ts'
import { checkDefinition } from './definition.ts'

/** The example of the design document, with other ids. */
const example = workflow(
  [
    step(
      'find_records',
      {
        object: 'people',
        filter: { and: [{ attributeSlug: 'email', operator: 'equals', value: '{{trigger.data.email}}' }] },
        limit: 50,
      },
      { key: 'contacts' },
    ),
    step(
      'branch',
      {
        branches: [
          {
            name: 'big',
            when: { left: '{{trigger.data.age}}', operator: 'greaterThan', right: 50000 },
            steps: [
              step('delay', { seconds: 86400 }, { key: 'wait' }),
              step(
                'for_each',
                {
                  items: '{{steps.contacts.records}}',
                  as: 'person',
                  steps: [
                    step(
                      'create_activity',
                      {
                        title: 'Say thanks to {{person.data.name}}',
                        linkedRecords: [{ objectId: PEOPLE, recordId: '{{person.id}}' }],
                      },
                      { key: 'note' },
                    ),
                  ],
                },
                { key: 'each' },
              ),
            ],
          },
        ],
        else: [],
      },
      { key: 'isBig' },
    ),
    step(
      'http_request',
      {
        method: 'POST',
        url: 'https://erp.example.com/orders',
        headers: { Authorization: 'Bearer {{secrets.ERP_TOKEN}}' },
        body: { deal: '{{trigger.recordId}}' },
        timeoutMs: 15000,
      },
      { key: 'erp', retry: { max: 3 }, onError: 'continue' },
    ),
  ],
  {
    trigger: 'record/updated',
    triggerConfig: {
      objectId: PEOPLE,
      watch: ['stage'],
      filter: { and: [{ attributeSlug: 'stage', operator: 'equals', value: 'Won' }] },
    },
    concurrency: { key: 'record', limit: 1, onConflict: 'queue' },
    allowReentry: false,
  },
)

test('a valid workflow has no problems', () => {
  expect(checkDefinition(example, known)).toEqual([])
})

describe('templates', () => {
  const one = (title: string, more: Partial<WorkflowDefinition> = {}) => problemsOf([note(title)], more)
  const at = 'steps[0].config.title'

  test.each([
    ['{{trigger.nope}}', 'unknown_path'],
    ['{{trigger.', 'invalid_template'],
    ['{{now | shout}}', 'unknown_function'],
    ['{{now | constructor}}', 'unknown_function'],
    ['{{now | truncate}}', 'wrong_argument'],
    ["{{now | truncate 'x'}}", 'wrong_argument'],
    ['{{now | upper 1}}', 'wrong_argument'],
    ['{{now | pluck data.x}}', 'wrong_argument'],
    ["{{now | day 'Mars'}}", 'wrong_argument'],
    ['{{now | default nope}}', 'unknown_path'],
    ['{{steps.later}}', 'unknown_step'],
    ['{{steps.note.id}}', 'unknown_step'],
    ['{{vars.x}}', 'unknown_variable'],
    ['{{run.nope}}', 'unknown_path'],
    ['{{person.name}}', 'unknown_path'],
    ['{{loop.index}}', 'not_in_loop'],
    ['{{secrets.ERP_TOKEN}}', 'secret_not_allowed'],
    ['{{trigger.parameters.x}}', 'unknown_path'],
    ['{{trigger.data.x}}', 'unknown_path'],
  ])('%s: %s', (title, code) => expect(one(title)).toEqual([`${at} ${code}`]))

  test('templates can read declared parameters', () => {
    const parameters = [{ name: 'x', type: 'text' as const }]
    expect(one('{{trigger.parameters.x}}{{trigger.data.x}}', { parameters })).toEqual([])
  })

  test.each([
    ['{{trigger.data.email}}', []],
    ['{{trigger.data.nope}}', [`${at} unknown_path`]],
  ])('templates can read attributes of the record: %s', (title, expected) => {
    expect(one(title, { trigger: 'record/created', triggerConfig: { objectId: 'people' } })).toEqual(expected)
  })

  test('templates can read fields of the activity', () => {
    expect(one('{{trigger.data.title}}', { trigger: 'activity/created' })).toEqual([])
    expect(one('{{trigger.data.nope}}', { trigger: 'activity/created' })).toEqual([`${at} unknown_path`])
  })

  test.each([
    ['{{secrets.NOPE}}', ['steps[0].config.url unknown_secret']],
    ['{{secrets}}', ['steps[0].config.url unknown_secret']],
    ['{{secrets.ERP_TOKEN}}', []],
  ])('templates of a request can read existing secrets: %s', (url, expected) => {
    expect(problemsOf([step('http_request', { url })])).toEqual(expected)
  })

  test('steps of one branch cannot read steps of another branch; later steps can read both', () => {
    const branches = { a: [note('x', 'inA')], b: [note('{{steps.inA.id}}', 'inB')] }
    const after = note('{{steps.inA.id}}{{steps.inB.id}}{{steps.inElse.id}}', 'after')
    expect(problemsOf([branching(branches, [note('{{steps.inB}}', 'inElse')]), after])).toEqual([
      'steps[0].config.branches[1].steps[0].config.title unknown_step',
      'steps[0].config.else[0].config.title unknown_step',
    ])
  })

  test('templates can read only outputs that a step has', () => {
    const steps = [
      { ...note('x', 'a'), onError: 'continue' as const },
      note('{{steps.a.title}}{{steps.a.error}}', 'b'),
    ]
    expect(problemsOf(steps)).toEqual([])
    expect(problemsOf([...steps, note('{{steps.b.error}}', 'c')])).toEqual([
      'steps[2].config.title unknown_path',
    ])
  })

  test('templates inside a loop, also in inner loops, can read its item and `loop`', () => {
    const inner = step('for_each', {
      items: '{{outer}}',
      as: 'inner',
      steps: [note('{{outer}}{{inner.x}}{{loop.number}}')],
    })
    const loop = step('for_each', { items: [[1]], as: 'outer', steps: [inner] }, { key: 'out' })
    expect(problemsOf([loop, note('{{outer}}', 'after')])).toEqual(['steps[1].config.title unknown_path'])
  })

  test('templates can read variables only after the step that sets them', () => {
    const set = step('set_variables', { variables: { x: '{{vars.x}}' } })
    expect(problemsOf([set, note('{{vars.x}}')])).toEqual(['steps[0].config.variables.x unknown_variable'])
  })
})

describe('steps', () => {
  test('are required', () => expect(problemsOf([])).toEqual(['steps required']))

  test('have unique keys on all levels', () => {
    expect(problemsOf([note('x', 'a'), branching({ b: [note('y', 'a')] })])).toEqual([
      'steps[1].config.branches[0].steps[0].key duplicate',
    ])
  })

  test('an inner loop needs another item name than the outer loop', () => {
    const inner = step('for_each', { items: [1], as: 'one', steps: [] }, { key: 'inner' })
    expect(problemsOf([step('for_each', { items: [1], as: 'one', steps: [inner] })])).toEqual([
      'steps[0].config.steps[0].config.as duplicate',
    ])
  })

  test('all problems are reported together', () => {
    expect(problemsOf([step('fail', {}), step('delay', {}), note('{{nope}}')])).toHaveLength(3)
  })
})

describe('triggers', () => {
  const trigger = (name: WorkflowDefinition['trigger'], triggerConfig = {}) =>
    problemsOf([note('x')], { trigger: name, triggerConfig })

  test.each<[WorkflowDefinition['trigger'], Record<string, unknown>, string[]]>([
    ['record/created', {}, ['triggerConfig.objectId required']],
    ['record/created', { objectId: 'missing' }, ['triggerConfig.objectId unknown_object']],
    [
      'record/updated',
      { objectId: 'people', watch: ['age', 'x'] },
      ['triggerConfig.watch[1] unknown_attribute'],
    ],
    [
      'record/updated',
      { objectId: 'people', filter: { attributeSlug: 'age', operator: 'equals', value: '{{now}}' } },
      ['triggerConfig.filter.value wrong_operand'],
    ],
    ['activity/created', {}, []],
    ['activity/created', { filter: { attributeSlug: 'x' } }, ['triggerConfig.filter not_allowed']],
    ['schedule', {}, ['triggerConfig.cron required']],
    ['schedule', { cron: '0 9 * * 1', timezone: 'Europe/Berlin' }, []],
    ['schedule', { cron: '@daily' }, []],
    ['schedule', { cron: 'often' }, ['triggerConfig.cron invalid_cron']],
    ['schedule', { cron: '* * * * * *' }, ['triggerConfig.cron invalid_cron']],
    ['schedule', { cron: '0 0 30 2 *' }, ['triggerConfig.cron invalid_cron']],
    ['schedule', { cron: '0 9 * * 1', timezone: 'Mars' }, ['triggerConfig.timezone invalid_time_zone']],
    ['manual', { objectId: 'people' }, []],
  ])('%s %j: %j', (name, config, expected) => expect(trigger(name, config)).toEqual(expected))

  test('reports duplicate parameter names and invalid defaults', () => {
    const parameters = [
      { name: 'a', type: 'number' as const, default: 'x' },
      { name: 'a', type: 'date' as const, default: '2026-11-20' },
      { name: 'b', type: 'list' as const, default: ['x'] },
    ]
    expect(problemsOf([note('x')], { parameters })).toEqual([
      'parameters[0].default invalid_type',
      'parameters[1].name duplicate',
    ])
  })
})
