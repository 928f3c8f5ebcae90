// Puts merged records back into their places in activities when a merge is undone.
import { isDeepStrictEqual } from 'node:util'
import type { Participant, RecordRef } from '../../contract/activities.ts'
import { ACTIVITY_LINKS_MAX } from '../../contract/limits.ts'
import type { Author } from '../base/caller.ts'
import type { Db } from '../db/pool.ts'
import type { UndoneMerge } from '../records/merge/context.ts'
import { returned } from '../records/merge/returned.ts'
import { mergedChanges, type NotedChange } from '../records/write/merge-journal.ts'
import { changeAll, listsOf } from './record-links.ts'
import type { ActivityRow } from './store.ts'

type Lists = ReturnType<typeof listsOf>

const LINK = {
  idOf: ({ recordId }: RecordRef) => recordId,
  withId: (link: RecordRef, recordId: string) => ({ ...link, recordId }),
}
const PERSON = {
  idOf: ({ id }: Participant) => id,
  withId: (person: Participant, id: string) => ({ ...person, id }),
}

/** undefined if the lists were changed since the merge: then they stay unchanged. */
function listsBefore(now: Lists, { before, after }: NotedChange, merge: UndoneMerge): Lists | undefined {
  const [was, became] = [before as Lists, after as Lists]
  const links = isDeepStrictEqual(was.links, became.links)
    ? now.links
    : returned(now.links, { before: was.links, after: became.links }, { ...merge, ...LINK })
  const people = isDeepStrictEqual(was.people, became.people)
    ? now.people
    : returned(now.people, { before: was.people, after: became.people }, { ...merge, ...PERSON })
  const isFull = [links, people].some((list) => (list?.length ?? 0) > ACTIVITY_LINKS_MAX)
  return links && people && !isFull ? { links, people } : undefined
}

/** The activity as before the merge; undefined if it stays unchanged. */
function rowBefore(row: ActivityRow, noted: NotedChange, merge: UndoneMerge): ActivityRow | undefined {
  const now = listsOf(row)
  const lists = listsBefore(now, noted, merge)
  if (!lists) {
    const named = new Set((noted.before as Lists).links.map(LINK.idOf))
    for (const recordId of merge.back)
      if (named.has(recordId))
        merge.losses.add('activity_changed', { recordId, slug: 'linkedRecords', activityId: row.id })
    return undefined
  }
  if (isDeepStrictEqual(lists, now)) return undefined
  return { ...row, storedLinks: lists.links, participants: lists.people }
}

export async function returnLinks(tx: Db, author: Author, merge: UndoneMerge): Promise<void> {
  const journal = { org: author.org, merge: merge.merge }
  for await (const page of mergedChanges(tx, journal, { kind: 'activity' })) {
    const byId = new Map(page.map((noted) => [noted.id, noted]))
    await changeAll(tx, author, [...byId.keys()], async () => (row) => {
      const noted = byId.get(row.id)
      return noted && rowBefore(row, noted, merge)
    })
  }
}
