// Below the name column: the number of records, exact unless counting takes too long.
import { formatCount } from '../../../../contract/counted.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { counted } from './counted.ts'
import type { Rows } from './use-rows.ts'

export function RecordCount({ object, rows }: { object: ObjectWithAttributes; rows: Rows }) {
  const { total, atLeast, searched } = rows
  const isFailing = rows.error !== undefined && total !== undefined && !rows.isStale
  if (isFailing)
    return (
      <span className="truncate danger" role="alert">
        Some rows could not be loaded: scroll to try again
      </span>
    )
  if (total === undefined) return null
  if (atLeast !== undefined)
    return <span className="truncate">{`${formatCount(atLeast)}+ ${object.pluralName.toLowerCase()}`}</span>
  // If only a part of the records was searched, the number of all matches is unknown.
  return searched === undefined ? <span className="truncate">{counted(object, total)}</span> : null
}
