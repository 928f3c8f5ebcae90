// Which queries a change affects. Queries of forms and definitions are not affected, so that edits stay.
import type { LiveChange } from './live-stream.ts'
import { followsTo, type Objects } from './reference-paths.ts'

export type News = readonly LiveChange[] | 'everything'

type Key = readonly unknown[]

const isOf = ({ type }: LiveChange, ...kinds: readonly string[]) =>
  kinds.includes(type) || kinds.includes(type.split('.')[0] ?? '')

const names = ({ ids }: LiveChange, id: unknown) => ids === null || ids.includes(id as string)

/** Whether the change concerns records of the object in a key, given by slug or id. */
const isOfObject = ({ objectId }: LiveChange, object: unknown, { slugOf }: Objects) =>
  objectId === null || objectId === object || slugOf(objectId) === object

/** Whether records of the object in the key, or others that decide which of them a filter matches, have changed. */
function decides(change: LiveChange, [object, kind, id, ...rest]: Key, objects: Objects): boolean {
  if (isOfObject(change, object, objects)) return kind !== 'one' || names(change, id)
  if (typeof object !== 'string' || change.objectId === null) return false
  return followsTo(change.objectId, { object, parts: [id, ...rest] }, objects)
}

type Test = (change: LiveChange, parts: Key, objects: Objects) => boolean

/** Tests by the second part of the key. `parts` are the parts after it. */
const TESTS: Readonly<Record<string, Test>> = {
  records: (change, parts, objects) =>
    isOf(change, 'record') && parts[1] !== 'deletion' && decides(change, parts, objects),
  'record-name': (change, [id]) => isOf(change, 'record') && names(change, id),
  history: (change, [, id]) => isOf(change, 'record') && names(change, id),
  home: (change) => isOf(change, 'record', 'activity'),
  // The list with record counts. The list without counts is affected only by an object that the page has not loaded.
  objects: (change, [object], { slugOf }) =>
    isOf(change, 'record.created', 'record.deleted') &&
    (object === '(all)' ||
      (object === undefined && change.objectId !== null && slugOf(change.objectId) === undefined)),
  activities: (change, [kind, id]) =>
    kind === 'one' || kind === 'history'
      ? isOf(change, 'activity') && names(change, id)
      : isOf(change, 'activity', 'record.created', 'record.deleted'),
  inbox: (change) => isOf(change, 'inbox', 'record.created', 'record.deleted', 'activity.deleted'),
  // Comments of a record are read again for each comment in the organization, and for each deleted record: a merge
  // deletes records and may have moved their comments.
  comments: (change) => isOf(change, 'comment', 'record.deleted'),
  members: (change) => isOf(change, 'member'),
  invitations: (change) => isOf(change, 'member'),
  // Removing a member may also revoke the member's API keys.
  'api-keys': (change) => isOf(change, 'member'),
  workflows: (change, parts) =>
    isOf(change, 'workflow') && parts.some((part) => part === 'runs' || part === 'overview'),
}

/** @param key of a query within an organization */
export function isAffected(key: Key, news: News, objects: Objects): boolean {
  const [, kind, ...parts] = key
  const test = typeof kind === 'string' && Object.hasOwn(TESTS, kind) ? TESTS[kind] : undefined
  if (!test) return false
  if (news !== 'everything') return news.some((change) => test(change, parts, objects))
  return kind === 'records' ? parts[1] !== 'deletion' : kind !== 'workflows' || parts.includes('runs')
}
