// Under the table: how many there are, exactly.
import type { ObjectWithAttributes } from '../../../contract/objects.ts'
import { counted } from './counted.ts'
import classes from './records.module.css'
import type { Rows } from './use-rows.ts'

export function Footer({ object, rows }: { object: ObjectWithAttributes; rows: Rows }) {
  const { total } = rows
  return (
    <footer className={classes.footer}>
      {total !== undefined && <span>{counted(object, total)}</span>}
      {rows.error !== undefined && total !== undefined && !rows.isStale && (
        <span role="alert">Some rows could not be loaded: scroll to try again</span>
      )}
    </footer>
  )
}
