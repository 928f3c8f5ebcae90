// The records in cached query data: a list, the pages of an infinite query, or one record with its ETag.
import { type InfiniteData, replaceEqualDeep } from '@tanstack/react-query'
import type { CrmRecord, RecordList } from '../../../contract/records.ts'
import type { WithEtag } from './client.ts'
import { withUnsaved } from './unsaved-values.ts'

const isList = (data: unknown): data is RecordList =>
  typeof data === 'object' && data !== null && 'records' in data
const isPages = (data: unknown): data is InfiniteData<unknown> =>
  typeof data === 'object' && data !== null && 'pages' in data && Array.isArray(data.pages)
const isOne = (data: unknown): data is WithEtag<CrmRecord> =>
  typeof data === 'object' && data !== null && 'etag' in data && 'body' in data

type Change = (record: CrmRecord) => CrmRecord

function mapList(list: RecordList, change: Change): RecordList {
  const records = list.records.map(change)
  // A list without changed records keeps its identity, so that it is not rendered again.
  return records.some((record, at) => record !== list.records[at]) ? { ...list, records } : list
}

/** @returns the data with `change` applied to each record; data without records unchanged */
export function mapRecords(data: unknown, change: Change): unknown {
  if (isList(data)) return mapList(data, change)
  if (isPages(data)) return { ...data, pages: data.pages.map((page) => mapRecords(page, change)) }
  if (!isOne(data)) return data
  const body = change(data.body)
  return body === data.body ? data : { ...data, body }
}

function recordsIn(data: unknown): readonly CrmRecord[] {
  if (isList(data)) return data.records
  if (isPages(data)) return data.pages.flatMap(recordsIn)
  return isOne(data) ? [data.body] : []
}

/**
 * Merges a response into the cached data of a records query (`structuralSharing`). A read that began before a change
 * was saved can finish after it: no record is replaced by an older version, and unsaved values stay.
 */
export function latestRecords(before: unknown, after: unknown): unknown {
  const known = new Map(recordsIn(before).map((record) => [record.id, record]))
  const latest = mapRecords(after, (record) => {
    const held = known.get(record.id)
    return withUnsaved(held && held.version > record.version ? held : record)
  })
  return replaceEqualDeep(before, latest)
}
