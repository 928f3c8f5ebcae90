// The heads of the columns, which stay at the top.
import { memo, useEffect, useRef } from 'react'
import type { TableColumn } from './columns.ts'
import classes from './grid.module.css'
import { HeadCell } from './head-cell.tsx'
import type { PlacedColumn } from './row.tsx'
import { useTable } from './table-context.ts'

interface HeadProps {
  name: TableColumn
  nameWidth: number
  others: readonly PlacedColumn[]
  width: number
  /** The column of the active head; undefined if the active cell is not a head. */
  active: number | undefined
}

function AllCheckbox() {
  const { selection } = useTable()
  const { isAll, isSome } = selection
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = isSome && !isAll
  }, [isSome, isAll])
  return (
    <div role="columnheader" aria-colindex={1} className={classes.check}>
      <input
        ref={box}
        type="checkbox"
        checked={isAll}
        tabIndex={-1}
        aria-label="Select all rows that are loaded"
        title="Select all rows that are loaded (⌘ A)"
        onChange={selection.toggleAll}
      />
    </div>
  )
}

/** Menus are expensive to render, so the heads are memoized: scrolling rows does not render them again. */
export const Head = memo(function Head({ name, nameWidth, others, width, active }: HeadProps) {
  return (
    <div role="rowgroup" className={classes.head} style={{ width }}>
      <div role="row" aria-rowindex={1} className={classes.headRow}>
        <div role="presentation" className={classes.frozen} style={{ width: 40 + nameWidth }}>
          <AllCheckbox />
          <HeadCell column={name} index={0} isActive={active === 0} style={{ width: nameWidth }} />
        </div>
        {others.map(({ column, index, left }) => (
          <HeadCell
            key={column.slug}
            column={column}
            index={index}
            isActive={active === index}
            style={{ position: 'absolute', top: 0, left: 40 + nameWidth + left, width: column.width }}
          />
        ))}
      </div>
    </div>
  )
})
