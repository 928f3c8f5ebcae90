import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFINITION_BYTES_MAX } from '../../../contract/workflow-states.ts'
import type { StepType } from '../../../contract/workflow-steps.ts'
import type { WorkflowDefinition, WorkflowStep } from '../../../contract/workflows.ts'
import { step, workflow } from '../interpreter/run.fixture.ts'
import { checkDefinition } from './definition.ts'
import type { Known } from './known.ts'
import { structureProblems } from './structure.ts'

const attribute = (slug: string, type: string, more = {}) => ({
  slug,
  name: slug,
  type,
  isList: false,
  isRequired: false,
  isUnique: false,
  config: null,
  ...more,
})
const PEOPLE = '0198c0de-0000-7000-8000-000000000001'
const RECORD = '0198c0de-0000-7000-8000-000000000009'
const ENDPOINT = '0198c0de-0000-7000-8000-000000000008'
const known = {
  objects: [
    {
      id: PEOPLE,
      slug: 'people',
      isActive: true,
      attributes: [
        attribute('name', 'name', { isRequired: true }),
        attribute('email', 'email', { isUnique: true }),
        attribute('age', 'number'),
        attribute('stage', 'select', { config: { options: ['Lead', 'Won'] } }),
        attribute('tags', 'list'),
      ],
    },
    { id: RECORD, slug: 'old', isActive: false, attributes: [] },
  ],
  endpoints: [ENDPOINT],
  secrets: ['ERP_TOKEN'],
  locale: { country: 'US', currency: 'USD' },
} as unknown as Known

const problemsOf = (steps: WorkflowStep[], more: Partial<WorkflowDefinition> = {}) =>
  checkDefinition(workflow(steps, more), known).map(({ path, code }) => `${path} ${code}`)
const note = (title: string, key = 'note') => step('create_activity', { title }, { key })
const yes = { left: 1, operator: 'equals', right: 1 }
const branching = (branches: Record<string, WorkflowStep[]>, otherwise?: WorkflowStep[]) =>
  step('branch', {
    branches: Object.entries(branches).map(([name, steps]) => ({ name, when: yes, steps })),
    ...(otherwise && { else: otherwise }),
  })

/** The example of the design, as it stands there but for its ids. */
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

test('a workflow with nothing wrong has no problems', () => {
  expect(checkDefinition(example, known)).toEqual([])
  expect(structureProblems(example)).toEqual([])
})

/** A config of every type that is right. */
const RIGHT: Record<StepType, Record<string, unknown>> = {
  find_records: { object: PEOPLE, sort: { field: 'age', order: 'asc' }, fields: ['email'] },
  get_record: { object: 'people', recordId: RECORD },
  create_record: { object: 'people', data: { name: 'Ada Lovelace', age: '{{1 | plus 1}}', stage: 'Won' } },
  update_record: { object: 'people', recordId: '{{trigger.recordId}}', data: { tags: ['a', '{{now}}'] } },
  upsert_record: { object: 'people', matchOn: 'email', data: { email: 'a@x.org' } },
  delete_record: { object: 'people', recordId: '{{trigger.recordId}}' },
  create_activity: { title: 'x', participants: [{ type: 'person', id: RECORD }] },
  condition: { when: { or: [yes, { and: [{ left: '{{now}}', operator: 'isEmpty' }] }] } },
  branch: { branches: [{ name: 'a', when: yes, steps: [] }] },
  for_each: { items: ['a', 'b'], as: 'one', steps: [] },
  delay: { until: '2026-11-20', timeOfDay: '09:00', timezone: 'Europe/Berlin' },
  http_request: { url: '{{secrets.ERP_TOKEN}}/x' },
  send_webhook: { endpointId: ENDPOINT, data: { any: ['{{trigger}}'] } },
  send_email: { to: ['ada@example.com', '{{trigger.parameters}}'], subject: 'x', text: 'y' },
  set_variables: { variables: { a: 1 } },
  stop: {},
  fail: { message: 'x' },
}

test.each(Object.entries(RIGHT))('%s with a right config has no problems', (type, config) => {
  expect(problemsOf([step(type as StepType, config)])).toEqual([])
})

