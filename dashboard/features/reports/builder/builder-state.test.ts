import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plan } from '../../../../server/reports/plan/plan.fixture.ts'
import { readShape } from '../../../../server/reports/service.ts'
import { REPORT_TEMPLATES } from '../../../../server/reports/templates/report-templates.ts'
import { begin, commit, type History, redo, undo } from '../../../shared/editing/history.ts'
import { DEALS, fieldNamed, MODELS, objectsIn } from './builder.fixture.ts'
import { type Action, type Draft, emptyDraft, reduce } from './builder-state.ts'
import { joinChoices } from './join-choices.ts'
import { allFields, canGroup, firstMeasure, measuresOf } from './report-fields.ts'

const act = (draft: Draft, ...actions: Action[]): Draft => actions.reduce(reduce, draft)
const companyOfDeal = { alias: 'company', via: 'deal.company' }

describe('building a report', () => {
  test('starts with an object and the number of its records', () => {
    const begun = reduce(emptyDraft('Mine'), {
      does: 'source',
      object: { slug: 'deals', singularName: 'Deal' },
    })
    expect(begun).toEqual({ ...DEALS, name: 'Mine' })
  })

  test('groups dates by month with empty months, and other fields by value', () => {
    const draft = act(
      DEALS,
      { does: 'group', field: fieldNamed(DEALS, 'deal.closed') },
      { does: 'group', field: fieldNamed(DEALS, 'deal.stage'), at: 0 },
    )
    expect(draft.groupBy).toEqual([
      { key: 'stage', field: 'deal.stage' },
      { key: 'closed', field: 'deal.closed', bucket: 'month', fill: true },
    ])
  })

  test('gives every measure a unique key', () => {
    const field = fieldNamed(DEALS, 'deal.amount')
    const draft = act(DEALS, { does: 'measure', op: 'sum', field }, { does: 'measure', op: 'sum', field })
    expect(draft.measures?.map(({ key }) => key)).toEqual(['deals', 'sum_amount', 'sum_amount_2'])
  })

  test.each([
    ['deal.amount', 'sum'],
    ['deal.size', 'sum'],
    ['deal.stage', 'countDistinct'],
    ['deal.closed', 'min'],
    ['deal.tags', 'countNotEmpty'],
    ['deal.id', 'count'],
  ])('the default measure of %s is %s', (slug, op) => {
    expect(firstMeasure(fieldNamed(DEALS, slug))).toBe(op)
  })

  test('does not group by amounts', () => {
    expect(reduce(DEALS, { does: 'group', field: fieldNamed(DEALS, 'deal.amount') })).toBe(DEALS)
  })

  test('allows at most three groups', () => {
    const field = fieldNamed(DEALS, 'deal.stage')
    const groups = Array.from({ length: 5 }, (): Action => ({ does: 'group', field }))
    expect(act(DEALS, ...groups).groupBy).toHaveLength(3)
  })

  test('rows show the grouped and measured fields as columns', () => {
    const grouped = act(
      DEALS,
      { does: 'group', field: fieldNamed(DEALS, 'deal.stage') },
      { does: 'measure', op: 'sum', field: fieldNamed(DEALS, 'deal.amount') },
    )
    const rows = reduce(grouped, { does: 'show', what: 'rows', fields: allFields(objectsIn(grouped)) })
    expect(rows.columns?.map(({ field }) => field)).toEqual(['deal.stage', 'deal.amount'])
    expect(rows).not.toHaveProperty('measures')
  })
})

describe('removing a part', () => {
  const built: Draft = {
    ...DEALS,
    joins: [companyOfDeal, { alias: 'owner', via: 'company.owner' }],
    filters: {
      and: [
        { field: 'deal.stage', operator: 'equals', value: 'Won' },
        { or: [{ field: 'company.name', operator: 'isEmpty', value: 'true' }] },
      ],
    },
    groupBy: [
      { key: 'city', field: 'company.address.city' },
      { key: 'stage', field: 'deal.stage' },
    ],
    measures: [
      { key: 'deals', op: 'count' },
      { key: 'owners', op: 'countDistinct', field: 'owner.email' },
    ],
    having: { key: 'owners', operator: 'greaterThan', value: 1 },
    sort: [{ key: 'city' }, { key: 'deals', order: 'desc' }],
    chart: { type: 'bar', x: 'city', y: ['deals', 'owners'], series: 'stage' },
  }

  test('of a join also removes parts that read it, and joins that depend on it', () => {
    const parents = objectsIn(built)
      .slice(1)
      .map(({ parent }) => parent)
    expect(reduce(built, { does: 'removeJoin', index: 0, parents })).toEqual({
      ...DEALS,
      filters: { and: [{ field: 'deal.stage', operator: 'equals', value: 'Won' }] },
      groupBy: [{ key: 'stage', field: 'deal.stage' }],
      sort: [{ key: 'deals', order: 'desc' }],
      chart: { type: 'bar', y: ['deals'], series: 'stage' },
    })
  })

  test('of a measure also removes its condition, its sort order and its place in the chart', () => {
    const rest = reduce(built, { does: 'remove', list: 'measures', index: 1 })
    expect(rest).not.toHaveProperty('having')
    expect(rest.chart?.y).toEqual(['deals'])
    expect(rest.sort).toEqual(built.sort)
  })
})

