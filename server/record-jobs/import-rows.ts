// Converts the lines of a file to rows of a bulk write.
import type { JobResult } from '../../contract/job-results.ts'
import { type FailedRow, ReadRecord } from '../../contract/records.ts'
import { isObject, MalformedJson, parseJson } from '../base/json.ts'
import type { Written } from '../records/bulk/service.ts'
import type { Line } from './lines.ts'

/** A row to write, or the fault of its line. */
export type ImportRow = { line: number } & ({ row: Record<string, unknown> } | { fault: string })

/** Further fields of a record in a list. They are omitted, so that an exported line can be imported. */
const OF_RECORDS: ReadonlySet<string> = new Set(
  Object.keys(ReadRecord.properties).filter((name) => name !== 'id' && name !== 'data'),
)

const NOT_TEXT = 'must be UTF-8 of at most 1 MiB: shorten the line, or save the file as UTF-8'
const NOT_OBJECT = 'must be a JSON object, such as {"data": {"name": "Ada Lovelace"}}'

function parsed(text: string): unknown {
  try {
    // The first line may begin with a byte order mark.
    return parseJson(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    if (error instanceof MalformedJson) return undefined
    throw error
  }
}

export function importRow({ line, text }: Line): ImportRow {
  if (text === undefined) return { line, fault: NOT_TEXT }
  const value = parsed(text)
  if (!isObject(value)) return { line, fault: NOT_OBJECT }
  return { line, row: Object.fromEntries(Object.entries(value).filter(([name]) => !OF_RECORDS.has(name))) }
}

/** Omits the index in the batch, and details that repeat the error. */
const failureOf = ({ error, code, attribute, existingRecordId, details }: Omit<FailedRow, 'index'>) => ({
  error,
  code,
  ...(attribute !== undefined && { attribute }),
  ...(existingRecordId !== undefined && { existingRecordId }),
  ...(details && details.errors.length + (details.moreErrors ?? 0) > 1 && { details }),
})

/** The result of each row of a bulk write, in the order of the rows. */
export function resultsOf({ results, failed, unchanged }: Written): JobResult[] {
  const refused = new Map(failed.map((one) => [one.index, failureOf(one)]))
  return results.map(({ index, id, status }) => ({
    id,
    status: unchanged.has(index) ? 'unchanged' : status,
    ...refused.get(index),
  }))
}