test.each<[StepType, Record<string, unknown>, string]>([
  ['find_records', { object: 'people', limit: 5000 }, 'limit maximum'],
  ['find_records', { object: 'gone' }, 'object unknown_object'],
  ['find_records', {}, 'object required'],
  ['find_records', { object: 'people', other: 1 }, 'other unknown_field'],
  ['find_records', { object: 'people', sort: { field: 'tags' } }, 'sort.field invalid_sort'],
  ['find_records', { object: 'people', fields: ['email', 'x'] }, 'fields[1] unknown_attribute'],
  ['get_record', { object: 'people', recordId: '12' }, 'recordId invalid_id'],
  ['create_record', { object: 'old', data: {} }, 'object object_inactive'],
  ['create_record', { object: 'people', data: {} }, 'data.name required'],
  [
    'create_record',
    { object: 'people', data: { name: 'x', nope: '{{now}}' } },
    'data.nope unknown_attribute',
  ],
  ['create_record', { object: 'people', data: { name: 'x', age: 'old' } }, 'data.age invalid_number'],
  [
    'update_record',
    { object: 'people', recordId: RECORD, data: { stage: 'Lost' } },
    'data.stage unknown_option',
  ],
  ['upsert_record', { object: 'people', matchOn: 'age', data: {} }, 'matchOn not_unique'],
  ['upsert_record', { object: 'people', matchOn: 'email', data: {} }, 'matchOn required'],
  ['delete_record', { object: 'people', recordId: 'x' }, 'recordId invalid_id'],
  ['create_activity', { title: '' }, 'title minLength'],
  ['create_activity', { title: 'x', type: 'party' }, 'type enum'],
  ['create_activity', { title: 'x', activityDate: 'soon' }, 'activityDate invalid_date'],
  [
    'create_activity',
    { title: 'x', linkedRecords: [{ objectId: 'gone', recordId: RECORD }] },
    'linkedRecords[0].objectId unknown_object',
  ],
  ['condition', {}, 'when required'],
  ['condition', { when: { left: 1, operator: 'is' } }, 'when.operator unknown_operator'],
  ['condition', { when: { left: 1, operator: 'equals' } }, 'when.right required'],
  ['condition', { when: { left: '', operator: 'isEmpty' } }, 'when.left required'],
  ['condition', { when: { left: 1, operator: 'between', right: [1] } }, 'when.right wrong_operand'],
  ['condition', { when: { and: [] } }, 'when.and invalid_group'],
  ['condition', { when: { or: [yes, { left: 1, operator: 'x' }] } }, 'when.or[1].operator unknown_operator'],
  ['condition', { when: 'yes' }, 'when invalid_type'],
  ['branch', { branches: [] }, 'branches minItems'],
  ['branch', { branches: [{ name: 'else', when: yes, steps: [] }] }, 'branches[0].name reserved'],
  ['branch', { branches: [{ name: 'a b', when: yes, steps: [] }] }, 'branches[0].name pattern'],
  [
    'branch',
    { branches: [0, 1].map(() => ({ name: 'a', when: yes, steps: [] })) },
    'branches[1].name duplicate',
  ],
  [
    'branch',
    { branches: [{ name: 'a', when: { left: 1, operator: 'x' }, steps: [] }] },
    'branches[0].when.operator unknown_operator',
  ],
  ['for_each', { items: 'abc', as: 'one', steps: [] }, 'items invalid_type'],
  ['for_each', { items: '', as: 'one', steps: [] }, 'items required'],
  ['for_each', { items: [1], as: 'steps', steps: [] }, 'as reserved'],
  ['delay', {}, ' invalid_delay'],
  ['delay', { seconds: 5, timeOfDay: '09:00' }, ' invalid_delay'],
  ['delay', { until: 'soon' }, 'until invalid_date'],
  ['delay', { timeOfDay: '9:00' }, 'timeOfDay pattern'],
  ['delay', { timeOfDay: '09:00', timezone: 'Mars' }, 'timezone invalid_time_zone'],
  ['http_request', { url: 'ftp://x.org' }, 'url invalid_url'],
  ['http_request', { url: 'x.org/{{now}}' }, 'url invalid_url'],
  ['http_request', { url: 'https://' }, 'url invalid_url'],
  ['http_request', { url: 'https://x.org', headers: { 'a b': 'c' } }, 'headers.a b invalid_header'],
  ['http_request', { url: 'https://x.org', method: 'HEAD' }, 'method enum'],
  ['send_webhook', { endpointId: RECORD }, 'endpointId unknown_endpoint'],
  ['send_email', { to: 'Ada', subject: 'x', text: 'y' }, 'to invalid_email'],
  ['send_email', { to: ['a@x.org', 'Ada'], subject: 'x', text: 'y' }, 'to[1] invalid_email'],
  ['send_email', { to: 'a@x.org', subject: 'x' }, 'text required'],
  ['set_variables', { variables: {} }, 'variables minProperties'],
  ['set_variables', { variables: { '1a': 1 } }, 'variables.1a pattern'],
  ['fail', {}, 'message required'],
])('%s with %j: %s', (type, config, expected) => {
  const at = expected.startsWith(' ') ? '' : '.'
  expect(problemsOf([step(type, config)])).toEqual([`steps[0].config${at}${expected}`])
})

