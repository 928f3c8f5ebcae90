import type { ComponentProps, MouseEvent } from 'react'
import classes from './data-table.module.css'

/**
 * A row that opens on a click anywhere in it. The keyboard uses the link in the row. The link can also open a new tab.
 */
export function OpenRow({ onOpen, ...props }: ComponentProps<'tr'> & { onOpen(): void }) {
  const open = ({ target, metaKey, ctrlKey }: MouseEvent) => {
    if (!(target as Element).closest('a') && !metaKey && !ctrlKey) onOpen()
  }
  return <tr className={classes.openRow} onClick={open} {...props} />
}
