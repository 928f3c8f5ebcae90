// Which queries a change affects. Queries of forms and definitions are not affected, so that edits stay.
import type { LiveChange } from './live-stream.ts'

export type News = readonly LiveChange[] | 'everything'

type Key = readonly unknown[]

/** The slug of an object; undefined if the page has not loaded the object. */
export type SlugOf = (objectId: string) => string | undefined

const isOf = ({ type }: LiveChange, ...kinds: readonly string[]) =>
  kinds.includes(type) || kinds.includes(type.split('.')[0] ?? '')

const names = ({ ids }: LiveChange, id: unknown) => ids === null || ids.includes(id as string)

/** Whether the change concerns records of the object in a key, given by slug or id. */
const isOfObject = ({ objectId }: LiveChange, object: unknown, slugOf: SlugOf) =>
  objectId === null || objectId === object || slugOf(objectId) === object

type Test = (change: LiveChange, parts: Key, slugOf: SlugOf) => boolean

/** Tests by the second part of the key. `parts` are the parts after it. */
const TESTS: Readonly<Record<string, Test>> = {
  records: (change, [object, kind, id], slugOf) =>
    isOf(change, 'record') &&
    isOfObject(change, object, slugOf) &&
    kind !== 'deletion' &&
    (kind !== 'one' || names(change, id)),
  'record-name': (change, [id]) => isOf(change, 'record') && names(change, id),
  history: (change, [, id]) => isOf(change, 'record') && names(change, id),
  home: (change) => isOf(change, 'record', 'activity'),
  // The list with record counts. The list without counts is affected only by an object that the page has not loaded.
  objects: (change, [object], slugOf) =>
    isOf(change, 'record.created', 'record.deleted') &&
    (object === '(all)' ||
      (object === undefined && change.objectId !== null && slugOf(change.objectId) === undefined)),
  activities: (change, [kind, id]) =>
    kind === 'one'
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
export function isAffected(key: Key, news: News, slugOf: SlugOf): boolean {
  const [, kind, ...parts] = key
  const test = typeof kind === 'string' && Object.hasOwn(TESTS, kind) ? TESTS[kind] : undefined
  if (!test) return false
  if (news !== 'everything') return news.some((change) => test(change, parts, slugOf))
  return kind === 'records' ? parts[1] !== 'deletion' : kind !== 'workflows' || parts.includes('runs')
}
