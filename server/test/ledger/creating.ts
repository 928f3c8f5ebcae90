// Creates a record of the writer.
import type { Change } from './accounts.ts'
import { domainOf, type Hand, nothing, ownRecord, type Plan, RECORDS } from './hand.ts'

export function create({ mark, records }: Hand): Plan {
  const marker = mark()
  const change: Change = { type: 'record.created', marker }
  return {
    request: { method: 'POST', path: RECORDS, body: { data: { name: marker, domain: domainOf(marker) } } },
    status: 201,
    changes: [change],
    carriedOut({ id }) {
      change.record = String(id)
      records.push(ownRecord(change.record, marker))
    },
    doubted: nothing,
  }
}