describe('filters', () => {
  test.each<[unknown, string]>([
    [{ attributeSlug: 'nope', operator: 'equals', value: 'x' }, '.attributeSlug unknown_attribute'],
    [{ attributeSlug: 'age', operator: 'like', value: 'x' }, '.operator unknown_operator'],
    [{ attributeSlug: 'age', operator: 'contains', value: 'x' }, '.operator operator_not_defined'],
    [{ attributeSlug: 'age', operator: 'equals', value: 'x' }, '.value wrong_operand'],
    [{ attributeSlug: 'age', operator: 'equals', value: [1] }, '.value wrong_operand'],
    [{ attributeSlug: 'age', operator: 'between', value: [1] }, '.value wrong_operand'],
    [{ attributeSlug: 'age', operator: 'in', value: 1 }, '.value wrong_operand'],
    [{ attributeSlug: 'age', operator: 'isEmpty', value: 'no' }, '.value wrong_operand'],
    [{ attributeSlug: 'age', operator: 'equals', value: 1, x: 1 }, ' unknown_field'],
    [{ and: [] }, '.and invalid_group'],
    [{ or: [{ attributeSlug: 'x' }] }, '.or[0].operator unknown_operator'],
    [{ and: [1] }, '.and[0] invalid_type'],
    [
      { and: [{ and: [{ and: [{ and: [{ and: [{ and: [] }] }] }] }] }] },
      '.and[0].and[0].and[0].and[0].and[0].and invalid_group',
    ],
    [
      { and: [{ and: [{ and: [{ and: [{ and: [{ and: [1] }] }] }] }] }] },
      '.and[0].and[0].and[0].and[0].and[0].and[0] invalid_type',
    ],
    [{ attributeSlug: 'age', operator: 'equals', value: '{{nope}}' }, '.value unknown_path'],
  ])('%j: %s', (filter, expected) => {
    const steps = [step('find_records', { object: 'people', filter })]
    expect(problemsOf(steps)).toEqual([`steps[0].config.filter${expected}`])
  })

  test('templates are operands, also of lists', () => {
    const filter = {
      or: [
        { attributeSlug: 'age', operator: 'in', value: '{{trigger.parameters}}' },
        { attributeSlug: 'age', operator: 'between', value: [1, '{{now | length}}'] },
        {},
      ].slice(0, 2),
    }
    expect(problemsOf([step('find_records', { object: 'people', filter })])).toEqual([])
    expect(problemsOf([step('find_records', { object: 'people', filter: {} })])).toEqual([])
  })
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

  test('parameters are those declared', () => {
    const parameters = [{ name: 'x', type: 'text' as const }]
    expect(one('{{trigger.parameters.x}}{{trigger.data.x}}', { parameters })).toEqual([])
  })

  test.each([
    ['{{trigger.data.email}}', []],
    ['{{trigger.data.nope}}', [`${at} unknown_path`]],
  ])('data of a record: %s', (title, expected) => {
    expect(one(title, { trigger: 'record/created', triggerConfig: { objectId: 'people' } })).toEqual(expected)
  })

  test('data of an activity', () => {
    expect(one('{{trigger.data.title}}', { trigger: 'activity/created' })).toEqual([])
    expect(one('{{trigger.data.nope}}', { trigger: 'activity/created' })).toEqual([`${at} unknown_path`])
  })

  test.each([
    ['{{secrets.NOPE}}', ['steps[0].config.url unknown_secret']],
    ['{{secrets}}', ['steps[0].config.url unknown_secret']],
    ['{{secrets.ERP_TOKEN}}', []],
  ])('secrets of a request: %s', (url, expected) => {
    expect(problemsOf([step('http_request', { url })])).toEqual(expected)
  })

  test('steps of one branch cannot read those of another; what comes after can read both', () => {
    const branches = { a: [note('x', 'inA')], b: [note('{{steps.inA.id}}', 'inB')] }
    const after = note('{{steps.inA.id}}{{steps.inB.id}}{{steps.inElse.id}}', 'after')
    expect(problemsOf([branching(branches, [note('{{steps.inB}}', 'inElse')]), after])).toEqual([
      'steps[0].config.branches[1].steps[0].config.title unknown_step',
      'steps[0].config.else[0].config.title unknown_step',
    ])
  })

  test('what steps yield is known by its first name', () => {
    const steps = [
      { ...note('x', 'a'), onError: 'continue' as const },
      note('{{steps.a.title}}{{steps.a.error}}', 'b'),
    ]
    expect(problemsOf(steps)).toEqual([])
    expect(problemsOf([...steps, note('{{steps.b.error}}', 'c')])).toEqual([
      'steps[2].config.title unknown_path',
    ])
  })

  test('items and loop are known inside the loop, in loops inside of it too', () => {
    const inner = step('for_each', {
      items: '{{outer}}',
      as: 'inner',
      steps: [note('{{outer}}{{inner.x}}{{loop.number}}')],
    })
    const loop = step('for_each', { items: [[1]], as: 'outer', steps: [inner] }, { key: 'out' })
    expect(problemsOf([loop, note('{{outer}}', 'after')])).toEqual(['steps[1].config.title unknown_path'])
  })

  test('variables are known after the step that sets them', () => {
    const set = step('set_variables', { variables: { x: '{{vars.x}}' } })
    expect(problemsOf([set, note('{{vars.x}}')])).toEqual(['steps[0].config.variables.x unknown_variable'])
  })
})

