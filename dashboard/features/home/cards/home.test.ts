import { expect, test } from 'vitest'
import { greeting } from '../../../../contract/greeting.ts'
import type { CrmObject } from '../../../shared/api/objects.ts'
import { nextSteps } from './next-steps.ts'
import { whatChanged } from './what-changed.ts'

test.each([
  [8, 'Ada Lovelace', 'Good morning, Ada'],
  [12, 'Ada', 'Good afternoon, Ada'],
  [23, '  ', 'Good evening'],
])('the greeting at %i o’clock for the name %s', (hour, name, text) => {
  expect(greeting(hour, name)).toBe(text)
})

type Change = Parameters<typeof whatChanged>[0]

const object = (slug: string, isActive = true) => ({ id: slug, slug, isActive }) as CrmObject
const objects = [object('people'), object('companies'), object('deals')]
const total = (slug: string, count: number | null) => ({ objectId: slug, total: count })

test.each([
  ['nothing', [total('companies', 0), total('deals', 0)], 1, ['import companies', 'create deals', 'invite']],
  ['companies', [total('companies', 2), total('deals', 0)], 1, ['create deals', 'invite']],
  ['a colleague', [total('companies', 0), total('deals', 1)], 2, ['import companies']],
  ['more than can be counted', [total('companies', null), total('deals', null)], 2, []],
  ['members that are not known yet', [total('companies', 1), total('deals', 1)], undefined, []],
])('with %s, shows only the remaining steps', (_, counts, members, steps) => {
  const found = nextSteps({ objects, counts, members, mayInvite: true })
  expect(found.map((step) => ('object' in step ? `${step.kind} ${step.object.slug}` : step.kind))).toEqual(
    steps,
  )
})

test('omits the invitation for users who may not invite, and skips inactive objects', () => {
  const some = [object('companies', false), object('projects')]
  const counts = [total('companies', 0), total('projects', 0)]
  expect(nextSteps({ objects: some, counts, members: 1, mayInvite: false })).toEqual([
    { kind: 'import', object: object('projects') },
  ])
})

test.each([
  [{ type: 'record.created' }, 'Created'],
  [{ type: 'record.created', isRestored: true }, 'Restored'],
  [{ changed: ['Stage'] }, 'Stage changed'],
  [{ changed: ['Amount', 'Stage', 'Owner'] }, '3 values changed'],
  [{}, 'Changed'],
] as const)('describes the change %o as “%s”', (change, text) => {
  expect(whatChanged({ type: 'record.updated', isRestored: false, changed: [], ...change } as Change)).toBe(
    text,
  )
})
