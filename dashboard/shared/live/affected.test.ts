import { expect, test } from 'vitest'
import { isAffected, type News } from './affected.ts'
import type { LiveChange } from './live-stream.ts'

const TARGETS: Record<string, Record<string, string>> = {
  deals: { company: 'companies-id', contact: 'people-id', parent: 'projects-id' },
  'people-id': { company: 'companies-id' },
}
const objects = {
  slugOf: (id: string) => ({ 'deals-id': 'deals', 'people-id': 'people' })[id],
  targetOf: (object: string, attribute: string) => {
    const targets = TARGETS[object]
    return targets && (targets[attribute] ?? null)
  },
}

const change = (type: LiveChange['type'], ids: string[] | null, objectId: string | null = null): News => [
  { type, objectId, ids },
]
const dealUpdated = change('record.updated', ['rocket'], 'deals-id')

const affected = (news: News, ...key: unknown[]) => isAffected(['acme', ...key], news, objects)

const companyUpdated = change('record.updated', ['initech'], 'companies-id')
const along = (...slugs: string[]) => ({
  filter: { and: slugs.map((attributeSlug) => ({ not: { attributeSlug, operator: 'isEmpty' } })) },
})

test.each<[string, News, boolean, unknown[]]>([
  [
    'a filter along a reference to it',
    companyUpdated,
    true,
    ['records', 'deals', 'search', along('name', 'company.industry')],
  ],
  [
    'a filter along two references',
    companyUpdated,
    true,
    ['records', 'deals', 'board', along('contact.company.name')],
  ],
  [
    'a filter whose first reference leads to it',
    change('record.updated', ['ada'], 'people-id'),
    true,
    ['records', 'deals', 'groups', along('contact.company.name')],
  ],
  [
    'a filter along an object that is not loaded',
    companyUpdated,
    true,
    ['records', 'deals', 'search', along('parent.company.name')],
  ],
  [
    'a sort along a reference to it',
    companyUpdated,
    true,
    ['records', 'deals', 'search', { sort: [{ field: 'company.name', order: 'asc' }] }],
  ],
  [
    'a filter along another reference',
    companyUpdated,
    false,
    ['records', 'deals', 'search', along('contact.name')],
  ],
  ['a filter by a part', companyUpdated, false, ['records', 'deals', 'search', along('amount.currency')]],
  ['a filter by the reference', companyUpdated, false, ['records', 'deals', 'search', along('company')]],
  ['a list of its object', dealUpdated, true, ['records', 'deals', 'search', {}]],
  ['a list of its object by id', dealUpdated, true, ['records', 'deals-id', 'search', {}]],
  ['a board', dealUpdated, true, ['records', 'deals', 'board', {}]],
  ['the record', dealUpdated, true, ['records', 'deals', 'one', 'rocket']],
  ['another record', dealUpdated, false, ['records', 'deals', 'one', 'anvil']],
  [
    'any record, when too many changed to be listed',
    change('record.updated', null, 'deals-id'),
    true,
    ['records', 'deals', 'one', 'anvil'],
  ],
  ['a list of another object', dealUpdated, false, ['records', 'people', 'search', {}]],
  ['the preview of a deletion', dealUpdated, false, ['records', 'deals', 'deletion', ['rocket']]],
  ['its name', dealUpdated, true, ['record-name', 'rocket']],
  ['its history', dealUpdated, true, ['history', 'deals', 'rocket']],
  ['the history of another', dealUpdated, false, ['history', 'deals', 'anvil']],
  ['the first page', dealUpdated, true, ['home']],
  ['the number of records, which stays', dealUpdated, false, ['objects', '(all)']],
  ['activities', dealUpdated, false, ['activities', 'list', {}]],
  ['the number of records', change('record.created', ['x'], 'deals-id'), true, ['objects', '(all)']],
  ['objects that the page has loaded', change('record.created', ['x'], 'deals-id'), false, ['objects']],
  ['objects, when a new one has records', change('record.created', ['x'], 'new-id'), true, ['objects']],
  ['attributes of an object', change('record.created', ['x'], 'deals-id'), false, ['objects', 'deals']],
  [
    'activities, whose links end when a record is deleted',
    change('record.deleted', ['x'], 'deals-id'),
    true,
    ['activities', 'list', {}],
  ],
  ['lists of activities', change('activity.created', ['call']), true, ['activities', 'list', {}]],
  ['the activity', change('activity.updated', ['call']), true, ['activities', 'one', 'call']],
  ['its history', change('activity.updated', ['call']), true, ['activities', 'history', 'call']],
  ['another activity', change('activity.updated', ['call']), false, ['activities', 'one', 'note']],
  ['records', change('activity.updated', ['call']), false, ['records', 'deals', 'search', {}]],
  [
    'runs',
    change('workflow.completed', ['run']),
    true,
    ['workflows', 'one', 'welcome', 'runs', 'list', null, 0],
  ],
  [
    'a definition that may be edited',
    change('workflow.failed', ['run']),
    false,
    ['workflows', 'one', 'welcome', 'definition', 'current'],
  ],
  ['the inbox', [{ type: 'inbox', objectId: null, ids: null }], true, ['inbox', 'unread']],
  ['activities, whose links return', change('record.created', ['x']), true, ['activities', 'list', {}]],
  [
    'the inbox, whose records may be deleted',
    change('record.deleted', ['x'], 'deals-id'),
    true,
    ['inbox', 'latest'],
  ],
  ['the inbox, when others change a record', dealUpdated, false, ['inbox', 'unread']],
  ['comments', change('comment.created', ['one']), true, ['comments', 'deals', 'rocket']],
  [
    'comments, when a merge may have moved some',
    change('record.deleted', ['x']),
    true,
    ['comments', 'deals', 'rocket'],
  ],
  ['comments, when their record changes', dealUpdated, false, ['comments', 'deals', 'rocket']],
  ['settings', dealUpdated, false, ['api-keys']],
  ['members', change('member.changed', ['mia']), true, ['members']],
  ['invitations', change('member.changed', ['mia']), true, ['invitations']],
  ['API keys, which may be revoked', change('member.changed', ['mia']), true, ['api-keys']],
  ['members, when a record changes', dealUpdated, false, ['members']],
  ['lists, when all may have changed', 'everything', true, ['records', 'deals', 'search', {}]],
  [
    'runs, when all may have changed',
    'everything',
    true,
    ['workflows', 'one', 'welcome', 'runs', 'list', null, 0],
  ],
  [
    'a definition, when all may have changed',
    'everything',
    false,
    ['workflows', 'one', 'welcome', 'definition', 'current'],
  ],
  ['views, when all may have changed', 'everything', false, ['views', 'deals-id']],
])('checks whether a change refreshes %s', (_, news, wanted, key) => {
  expect(affected(news, ...key)).toBe(wanted)
})