/** The actions that the page offers for a draft. */
function offered(draft: Draft): Action[] {
  const objects = objectsIn(draft)
  const fields = allFields(objects)
  const parents = objects.slice(1).map(({ parent }) => parent)
  const keys = [...(draft.groupBy ?? []), ...(draft.measures ?? []), ...(draft.columns ?? [])].map(
    ({ key }) => key,
  )
  const isRows = draft.columns !== undefined
  const adding = fields.flatMap((field): Action[] => {
    if (isRows) return [{ does: 'column', field }]
    const groups: Action[] = canGroup(field) ? [{ does: 'group', field, at: 0 }] : []
    return [...groups, ...measuresOf(field).map((op): Action => ({ does: 'measure', op, field }))]
  })
  const lists = (['groupBy', 'measures', 'columns', 'sort'] as const).flatMap((list) =>
    (draft[list] ?? []).flatMap((_, index): Action[] => [
      { does: 'remove', list, index },
      { does: 'move', list, from: index, to: 0 },
    ]),
  )
  const having = (draft.measures ?? []).map(
    ({ key }): Action => ({ does: 'having', tree: { key, operator: 'isNotEmpty', value: 'true' } }),
  )
  const filters = fields.map(
    ({ slug }): Action => ({
      does: 'filters',
      tree: { and: [{ field: slug, operator: 'isNotEmpty', value: 'true' }] },
    }),
  )
  return [
    ...joinChoices(MODELS, objects, draft.joins ?? []).map(({ join }): Action => ({ does: 'join', join })),
    ...(draft.joins ?? []).flatMap((_, index): Action[] => [
      { does: 'removeJoin', index, parents },
      { does: 'joinType', index, type: 'inner' },
    ]),
    ...adding,
    ...lists,
    ...having,
    ...filters,
    ...keys.map((key): Action => ({ does: 'sort', key, order: 'desc' })),
    ...keys.map((key): Action => ({ does: 'chart', chart: { type: 'bar', x: key } })),
    ...MODELS.map((object): Action => ({ does: 'source', object })),
    { does: 'show', what: isRows ? 'groups' : 'rows', fields },
    { does: 'limit', limit: 10 },
  ]
}

/** For each number, performs one of the offered actions. */
function walked(numbers: readonly number[]): Draft[] {
  const drafts: Draft[] = [DEALS]
  for (const number of numbers) {
    const draft = drafts.at(-1) ?? DEALS
    const actions = offered(draft)
    const action = actions[number % actions.length]
    if (action) drafts.push(reduce(draft, action))
  }
  return drafts
}

const walk = fc.array(fc.nat(), { maxLength: 12 }).map(walked)

describe('any sequence of offered actions', () => {
  test('gives a valid definition, or one without measures and columns', () => {
    fc.assert(
      fc.property(walk, (drafts) => {
        const shape = readShape(drafts.at(-1))
        const found = 'problems' in shape ? shape.problems : problemsOf(plan(shape.definition))
        // A draft without measures and columns is not complete yet.
        expect(found.filter(({ path }) => path !== 'measures' && path !== 'columns')).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  test('can be undone and redone completely', () => {
    fc.assert(
      fc.property(walk, (drafts) => {
        const [first = DEALS, ...later] = drafts
        const history = later.reduce<History<Draft>>((so, draft) => commit(so, draft), begin(first))
        const back = later.reduce<History<Draft>>(undo, history)
        expect(back.present).toBe(first)
        expect(later.reduce<History<Draft>>(redo, back).present).toBe(history.present)
      }),
    )
  })
})

const problemsOf = (planned: ReturnType<typeof plan>) => ('problems' in planned ? planned.problems : [])

describe('a definition that the builder did not make', () => {
  test.each(REPORT_TEMPLATES)('$key stays unchanged until the first action', ({ definition }) => {
    expect(begin(definition).present).toBe(definition)
    const limited = reduce(definition, { does: 'limit', limit: 7 })
    expect(reduce(limited, { does: 'limit', limit: definition.limit })).toEqual(definition)
  })
})
