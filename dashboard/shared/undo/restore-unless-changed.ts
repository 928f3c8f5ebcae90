// Restores an earlier value of something that has an ETag, unless that value was changed since.
import type { WithEtag } from '../api/client.ts'
import { hasCode } from '../api/errors.ts'

interface Restoration<Item> {
  read(): Promise<WithEtag<Item>>
  /** Whether the item still has the value that the undone change set. */
  isUnchanged(now: Item): boolean
  /** Restores the earlier value of `now`, and only this value: later changes of others stay. */
  restore(now: Item, etag: string | undefined): Promise<unknown>
}

/** @returns false if the value was changed since, and stays @throws ApiError */
export async function restoreUnlessChanged<Item>(restoration: Restoration<Item>): Promise<boolean> {
  const { body, etag } = await restoration.read()
  if (!restoration.isUnchanged(body)) return false
  try {
    await restoration.restore(body, etag)
    return true
  } catch (error) {
    // It was changed between the two requests: compare again.
    if (!hasCode(error, 'precondition_failed')) throw error
    return restoreUnlessChanged(restoration)
  }
}
