// Moves cards between the loaded pages of columns, so that a move is shown before it is saved.
import type { InfiniteData } from '@tanstack/react-query'
import type { RecordList } from '../../../../contract/records.ts'
import type { CrmRecord } from '../../../shared/api/records.ts'
import type { Sort } from '../../../shared/filters/view-state.ts'
import { isMoney } from '../../../shared/values/format.ts'

export type Pages = InfiniteData<RecordList, unknown>

export const recordsOf = (pages: Pages | undefined): CrmRecord[] =>
  pages?.pages.flatMap(({ records }) => records) ?? []

const mapPages = (data: Pages, change: (records: CrmRecord[], page: number) => CrmRecord[]): Pages => ({
  ...data,
  pages: data.pages.map((page, index) => ({ ...page, records: change(page.records, index) })),
})

export const withoutCard = (data: Pages, id: string): Pages =>
  mapPages(data, (records) => records.filter((record) => record.id !== id))

function comparable(record: CrmRecord, field: string): string | number | undefined {
  if (field === 'created_at') return record.createdAt
  if (field === 'updated_at') return record.updatedAt
  const value = record.data[field]
  if (isMoney(value)) return Number(value.amount)
  return typeof value === 'string' || typeof value === 'number' ? value : undefined
}

/** Whether `a` is before `b`. If they cannot be compared here, `a` is first until the service responds. */
function isBefore(a: CrmRecord, b: CrmRecord, sort: readonly Sort[]): boolean {
  for (const { field, order } of sort) {
    const [left, right] = [comparable(a, field), comparable(b, field)]
    if (left === undefined || right === undefined) return true
    if (left !== right) return left < right === (order === 'asc')
  }
  return true
}

function placeOf(records: readonly CrmRecord[], record: CrmRecord, sort: readonly Sort[]): number {
  const place = records.findIndex((other) => isBefore(record, other, sort))
  return place === -1 ? records.length : place
}

/** Inserts the card among the loaded cards in sort order. */
export function withCard(data: Pages, record: CrmRecord, sort: readonly Sort[]): Pages {
  const others = withoutCard(data, record.id)
  let place = placeOf(recordsOf(others), record, sort)
  return mapPages(others, (records, page) => {
    const isLast = page === others.pages.length - 1
    const isHere = place >= 0 && (place <= records.length || isLast)
    const at = place
    place = isHere ? -1 : place - records.length
    return isHere ? records.toSpliced(at, 0, record) : records
  })
}
