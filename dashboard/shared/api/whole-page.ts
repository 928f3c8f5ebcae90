// Large records make a page shorter than it was asked for. Tables find a row by its place: the rest is read too.
import { PAGE_LIMIT_DEFAULT } from '../../../contract/limits.ts'
import type { RecordList, SearchBody } from '../../../contract/records.ts'

/** @param body what `first` was asked for by @param readOn reads on from the cursor in it */
export async function wholePage(
  first: RecordList,
  { offset: _, limit = PAGE_LIMIT_DEFAULT, ...set }: SearchBody,
  readOn: (body: SearchBody) => Promise<RecordList>,
): Promise<RecordList> {
  const records = [...first.records]
  let { nextCursor: cursor } = first.pagination
  while (cursor !== undefined && records.length < limit) {
    const page = await readOn({ ...set, cursor, limit: limit - records.length, count: false })
    records.push(...page.records)
    cursor = page.pagination.nextCursor
  }
  return { ...first, records }
}