describe('steps', () => {
  test('none', () => expect(problemsOf([])).toEqual(['steps required']))

  test('keys are used once, however deep', () => {
    expect(problemsOf([note('x', 'a'), branching({ b: [note('y', 'a')] })])).toEqual([
      'steps[1].config.branches[0].steps[0].key duplicate',
    ])
  })

  test('a loop in a loop has a name of its own', () => {
    const inner = step('for_each', { items: [1], as: 'one', steps: [] }, { key: 'inner' })
    expect(problemsOf([step('for_each', { items: [1], as: 'one', steps: [inner] })])).toEqual([
      'steps[0].config.steps[0].config.as duplicate',
    ])
  })

  test('everything wrong is told at once', () => {
    expect(problemsOf([step('fail', {}), step('delay', {}), note('{{nope}}')])).toHaveLength(3)
  })
})

describe('triggers', () => {
  const trigger = (name: WorkflowDefinition['trigger'], triggerConfig = {}) =>
    problemsOf([note('x')], { trigger: name, triggerConfig })

  test.each<[WorkflowDefinition['trigger'], Record<string, unknown>, string[]]>([
    ['record/created', {}, ['triggerConfig.objectId required']],
    ['record/created', { objectId: 'gone' }, ['triggerConfig.objectId unknown_object']],
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

  test('parameters', () => {
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

describe('what cannot be kept', () => {
  const paths = (input: unknown) => structureProblems(input).map(({ path, code }) => `${path} ${code}`)
  const deep = (levels: number): WorkflowStep[] =>
    levels === 0 ? [] : [step('for_each', { items: [1], as: 'x', steps: deep(levels - 1) })]

  test.each<[string, unknown, string[]]>([
    ['nothing', null, [' type']],
    ['no steps', { trigger: 'manual' }, ['steps required']],
    ['another trigger', { trigger: 'x', steps: [] }, ['trigger enum']],
    ['another field', { ...workflow([]), foo: 1 }, ['foo unknown_field']],
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
  ])('%s', (_, input, expected) => expect(paths(input)).toEqual(expected))

  test('steps too deep inside each other', () => {
    expect(paths(workflow(deep(8)))).toEqual([])
    expect(structureProblems(workflow(deep(9)))).toMatchObject([{ code: 'too_deep' }])
  })

  test('what is only incomplete can be kept', () => {
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
/** Configs of steps with one of their values replaced, or one more. */
const odd = fc
  .tuple(fc.constantFrom(...Object.keys(RIGHT)), fc.string({ maxLength: 8 }), piece, fc.nat(10))
  .map(([type, other, value, at]) => {
    const config = RIGHT[type as StepType]
    const key = Object.keys(config)[at] ?? other
    return step(type as StepType, { ...config, [key]: value }, { key: `k${at}` })
  })

test('property: whatever is in a definition, it is told in words', () => {
  const inside = (steps: WorkflowStep[]) =>
    branching({ a: steps.map((one, index) => ({ ...one, key: `b${index}` })) })
  fc.assert(
    fc.property(fc.array(odd, { maxLength: 3 }), piece, (steps, value) => {
      expect(Array.isArray(structureProblems({ trigger: 'manual', steps: [...steps, value] }))).toBe(true)
      for (const problem of checkDefinition(workflow([...steps, inside(steps)]), known))
        expect(problem.message).not.toBe('')
    }),
    { numRuns: 2000 },
  )
})
