// Restores references to the losers that a merge changed to the winner or removed.
import { RECORD_BYTES_MAX } from '../../../contract/limits.ts'
import type { LossCode } from '../../../contract/trash.ts'
import type { Author } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import {
  lockReferenceHolders,
  lockTrashedHolders,
  type ReferenceChange,
  type ReferenceHolder,
  selectTaken,
  writeHolders,
  writeTrashedHolders,
} from '../trash/references.ts'
import { ELEMENTS_MAX } from '../validation/values.ts'
import { type Referrer, selectReferrers } from '../write/delete-store.ts'
import { mergedChanges, type NotedChange, selectNotedAttributes } from '../write/merge-journal.ts'
import type { UndoneMerge } from './context.ts'
import { returned } from './returned.ts'

const listOf = (value: unknown): string[] => [value ?? []].flat() as string[]

const IDS = { idOf: (id: string) => id, withId: (_: string, id: string) => id }

interface Unmerging {
  referrer: Referrer
  merge: UndoneMerge
  /** For a unique attribute: the record that refers to each loser, by the id of the loser. */
  taken: Map<string, string>
}

const isTooLarge = ({ large }: ReferenceHolder, slug: string, value: unknown): boolean =>
  large !== null &&
  Buffer.byteLength(JSON.stringify({ ...JSON.parse(large), [slug]: value })) > RECORD_BYTES_MAX

/** The restored value of the reference, or the reason why it is not restored. */
function listBefore(holder: ReferenceHolder, noted: NotedChange, { referrer, merge, taken }: Unmerging) {
  const now = listOf(holder.value)
  const change = { before: listOf(noted.before), after: listOf(noted.after) }
  const list = returned(now, change, { ...merge, ...IDS })?.filter(
    (id) => id !== holder.id || now.includes(id) || change.before.includes(id),
  )
  if (!list) return 'reference_changed'
  if (list.length > ELEMENTS_MAX) return 'list_full'
  if (isTooLarge(holder, referrer.slug, list)) return 'record_full'
  const others = list.filter((id) => (taken.get(id) ?? holder.id) !== holder.id && !now.includes(id))
  return others.length > 0 ? 'unique_violation' : list
}

function changeOf(
  holder: ReferenceHolder,
  noted: NotedChange,
  unmerging: Unmerging,
): ReferenceChange | undefined {
  const { referrer, merge, taken } = unmerging
  const list = listBefore(holder, noted, unmerging)
  if (typeof list === 'string') {
    for (const recordId of listOf(noted.before))
      if (merge.back.has(recordId))
        merge.losses.add(list satisfies LossCode, { recordId, slug: referrer.slug, other: holder.id })
    return undefined
  }
  const now = new Set(listOf(holder.value))
  const next = new Set(list)
  const added = [...next.difference(now)]
  const removed = [...now.difference(next)]
  if (added.length + removed.length === 0 || list.length === 0) return undefined
  if (referrer.isUnique) for (const target of added) taken.set(target, holder.id)
  return {
    id: holder.id,
    value: referrer.isList ? list : (list[0] ?? null),
    added: added.map((target) => ({ target })),
    removed,
  }
}

async function returnPage(
  tx: Db,
  author: Author,
  { referrer, merge }: Omit<Unmerging, 'taken'>,
  page: readonly NotedChange[],
): Promise<void> {
  const { org } = author
  const noted = new Map(page.map((one) => [one.id, one]))
  const ids = [...noted.keys()]
  const live = await lockReferenceHolders(tx, org, referrer, ids)
  const present = new Set(live.map(({ id }) => id))
  const rest = ids.filter((id) => !present.has(id))
  const trashed = rest.length === 0 ? [] : await lockTrashedHolders(tx, org, referrer, rest)
  const taken = await selectTaken(tx, org, referrer, [...merge.back])
  const changesIn = (holders: readonly ReferenceHolder[], held: Map<string, string>) =>
    holders.flatMap((holder) => {
      const one = noted.get(holder.id)
      return (one && changeOf(holder, one, { referrer, merge, taken: held })) ?? []
    })
  await writeHolders(tx, author, referrer, changesIn(live, taken))
  await writeTrashedHolders(tx, org, referrer, changesIn(trashed, new Map()))
}

export async function returnReferences(
  tx: Db,
  author: Author,
  model: ObjectModel,
  merge: UndoneMerge,
): Promise<void> {
  const journal = { org: author.org, merge: merge.merge }
  const referrers = new Map((await selectReferrers(tx, model)).map((one) => [one.attr, one]))
  for (const attr of await selectNotedAttributes(tx, journal)) {
    const referrer = referrers.get(attr)
    if (!referrer || referrer.isDeleted) continue
    for await (const page of mergedChanges(tx, journal, { kind: 'reference', attr }))
      await returnPage(tx, author, { referrer, merge }, page)
  }
}
