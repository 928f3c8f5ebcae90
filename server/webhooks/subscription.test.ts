import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { StoredEventType } from '../../contract/events.ts'
import { createTestDatabase } from '../test/database.ts'
import { wants } from './subscription.ts'

const { pool } = await createTestDatabase()

interface Filters {
  types?: StoredEventType[]
  objs?: number[]
  attributes?: string[]
}
interface Event {
  type: StoredEventType
  obj?: number
  changed?: string[]
}

const isWanted = async ({ types, objs, attributes }: Filters, { type, obj, changed }: Event) => {
  const changes = changed && JSON.stringify(Object.fromEntries(changed.map((slug) => [slug, {}])))
  return pool.value<boolean | null>(sql`
    select ${wants('w', 'e')} as wanted
    from (select ${types ?? null}::text[] as event_types, ${objs ?? null}::int[] as objs,
      ${attributes ?? null}::text[] as changed_attributes) w,
      (select ${type} as type, ${obj ?? null}::int as obj, ${changes ?? null}::jsonb as changes) e`)
}

const created: Event = { type: 'record.created', obj: 1 }
const updated: Event = { type: 'record.updated', obj: 1, changed: ['stage', 'name'] }
const noted: Event = { type: 'activity.created' }

test.each<[string, Filters, Event, boolean]>([
  ['of any type without filters', {}, created, true],
  ['about a comment', {}, { type: 'comment.created' }, false],
  ['of a selected type', { types: ['activity.created', 'record.created'] }, created, true],
  ['of another type', { types: ['record.deleted'] }, created, false],
  ['of a selected object', { objs: [2, 1] }, created, true],
  ['of another object', { objs: [2] }, created, false],
  ['without an object', { objs: [2] }, noted, true],
  ['that changed a selected attribute', { attributes: ['amount', 'stage'] }, updated, true],
  ['that changed other attributes', { attributes: ['amount'] }, updated, false],
  ['that is no update', { attributes: ['amount'] }, created, true],
  [
    'of which one filter of three does not hold',
    { types: ['record.updated'], objs: [1], attributes: ['x'] },
    updated,
    false,
  ],
])('an event %s', async (_, filters, event, wanted) => {
  expect(await isWanted(filters, event)).toBe(wanted)
})
