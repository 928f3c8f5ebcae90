import type { ComponentProps, MouseEvent } from 'react'
import classes from './data-table.module.css'

/** A row that the pointer opens anywhere; the keyboard opens the link in it, which also leads to a new tab. */
export function OpenRow({ onOpen, ...props }: ComponentProps<'tr'> & { onOpen(): void }) {
  const open = ({ target, metaKey, ctrlKey }: MouseEvent) => {
    if (!(target as Element).closest('a') && !metaKey && !ctrlKey) onOpen()
  }
  return <tr className={classes.openRow} onClick={open} {...props} />
}
