// Below the column of names: how many records there are, exactly.
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { counted } from './counted.ts'
import type { Rows } from './use-rows.ts'

export function RecordCount({ object, rows }: { object: ObjectWithAttributes; rows: Rows }) {
  const { total } = rows
  const isFailing = rows.error !== undefined && total !== undefined && !rows.isStale
  if (isFailing)
    return (
      <span className="truncate danger" role="alert">
        Some rows could not be loaded: scroll to try again
      </span>
    )
  return total === undefined ? null : <span className="truncate">{counted(object, total)}</span>
}
