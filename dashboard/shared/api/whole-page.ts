// Pages with large records are shorter than requested. Tables find rows by position, so the missing records are read
// too.
import { PAGE_LIMIT_DEFAULT } from '../../../contract/limits.ts'
import type { RecordList, SearchBody } from '../../../contract/records.ts'

/** @param body the request for `first` @param readOn reads the next records from a cursor */
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
